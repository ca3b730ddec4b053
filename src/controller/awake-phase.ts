import type { EpochMs } from '../domain/workload.ts';
import { type Phase, phase } from '../state/phase.ts';
import { resourceStates } from '../state/resource-states.ts';
import { lookAround, type PassContext } from './pass-context.ts';

/** The cluster is up, wholly or only as far as another cluster may have it. */
export function awakePhase(context: PassContext, since: EpochMs): Phase {
  const { inPart: _, ...known } = context.session.get(phase) ?? { inPart: undefined };
  return { ...known, phase: 'awake', since, ...(leavesAsleep(context) ? { inPart: true } : {}) };
}

/** Up for another cluster only, and so not wholly: what that one may not wake sleeps on. */
export function leavesAsleep(context: PassContext): boolean {
  const { session, desired } = context;
  if (desired.wanted !== 'awake' || !desired.external) return false;
  const { want } = lookAround(context);
  return session.get(resourceStates).some((record) => want(record) === 'down');
}
