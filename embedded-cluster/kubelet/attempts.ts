import type { EpochMs } from '../ports/clock.ts';

/** How one attempt of a container ends. */
export interface AttemptEnd {
  readonly at: EpochMs;
  readonly exitCode: number;
  /** When the kubelet decided to kill it; absent when it ended by itself. */
  readonly killedAt?: EpochMs;
}

export interface FinishedAttempt extends AttemptEnd {
  readonly startedAt: EpochMs;
  readonly attempt: number;
}

export interface AttemptPlan {
  readonly firstStartAt: EpochMs;
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  /** How the attempt that starts at that instant ends; undefined when it runs on. */
  endOf(attempt: number, startedAt: EpochMs): AttemptEnd | undefined;
  /** From this attempt on, each ends like the one before. */
  readonly steadyFrom: number;
}

export type AttemptsAt =
  | { readonly kind: 'running'; readonly startedAt: EpochMs; readonly attempt: number; readonly last?: FinishedAttempt }
  | { readonly kind: 'backoff'; readonly restartAt: EpochMs; readonly seconds: number; readonly last: FinishedAttempt }
  | { readonly kind: 'over'; readonly last: FinishedAttempt };

const firstBackoff = 10_000;
const longestBackoff = 300_000;
const forgottenAfter = 2 * longestBackoff;

/**
 * Where a container that is restarted stands at an instant, with the kubelet's back-off: the first restart at once,
 * then after 10 s, 20 s, … up to 5 minutes; an attempt that lived over 10 minutes clears it.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk along the attempts; its parts are named below.
export function attemptsAt(plan: AttemptPlan, now: EpochMs): AttemptsAt {
  let startedAt = plan.firstStartAt;
  let backoff = 0;
  let last: FinishedAttempt | undefined;
  for (let attempt = 0; ; attempt++) {
    const end = plan.endOf(attempt, startedAt);
    if (end === undefined || end.at > now) {
      return { kind: 'running', startedAt, attempt, ...(last === undefined ? {} : { last }) };
    }
    last = { ...end, startedAt, attempt };
    if (isOver(plan.restartPolicy, end.exitCode)) return { kind: 'over', last };
    const cleared = end.at - startedAt > forgottenAfter;
    const wait = cleared ? 0 : backoff;
    const restartAt = end.at + wait;
    if (restartAt > now) return { kind: 'backoff', restartAt, seconds: wait / 1000, last };
    backoff = wait === 0 ? firstBackoff : Math.min(2 * wait, longestBackoff);
    if (attempt >= plan.steadyFrom && (cleared || wait === longestBackoff)) {
      const skipped = wholeCycles(restartAt - startedAt, now - restartAt);
      attempt += skipped.cycles;
      startedAt = restartAt + skipped.ms;
      last = shifted(last, skipped.cycles, skipped.ms);
    } else startedAt = restartAt;
  }
}

function isOver(policy: AttemptPlan['restartPolicy'], exitCode: number): boolean {
  return policy === 'Never' || (policy === 'OnFailure' && exitCode === 0);
}

/** A loop of equal cycles is not walked one by one: weeks of it cost what one cycle costs. */
function wholeCycles(period: number, left: number): { readonly cycles: number; readonly ms: number } {
  const cycles = period > 0 ? Math.max(0, Math.floor(left / period)) : 0;
  return { cycles, ms: cycles * period };
}

function shifted(last: FinishedAttempt, attempts: number, ms: number): FinishedAttempt {
  return {
    at: last.at + ms,
    startedAt: last.startedAt + ms,
    attempt: last.attempt + attempts,
    exitCode: last.exitCode,
    ...(last.killedAt === undefined ? {} : { killedAt: last.killedAt + ms }),
  };
}
