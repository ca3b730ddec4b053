import type { EpochMs } from '../../../domain/workload.ts';
import { type Phase, phase } from '../../../state/phase.ts';
import type { Wake } from '../../transition/transition.ts';
import { type AwakePhaseStep, awakePhase } from './awake-phase.ts';
import { type NamedSessionsStep, sessionsWokenBy } from './woken-for.ts';

/** What telling the phase after a wake needs of a pass. */
export interface PhaseAfterStep extends AwakePhaseStep, NamedSessionsStep {}

/** After a wake for other clusters the cluster still counts as hibernated; after a retry its phase is what it was. */
export function phaseAfter(context: PhaseAfterStep, { payload }: Wake, at: EpochMs): Phase | null {
  if (payload.part === undefined) return awakePhase(context, at);
  const known = context.session.getOrEmpty(phase);
  if (payload.retry === true) return known;
  return { since: at, ...known, phase: 'hibernated', wokenFor: sessionsWokenBy(context, payload.part) };
}
