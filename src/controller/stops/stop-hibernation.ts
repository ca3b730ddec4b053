import { hibernationStopped } from '../../domain/announcement/hibernation.ts';
import { phase } from '../../state/phase.ts';
import { set, setIfReadable } from '../../state/snapshot.ts';
import { announce } from '../announcements/announce.ts';
import { hibernationEndFrame } from '../hibernate/hibernation-frame.ts';
import { now } from '../pass/requeue.ts';
import { isHibernation, transition } from '../transition.ts';
import type { WakeStep } from '../wake/wake-step.ts';

/** A hibernation that runs when a stop or a wake comes ends where it is; what it took down is then a matter for the wake. */
export async function stopHibernation(context: WakeStep): Promise<void> {
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
