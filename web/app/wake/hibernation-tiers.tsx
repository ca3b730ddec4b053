import { Button, Chip, Paper, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import type { HibernationProgress, HibernationTier } from '../data/transition.ts';
import { counted, spanText } from '../parts/time-text.ts';
import { StepNumber } from './step-number.tsx';

interface Props {
  readonly progress: HibernationProgress;
  readonly now: number;
  readonly ended: boolean;
}

export function HibernationTiers({ progress, now, ended }: Props) {
  return (
    <Stack component="ol" spacing={2} sx={{ m: 0, p: 0, listStyle: 'none' }} aria-label="Tiers">
      {progress.tiers.map((tier, index) => (
        <TierStep key={tier.name} tier={tier} step={index + 1} progress={progress} now={now} ended={ended} />
      ))}
    </Stack>
  );
}

function TierStep({ tier, step, progress, now, ended }: Props & { tier: HibernationTier; step: number }) {
  const waitsFor = tier.state === 'running' && !ended ? progress.draining : [];
  return (
    <Paper component="li" sx={{ p: { xs: 2, sm: 2.5 } }} data-state={tier.state}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <StepNumber step={step} state={tier.state} />
        <Typography variant="h2" sx={{ flex: 1, minWidth: 120 }}>
          {tier.name}
        </Typography>
        <Typography variant="body2">
          {tier.down} of {tier.workloads} asleep
        </Typography>
        <TierChip tier={tier} now={now} ended={ended} />
      </Stack>
      {tier.databases.length === 0 ? null : (
        <Typography variant="body2" sx={{ mt: 1.5 }}>
          {tier.databases.length === 1 ? 'Database' : 'Databases'} {tier.databases.join(', ')}
        </Typography>
      )}
      <Draining workloads={waitsFor} />
    </Paper>
  );
}

const shownAtFirst = 8;

/** What the tier waits for: lowered, and not all of its pods have gone. */
function Draining({ workloads }: { workloads: readonly string[] }) {
  const [all, setAll] = useState(false);
  if (workloads.length === 0) return null;
  const shown = all ? workloads : workloads.slice(0, shownAtFirst);
  return (
    <>
      <Stack component="ul" spacing={0.75} sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none' }} data-testid="draining">
        {shown.map((workload) => (
          <Typography key={workload} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {workload} is lowered; its pods are on their way out
          </Typography>
        ))}
      </Stack>
      {shown.length < workloads.length ? (
        <Button size="small" onClick={() => setAll(true)} sx={{ mt: 1 }}>
          Show {counted(workloads.length - shown.length, 'more workload')}
        </Button>
      ) : null}
    </>
  );
}

/** How long the next tier still waits for this one, or whether it stopped waiting. */
function TierChip({ tier, now, ended }: { tier: HibernationTier; now: number; ended: boolean }) {
  if (tier.timedOut) return <Chip size="small" color="warning" label="Time-out: its pods were not waited for" />;
  if (tier.state === 'released') return <Chip size="small" color="success" variant="outlined" label="Asleep" />;
  if (tier.state === 'waiting' || ended) {
    const label = ended ? (tier.state === 'waiting' ? 'Not reached' : 'Not finished') : 'Waits for the tier before';
    return <Chip size="small" variant="outlined" label={label} />;
  }
  const label = tier.deadlineAt === undefined ? 'Running' : `Time-out in ${spanText(tier.deadlineAt - now)}`;
  return <Chip size="small" color="warning" variant="outlined" label={label} data-testid="tier-deadline" />;
}
