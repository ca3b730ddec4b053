import type { Trigger } from '../../domain/announcement/hibernation.ts';
import { withoutTonight } from '../../domain/record/record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import type { Lowerings } from '../act/lowerings.ts';
import { now } from '../loop/requeue.ts';
import { type Beginning, begin } from '../transition/begin-transition.ts';
import { type Hibernation, transitionId } from '../transition/transition.ts';

/** What beginning a hibernation needs of a pass. */
export interface StartHibernationStep extends Beginning {
  readonly clock: Clock;
  readonly random: Random;
  readonly trigger: Trigger;
  readonly lowerings: Lowerings;
}

/** What the night before has brought, where no wake came between, is over. */
function newNight(session: StateSession): readonly StateEdit[] {
  const records = session.get(resourceStates);
  return records.some(({ tonight }) => tonight !== undefined) ? [set(resourceStates, records.map(withoutTonight))] : [];
}

/** Begins a hibernation: of everything that should sleep, or only of what is named. */
export async function startHibernation(context: StartHibernationStep, only?: readonly string[]): Promise<Hibernation> {
  const at = now(context);
  const started: Hibernation = {
    kind: 'hibernation',
    id: transitionId('hibernation', at, context.random),
    startedAt: at,
    trigger: context.trigger,
    payload: {
      kind: 'hibernation',
      tierStartedAt: at,
      tiersDone: [],
      tiersTimedOut: [],
      respected: [],
      failed: {},
      ...(only === undefined ? {} : { only }),
    },
  };
  await begin(context, started, [], only === undefined ? newNight(context.session) : []);
  // Also of a cluster that was restored from a backup, where everything is up that was lowered before.
  if (only === undefined) context.lowerings.over();
  context.logger.info('Hibernation started', { ...context.trigger, ...(only === undefined ? {} : { only }) });
  return started;
}
