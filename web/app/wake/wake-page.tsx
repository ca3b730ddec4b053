import { Alert, Stack } from '@mui/material';
import { type Status, useStatus, useTransition } from '../data/queries.ts';
import type { ShownTransition, TransitionFrame } from '../data/transition.ts';
import { AsOf } from '../overview/as-of.tsx';
import { RunningTransition } from '../overview/running-transition.tsx';
import { Answer } from '../parts/answer.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { clockTime } from '../parts/time-text.ts';
import { cutShort, overOf, type RunningNow } from './ending.ts';
import { HibernationView } from './hibernation-view.tsx';
import { PastWakes } from './past-wakes.tsx';
import { WakeView } from './wake-view.tsx';

export function WakePage() {
  const status = useStatus();
  const transition = useTransition();
  const { heardAt: dataUpdatedAt, freshness } = transition;
  const older = status.freshness === 'fresh' ? { dataUpdatedAt, freshness } : status;
  return (
    <Page
      title="Transition"
      lead="A wake or hibernation while it runs, and those before it. Leave and come back: nothing is lost."
    >
      <Answer of={status}>
        {(value) => (
          <Answer of={transition}>
            {(shown) => (
              <>
                {older.freshness === 'fresh' ? null : <AsOf read={older} zone={value.timezone} />}
                <Transition
                  status={value}
                  shown={shown}
                  at={{
                    runningId: value.transition?.id ?? null,
                    statusAt: status.dataUpdatedAt,
                    frameAt: transition.dataUpdatedAt,
                  }}
                />
              </>
            )}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

interface Props {
  readonly status: Status;
  readonly shown: ShownTransition | null;
  readonly at: RunningNow;
}

function Transition({ status, shown, at }: Props) {
  const running = status.transition;
  // A frame of a transition that another has taken over from is only told of.
  const taken = running !== null && shown !== null && shown.frame.progress.id !== running.id;
  const current = taken ? undefined : shown?.frame;
  const before = taken ? shown.frame : shown?.before;
  return (
    <Stack spacing={3}>
      {before === undefined ? null : <Before frame={before} at={at} zone={status.timezone} />}
      {current === undefined ? (
        <Unseen status={status} />
      ) : current.kind === 'wake' ? (
        <WakeView frame={current} over={overOf(current, at)} zone={status.timezone} />
      ) : (
        <HibernationView frame={current} over={overOf(current, at)} zone={status.timezone} />
      )}
      <PastWakes zone={status.timezone} />
    </Stack>
  );
}

function Unseen({ status }: { status: Status }) {
  if (status.transition !== null) return <RunningTransition status={status} />;
  return (
    <Section>
      <Empty title="Nothing is moving">The next wake or hibernation is shown here, tier by tier, while it runs.</Empty>
    </Section>
  );
}

/** The transition before this one, when it did not run its course: whoever watched it learns what became of it. */
function Before({ frame, at, zone }: { frame: TransitionFrame; at: RunningNow; zone: string }) {
  const over = frame.progress.endedAt === undefined ? 'untold' : overOf(frame, at);
  const why = cutShort(frame, over);
  if (why === undefined) return null;
  const what = frame.kind === 'wake' ? 'The wake' : 'The hibernation';
  return (
    <Alert severity="warning" data-testid="before">
      {what} that began at {clockTime(frame.progress.startedAt, zone)} ({zone}) did not run its course. {why}
    </Alert>
  );
}
