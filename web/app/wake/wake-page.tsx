import { Alert, LinearProgress, Stack, Typography } from '@mui/material';
import { useNow } from '../data/now.ts';
import { type Status, useStatus, useTransition } from '../data/queries.ts';
import type { TransitionFrame } from '../data/transition.ts';
import { RunningTransition } from '../overview/running-transition.tsx';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { counted, spanText } from '../parts/time-text.ts';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { CriticalPath } from './critical-path.tsx';
import { casualties, countOf } from './ranking.ts';
import { TierSteps } from './tier-steps.tsx';
import { WorkloadLine } from './workload-line.tsx';

export function WakePage() {
  const status = useStatus();
  const transition = useTransition();
  return (
    <Page title="Transition" lead="A wake or hibernation while it runs. Leave and come back: nothing is lost.">
      <Answer of={status}>
        {(value) => <Answer of={transition}>{(frame) => <Transition status={value} frame={frame} />}</Answer>}
      </Answer>
    </Page>
  );
}

function Transition({ status, frame }: { status: Status; frame: TransitionFrame | null }) {
  const running = status.transition;
  const current = running === null ? frame : frame?.progress.id === running.id ? frame : null;
  if (current !== null) return <WakeView frame={current} zone={status.timezone} />;
  if (running !== null) return <RunningTransition status={status} />;
  return (
    <Section>
      <Empty title="Nothing is moving">The next wake or hibernation is shown here, tier by tier, while it runs.</Empty>
    </Section>
  );
}

export function WakeView({ frame, zone }: { frame: TransitionFrame; zone: string }) {
  const now = useNow();
  const { progress, trigger } = frame;
  const ended = progress.endedAt !== undefined;
  const lost = casualties(progress);
  const failed = countOf(progress, 'failed');
  return (
    <Stack spacing={3}>
      <Section title={ended ? endedTitle(failed) : 'Waking Up Resources'}>
        <Stack spacing={2}>
          <LinearProgress
            variant="determinate"
            color={failed > 0 ? 'error' : ended ? 'success' : 'warning'}
            value={progress.total === 0 ? 100 : (progress.up / progress.total) * 100}
            aria-label="Workloads up"
            sx={{ height: 8, borderRadius: 4 }}
          />
          <Facts
            facts={[
              ['Up', `${progress.up} of ${progress.total}`],
              ['Initiated by', trigger.actor],
              ['Began', <ZonedTime key="began" at={progress.startedAt} zone={zone} />],
              ended
                ? ['Took', spanText(progress.endedAt - progress.startedAt)]
                : ['Stops waiting at the latest in', `${spanText(progress.failOpenAt - now)}`],
            ]}
          />
          {ended && countOf(progress, 'still_starting') > 0 ? (
            <Alert severity="info">
              {counted(countOf(progress, 'still_starting'), 'workload')} had no answer yet when the wake ended. That is
              no failure.
            </Alert>
          ) : null}
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
      <CriticalPath progress={progress} now={now} />
      <Typography variant="body2" color="textSecondary" component="p">
        Each sentence is composed once, by the controller, and reads the same in the log, the audit, cards and mails.
      </Typography>
    </Stack>
  );
}

function endedTitle(failed: number): string {
  return failed === 0 ? 'Wake Complete' : `Wake Complete - ${counted(failed, 'workload')} failed`;
}
