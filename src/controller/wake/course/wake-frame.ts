import type { WakeEnding } from '../../../domain/wake/ending.ts';
import { progressOf } from '../../../domain/wake/progress.ts';
import type { WakeObservations } from '../../../domain/wake/verdict/observation.ts';
import type { WakeState } from '../../../domain/wake/verdict/wake-state.ts';
import type { EpochMs } from '../../../domain/workload.ts';
import type { Frame } from '../../../ports/sinks.ts';
import { now } from '../../loop/requeue.ts';
import type { Wake } from '../../transition/transition.ts';
import { cronJobsIn, type MembersStep, recordsOf } from './wake-members.ts';

/** A wake as it was judged, with what it was judged by and when. */
interface Judged {
  readonly wake: WakeState;
  readonly observations: WakeObservations;
  readonly at: EpochMs;
}

/** A running wake for the screen. */
export function wakeFrame(context: MembersStep, { trigger, payload }: Wake, { wake, observations, at }: Judged): Frame {
  const { hosts } = payload;
  const reached = progressOf(wake, observations, at, context.compiled.figures);
  const progress = { ...reached, ...(hosts === undefined ? {} : { hosts }) };
  const cronJobs = cronJobsIn(recordsOf(context, payload));
  return { kind: 'transition', payload: { kind: 'wake', trigger, progress, cronJobs } };
}

/** The last of a wake, with what came of it; one that was cut short has it too. */
export function wakeEndFrame(
  context: MembersStep,
  current: Wake,
  observations: WakeObservations,
  { title, result, completeness, criticalPath, cronJobs }: WakeEnding & { readonly cronJobs: number },
): Frame {
  const { trigger, payload } = current;
  const progress = progressOf(payload.wake, observations, now(context), context.compiled.figures);
  const outcome = { title, result, completeness, criticalPath };
  return { kind: 'transition', payload: { kind: 'wake', trigger, progress, cronJobs, outcome } };
}
