import type { EpochMs } from '../../domain/workload.ts';
import { type Phase, phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { WakeStep } from './wake-step.ts';

/** The cluster is up, wholly or only as far as another cluster may have it. */
export function awakePhase(context: WakeStep, since: EpochMs): Phase {
  const wakeAnsweredAt = context.session.getOrEmpty(phase)?.wakeAnsweredAt;
  return {
    phase: 'awake',
    since,
    ...(wakeAnsweredAt === undefined ? {} : { wakeAnsweredAt }),
    ...(leavesAsleep(context) ? { inPart: true } : {}),
  };
}

/** What was left asleep while the rest was up for another cluster is wanted too by now: it has its own wake before it. */
export function hasWakeAhead(context: WakeStep): boolean {
  return context.session.getOrEmpty(phase)?.inPart === true && !leavesAsleep(context);
}

/** Up for another cluster only, and so not wholly: what that one may not wake sleeps on. */
function leavesAsleep(context: WakeStep): boolean {
  const { session, desired, snapshot } = context;
  if (desired.wanted !== 'awake' || !desired.external) return false;
  return session.get(resourceStates).some((record) => snapshot.want(record) === 'down');
}
