import { Alert, LinearProgress, Stack, Typography } from '@mui/material';
import { useNow } from '../data/now.ts';
import type { HibernationFrame } from '../data/transition.ts';
import { Facts } from '../parts/facts.tsx';
import { Section } from '../parts/section.tsx';
import { counted, spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { WorkloadSentence } from '../resources/workload-sentence.tsx';
import { cutShort, type Over } from './ending.ts';
import { HibernationTiers } from './hibernation-tiers.tsx';

/** A hibernation while it runs: its tiers, what each still waits for, and what would not go down. */
export function HibernationView({ frame, over, zone }: { frame: HibernationFrame; over: Over; zone: string }) {
  const now = useNow();
  const { progress, trigger } = frame;
  const ended = over !== 'no';
  const failed = Object.entries(progress.failed);
  const why = cutShort(frame, over);
  return (
    <Stack spacing={3}>
      <Section title={titleOf(frame, over, failed.length)}>
        <Stack spacing={2}>
          <LinearProgress
            variant="determinate"
            color={failed.length > 0 ? 'error' : over === 'told' && why === undefined ? 'success' : 'warning'}
            value={progress.total === 0 ? 100 : (progress.down / progress.total) * 100}
            aria-label="Workloads asleep"
            sx={{ height: 8, borderRadius: 4 }}
          />
          <Facts
            facts={[
              ['Asleep', `${progress.down} of ${progress.total}`],
              ['Initiated by', trigger.actor],
              ['Began', <ZonedTime key="began" at={progress.startedAt} zone={zone} />],
              ...(progress.endedAt === undefined
                ? []
                : [['Took', spanText(progress.endedAt - progress.startedAt)] as const]),
            ]}
          />
          {why === undefined ? null : (
            <Alert severity="warning" data-testid="cut-short">
              {why}
            </Alert>
          )}
        </Stack>
      </Section>
      <Lines
        title="Failed"
        note="The cluster would not let them be scaled down. The list is never cut."
        lines={failed.map(([workload, message]) => `${workload}: svc could not scale it down: ${message}`)}
      />
      <Lines
        title="Left alone"
        note="Their owner raised them during the hibernation; nobody fights over them."
        lines={progress.respected}
      />
      <HibernationTiers progress={progress} now={now} ended={ended} />
    </Stack>
  );
}

function titleOf({ progress }: HibernationFrame, over: Over, failed: number): string {
  if (over === 'no') return 'Hibernating Resources';
  if (over === 'untold') return 'The hibernation is over';
  if (progress.endedBy === 'stopped') return 'Hibernation Stopped';
  return failed === 0 ? 'Hibernation Complete' : `Hibernation Complete - ${counted(failed, 'workload')} failed`;
}

function Lines({ title, note, lines }: { title: string; note: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <Section title={title} note={note}>
      <Stack component="ul" spacing={0.75} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {lines.map((line) => (
          <Typography key={line} component="li" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            <WorkloadSentence text={line} />
          </Typography>
        ))}
      </Stack>
    </Section>
  );
}
