import type { WakeEnding } from '../../domain/wake/ending.ts';
import type { WakeObservations } from '../../domain/wake/observation.ts';
import { progressOf } from '../../domain/wake/progress.ts';
import type { WakeState } from '../../domain/wake/wake-state.ts';
import type { Frame } from '../../ports/records.ts';
import { now, type PassContext } from '../pass/pass-context.ts';
import type { Wake } from '../transition.ts';

/** A running wake for the screen. */
export function wakeFrame(
  context: PassContext,
  { trigger, payload }: Wake,
  wake: WakeState,
  observations: WakeObservations,
): Frame {
  const { hosts } = payload;
  const told = progressOf(wake, observations, now(context), context.compiled.figures);
  const progress = { ...told, ...(hosts === undefined ? {} : { hosts }) };
  return { kind: 'transition', payload: { kind: 'wake', trigger, progress } };
}

/** The last of a wake, with what came of it; one that was cut short has it too. */
export function wakeEndFrame(
  context: PassContext,
  current: Wake,
  observations: WakeObservations,
  { title, result, completeness, criticalPath }: WakeEnding,
): Frame {
  const { trigger, payload } = current;
  const progress = progressOf(payload.wake, observations, now(context), context.compiled.figures);
  const outcome = { title, result, completeness, criticalPath };
  return { kind: 'transition', payload: { kind: 'wake', trigger, progress, outcome } };
}
