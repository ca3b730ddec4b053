// One pass over one workload: does its record change, and until when can it stay as it is.

import type { EpochMs } from '../../workload.ts';
import { waitingAgain, waitingFor } from './deadline.ts';
import type { FailureReason } from './failure-sentence.ts';
import type { WakeFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';
import { liftAfterBreak, liftOf } from './recovery.ts';
import { isUnreadable, podsOf, type Standing } from './standing.ts';
import type { Lift, TierState, WriteOff } from './wake-state.ts';

export type Judgement =
  | { readonly kind: 'unchanged'; readonly until: EpochMs | undefined }
  | { readonly kind: 'written_off' | 'lifted' | 'broke_again' | 'came_back'; readonly writeOff: WriteOff };

export interface Judged {
  readonly observation: WorkloadObservation;
  readonly standing: Standing;
  readonly tier: TierState & { readonly startedAt: EpochMs };
  readonly writeOff: WriteOff | undefined;
}

export function judge(one: Judged, now: EpochMs, figures: WakeFigures): Judgement {
  const { observation, standing, writeOff } = one;
  if (observation.reading.kind === 'left') return { kind: 'unchanged', until: undefined };
  if (writeOff === undefined) return judgeFirst(one, now, figures);
  if (writeOff.lift !== undefined) return judgeLifted(one, { writeOff, lift: writeOff.lift }, now, figures);
  if (!standing.ready) return { kind: 'unchanged', until: standing.steadyAt };
  const lift = liftOf(writeOff, standing, podsOf(observation), { now, from: one.tier.startedAt });
  return { kind: 'lifted', writeOff: { ...writeOff, lift } };
}

function judgeFirst(one: Judged, now: EpochMs, figures: WakeFigures): Judgement {
  if (one.standing.up) return { kind: 'unchanged', until: undefined };
  const waiting = waitingFor(one.observation, one.standing, one.tier, { now, figures });
  if ('until' in waiting) return { kind: 'unchanged', until: waiting.until };
  const killMs = waiting.reason.code === 'declared_budget' ? one.standing.budget.killWaitMs : 0;
  return { kind: 'written_off', writeOff: { ...waiting.reason, at: now, ...(killMs > 0 && { killMs }) } };
}

function judgeLifted(
  one: Judged,
  { writeOff, lift }: { readonly writeOff: WriteOff; readonly lift: Lift },
  now: EpochMs,
  figures: WakeFigures,
): Judgement {
  const pods = podsOf(one.observation);
  if (one.standing.ready) {
    if (lift.broken !== true) return { kind: 'unchanged', until: undefined };
    return { kind: 'came_back', writeOff: { ...writeOff, lift: liftAfterBreak(pods, now) } };
  }
  // Nobody can say that it broke: the lift stands as it was last seen.
  if (isUnreadable(one.observation)) return { kind: 'unchanged', until: undefined };
  if (one.standing.steadyAt !== undefined && lift.broken === true) {
    return { kind: 'unchanged', until: one.standing.steadyAt };
  }
  const waiting = waitingAgain(one.standing, pods, lift, { now, figures });
  if ('reason' in waiting) return { kind: 'written_off', writeOff: secondWriteOff(waiting.reason, now) };
  if (lift.broken === true) return { kind: 'unchanged', until: waiting.until };
  return { kind: 'broke_again', writeOff: { ...writeOff, lift: { ...lift, broken: true } } };
}

/** It takes the slot of the first one: the interim recovery leaves no trace, and there is no band. */
function secondWriteOff(reason: FailureReason, now: EpochMs): WriteOff {
  return { ...reason, at: now, again: true };
}
