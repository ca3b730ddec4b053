import { hibernationStopped, type Trigger } from '../../domain/announcement/hibernation.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FrameSink } from '../../ports/sinks.ts';
import { phase } from '../../state/phase.ts';
import { set, setIfReadable } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { now } from '../loop/requeue.ts';
import { hibernationEndFrame } from './hibernation-frame.ts';
import { isHibernation, transition } from './transition.ts';

/** What ending a running hibernation early needs of a pass. */
export interface StopHibernationStep extends Announcing {
  readonly clock: Clock;
  readonly frames: FrameSink;
  /** Who or what stops it. */
  readonly trigger: Trigger;
}

/** A hibernation that runs when a stop or a wake comes ends where it is; what it took down is then a matter for the wake. */
export async function stopHibernation(context: StopHibernationStep): Promise<void> {
  const running = context.session.get(transition);
  if (!isHibernation(running)) return;
  const at = now(context);
  const asleep = context.session.getOrEmpty(phase);
  await announce(
    context,
    [hibernationStopped(running, context.trigger, at)],
    [
      set(transition, null),
      setIfReadable(phase, {
        ...asleep,
        phase: 'hibernated',
        since: asleep?.phase === 'hibernated' ? asleep.since : at,
        ...(running.payload.only === undefined ? { stoppedHalfway: true } : {}),
      }),
    ],
  );
  context.frames.send(hibernationEndFrame(running, [], { endedAt: at, endedBy: 'stopped' }));
  context.logger.info('Hibernation stopped', { ...context.trigger });
}
