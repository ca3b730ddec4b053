import type { DesiredState } from '../../../domain/desired/desired-state.ts';
import type { EpochMs } from '../../../domain/workload.ts';
import { type Phase, phase } from '../../../state/phase.ts';
import { resourceStates } from '../../../state/resource-states.ts';
import type { StateSession } from '../../../state/session/state-session.ts';
import type { ScopedSnapshot } from '../../snapshot/snapshot.ts';

/** What telling how far the cluster is up needs of a pass. */
export interface AwakePhaseStep {
  readonly session: StateSession;
  readonly desired: DesiredState;
  readonly snapshot: ScopedSnapshot;
}

/** The cluster is up, wholly or only as far as another cluster may have it. */
export function awakePhase(context: AwakePhaseStep, since: EpochMs): Phase {
  const wakeAnsweredAt = context.session.getOrEmpty(phase)?.wakeAnsweredAt;
  return {
    phase: 'awake',
    since,
    ...(wakeAnsweredAt === undefined ? {} : { wakeAnsweredAt }),
    ...(leavesAsleep(context) ? { inPart: true } : {}),
  };
}

/** The cluster was only partly up, for another cluster, and now all of it is wanted: the part that slept on still needs a wake. */
export function hasWakeAhead(context: AwakePhaseStep): boolean {
  return context.session.getOrEmpty(phase)?.inPart === true && !leavesAsleep(context);
}

/** The cluster is up only for another cluster, and some workloads that the other one may not wake sleep on. */
function leavesAsleep(context: AwakePhaseStep): boolean {
  const { session, desired, snapshot } = context;
  if (desired.wanted !== 'awake' || !desired.external) return false;
  return session.get(resourceStates).some((record) => snapshot.want(record) === 'down');
}

/** Nothing of it sleeps but what a wake left down; a cluster that never hibernated is awake too. */
export function isAwake(context: AwakePhaseStep): boolean {
  return context.session.getOrEmpty(phase)?.phase !== 'hibernated' && !hasWakeAhead(context);
}
