import { Button, Chip, Paper, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import type { TierProgress } from '../data/transition.ts';
import { counted, spanText } from '../parts/time-text.ts';
import { ranked, tierCounts, untoldOf } from './ranking.ts';
import { StepNumber } from './step-number.tsx';
import { WorkloadLine } from './workload-line.tsx';

interface Props {
  readonly tiers: readonly TierProgress[];
  readonly now: number;
  readonly ended: boolean;
}

export function TierSteps({ tiers, now, ended }: Props) {
  return (
    <Stack component="ol" spacing={2} sx={{ m: 0, p: 0, listStyle: 'none' }} aria-label="Tiers">
      {tiers.map((tier, index) => (
        <TierStep key={tier.name} tier={tier} step={index + 1} now={now} ended={ended} />
      ))}
    </Stack>
  );
}

const shownAtFirst = 8;

function TierStep({ tier, step, now, ended }: { tier: TierProgress; step: number; now: number; ended: boolean }) {
  const [all, setAll] = useState(false);
  const { up, failed, total } = tierCounts(tier);
  const workloads = ranked(tier.workloads);
  const untold = untoldOf(tier);
  // What went wrong is always shown; of the others, the first few until somebody asks.
  const needed = workloads.filter(({ phase }) => phase === 'failed' || phase === 'recovered').length;
  const shown = all ? workloads : workloads.slice(0, Math.max(shownAtFirst, needed));
  return (
    <Paper component="li" sx={{ p: { xs: 2, sm: 2.5 } }}>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap', mb: 1.5 }}>
        <StepNumber step={step} state={tier.state} />
        <Typography variant="h2" sx={{ flex: 1, minWidth: 120 }}>
          {tier.name}
        </Typography>
        <Typography variant="body2">
          {total === 0 ? 'Nothing to wait for' : `${up} of ${total} up${failed > 0 ? `, ${failed} failed` : ''}`}
        </Typography>
        <TierChip tier={tier} failed={failed > 0} now={now} ended={ended} />
      </Stack>
      {tier.databases.map(({ name, status }) => (
        <Typography key={name} variant="body2" sx={{ mb: 1 }}>
          Database {name}: {status}
        </Typography>
      ))}
      <Stack component="ul" spacing={0.75} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {shown.map((workload) => (
          <WorkloadLine key={workload.workload} workload={workload} now={now} />
        ))}
      </Stack>
      {shown.length < workloads.length ? (
        <Button size="small" onClick={() => setAll(true)} sx={{ mt: 1 }}>
          Show {counted(workloads.length - shown.length, 'more workload')}
        </Button>
      ) : null}
      {all && untold > 0 ? (
        <Typography variant="body2" sx={{ mt: 1 }}>
          And {counted(untold, 'more workload')}, on the Resources page.
        </Typography>
      ) : null}
    </Paper>
  );
}

interface TierChipProps {
  readonly tier: TierProgress;
  readonly failed: boolean;
  readonly now: number;
  readonly ended: boolean;
}

/** What the barrier does: how long the next tier waits for this one, and whether it was walked past. */
function TierChip({ tier, failed, now, ended }: TierChipProps) {
  if (tier.walkedPast)
    return <Chip size="small" color="warning" label="Wake Barrier Timeout: released without waiting" />;
  if (tier.state === 'released') {
    const took = (tier.releasedAt ?? 0) - (tier.startedAt ?? 0);
    return (
      <Chip size="small" color={failed ? 'error' : 'success'} variant="outlined" label={`Done in ${spanText(took)}`} />
    );
  }
  if (tier.state === 'waiting')
    return <Chip size="small" variant="outlined" label={ended ? 'Not reached' : 'Waits for the tier before'} />;
  if (tier.barrierAt === undefined || ended)
    return <Chip size="small" color="warning" variant="outlined" label="Running" />;
  return (
    <Chip
      size="small"
      color="warning"
      variant="outlined"
      label={`Barrier in ${spanText(tier.barrierAt - now)}`}
      data-testid="barrier"
    />
  );
}
