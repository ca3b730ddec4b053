import { Button, LinearProgress, Stack, Typography } from '@mui/material';
import { type Status, useTransition } from '../data/queries.ts';
import type { TransitionFrame } from '../data/transition.ts';
import { Section } from '../parts/section.tsx';
import { ZonedTime } from '../parts/zoned-time.tsx';
import { useUser } from '../session/session-context.tsx';
import { WaitedHosts } from '../wake/waited-hosts.tsx';

/** The card of a running wake or hibernation; who leaves and comes back finds it where it is by then. */
export function RunningTransition({ status }: { status: Status }) {
  const user = useUser();
  const { data: shown } = useTransition();
  const { transition, workloads, timezone } = status;
  if (transition === null) return null;
  const wake = transition.kind === 'wake';
  const frame = shown?.frame.progress.id === transition.id ? shown.frame : undefined;
  const told = frame?.kind === 'hibernation' ? frame.progress.down : frame?.progress.up;
  const done = told ?? (wake ? workloads.up : workloads.hibernated);
  const total = frame?.progress.total ?? workloads.managed;
  return (
    <Section title={wake ? 'Waking Up Resources' : 'Hibernating Resources'}>
      <Stack spacing={1.5}>
        <Typography>
          Initiated by: {transition.actor}, since <ZonedTime at={transition.startedAt} zone={timezone} form="clock" />
        </Typography>
        <WaitedHosts hosts={transition.hosts ?? []} zone={timezone} />
        <LinearProgress
          variant="determinate"
          color="warning"
          value={total === 0 ? 0 : Math.min(100, (done / total) * 100)}
          aria-label="Progress"
          sx={{ height: 8, borderRadius: 4 }}
        />
        {transition.hosts === undefined ? (
          <Typography>
            {done} of {total}{' '}
            {wake ? `up, of those that the wake waits for; ${resumedText(frame)} resumed without waiting` : 'asleep'}
          </Typography>
        ) : null}
        {user?.admin ? (
          <Button href="#/wake" variant="outlined" sx={{ alignSelf: 'flex-start' }}>
            Watch it
          </Button>
        ) : null}
      </Stack>
    </Section>
  );
}

function resumedText(frame: TransitionFrame | undefined): string {
  const cronJobs = frame?.kind === 'wake' ? frame.cronJobs : undefined;
  if (cronJobs === undefined) return 'CronJobs are';
  return cronJobs === 1 ? '1 CronJob is' : `${cronJobs} CronJobs are`;
}
