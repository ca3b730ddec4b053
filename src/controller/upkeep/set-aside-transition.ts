import { transitionSetAside } from '../../domain/announcement/workloads.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import type { Clock } from '../../ports/clock.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { satellites } from '../../state/satellites.ts';
import { setAside, setAsideKey } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import { now } from '../loop/requeue.ts';
import { transition } from '../transition/transition.ts';

export interface SetAsideStep extends Announcing {
  readonly clock: Clock;
  readonly desired: DesiredState;
}

/**
 * A transition that cannot be decoded holds no counts, only how far it had come: it must not keep down what is to come up.
 * It is moved aside, whole, for a person to read, and what is recorded is brought up by a wake of its own. While nothing has
 * to come up it is left where it is. False when it stays and nothing that needs it can be done.
 */
export async function setAsideTransition(context: SetAsideStep): Promise<boolean> {
  const { session, desired } = context;
  const decoded = session.read(transition);
  if (decoded.ok) return true;
  if (desired.wanted !== 'handback' && !hasToComeUp(context)) return false;
  const announcement = transitionSetAside(decoded.message, setAsideKey, now(context));
  await announce(context, [announcement], setAside(session.snapshot, transition));
  return true;
}

function hasToComeUp(context: SetAsideStep): boolean {
  const { session } = context;
  return (
    session.getOrEmpty(resourceStates).length > 0 ||
    session.getOrEmpty(satellites).length > 0 ||
    stoppedByUs(context).length > 0 ||
    session.getOrEmpty(phase)?.phase === 'hibernated'
  );
}
