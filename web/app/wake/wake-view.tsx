import { Alert, LinearProgress, Stack, Typography } from '@mui/material';
import { useNow } from '../data/now.ts';
import type { WakeFrame } from '../data/transition.ts';
import { Facts } from '../parts/facts.tsx';
import { Section } from '../parts/section.tsx';
import { counted, spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { CriticalPath } from './critical-path.tsx';
import { cutShort, type Over } from './ending.ts';
import { casualties, countOf } from './ranking.ts';
import { TierSteps } from './tier-steps.tsx';
import { WaitedHosts } from './waited-hosts.tsx';
import { WorkloadLine } from './workload-line.tsx';

export function WakeView({ frame, over, zone }: { frame: WakeFrame; over: Over; zone: string }) {
  const now = useNow();
  const { progress, outcome } = frame;
  const ended = over !== 'no';
  const lost = casualties(progress);
  const failed = countOf(progress, 'failed');
  return (
    <Stack spacing={3}>
      <Section title={ended ? (outcome?.title ?? endedTitle(over, failed)) : 'Waking Up Resources'}>
        <Stack spacing={2}>
          <WaitedHosts hosts={progress.hosts ?? []} zone={zone} />
          <LinearProgress
            variant="determinate"
            color={failed > 0 ? 'error' : over === 'told' ? 'success' : 'warning'}
            value={progress.hosts !== undefined ? 0 : progress.total === 0 ? 100 : (progress.up / progress.total) * 100}
            aria-label="Workloads up"
            sx={{ height: 8, borderRadius: 4 }}
          />
          <WakeFacts frame={frame} ended={ended} zone={zone} now={now} />
          <Ending frame={frame} over={over} />
        </Stack>
      </Section>
      {lost.length === 0 ? null : (
        <Section title="Failed and recovered" note="The list is never cut.">
          <Stack spacing={1} component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }} data-testid="casualties">
            {lost.map((one) => (
              <WorkloadLine key={one.workload} workload={one} now={now} />
            ))}
          </Stack>
        </Section>
      )}
      <TierSteps tiers={progress.tiers} now={now} ended={ended} />
      <CriticalPath frame={frame} now={now} />
      <Typography variant="body2" color="textSecondary" component="p">
        Each sentence is composed once, by the controller, and reads the same in the log, the audit, cards and mails.
      </Typography>
    </Stack>
  );
}

function WakeFacts({ frame, ended, zone, now }: { frame: WakeFrame; ended: boolean; zone: string; now: number }) {
  const { progress, trigger } = frame;
  const { endedAt, startedAt, failOpenAt, hosts } = progress;
  return (
    <Facts
      facts={[
        ...(hosts === undefined ? [['Up', upText(frame)] as const] : []),
        ['Initiated by', trigger.actor],
        ['Began', <ZonedTime key="began" at={startedAt} zone={zone} />],
        ...(endedAt !== undefined ? [['Took', spanText(endedAt - startedAt)] as const] : []),
        ...(ended || hosts !== undefined
          ? []
          : [['Stops waiting at the latest in', spanText(failOpenAt - now)] as const]),
      ]}
    />
  );
}

/** `42 of the 45 that the wake waits for; 9 CronJobs are resumed without waiting, 54 workloads in all`. */
function upText({ progress: { up, total }, cronJobs }: WakeFrame): string {
  const waited = `${up} of the ${total} that the wake waits for`;
  if (cronJobs === undefined) return `${waited}; CronJobs are resumed without waiting`;
  if (cronJobs === 0) return waited;
  const resumed = cronJobs === 1 ? '1 CronJob is' : `${cronJobs} CronJobs are`;
  return `${waited}; ${resumed} resumed without waiting, ${counted(total + cronJobs, 'workload')} in all`;
}

/** What there is to say of an end: that it was cut short, and that answers were missing. */
function Ending({ frame, over }: { frame: WakeFrame; over: Over }) {
  const why = cutShort(frame, over);
  const unanswered = over === 'no' ? 0 : countOf(frame.progress, 'still_starting');
  return (
    <>
      {why === undefined ? null : (
        <Alert severity="warning" data-testid="cut-short">
          {why}
        </Alert>
      )}
      {unanswered === 0 ? null : (
        <Alert severity="info">
          {counted(unanswered, 'workload')} had no answer yet when the wake ended. That is no failure.
        </Alert>
      )}
    </>
  );
}

function endedTitle(over: Over, failed: number): string {
  if (over === 'untold') return 'The wake is over';
  return failed === 0 ? 'Wake Complete' : `Wake Complete - ${counted(failed, 'workload')} failed`;
}
