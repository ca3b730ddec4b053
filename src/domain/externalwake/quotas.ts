import type { EpochMs } from '../workload.ts';
import type { WakeSession } from './session.ts';

export interface WakeQuotas {
  readonly maxConcurrentWakes: number;
  readonly maxWakesPerHour: number;
  readonly maxWakeDurationMs: number;
}

export interface QuotaReached {
  readonly outcome: 'refused';
  readonly quota: 'maxConcurrentWakes' | 'maxWakesPerHour';
  readonly message: string;
  readonly retryAfterMs: number;
}

export const hourMs = 3_600_000;

/** When a session that begins now ends: as asked for, but never after the longest that is allowed. */
export function longestUntil({ maxWakeDurationMs }: WakeQuotas, now: EpochMs, askedMs = maxWakeDurationMs): EpochMs {
  return now + Math.min(askedMs, maxWakeDurationMs);
}

/** Why no further session may begin, and when one may; undefined while there is room. */
export function quotaReached(
  quotas: WakeQuotas,
  {
    live,
    sessions,
    startedInHour,
  }: {
    readonly live: readonly WakeSession[];
    readonly sessions: readonly WakeSession[];
    readonly startedInHour: readonly EpochMs[];
  },
  now: EpochMs,
): QuotaReached | undefined {
  if (live.length >= quotas.maxConcurrentWakes) {
    return refused('maxConcurrentWakes', Math.min(...live.map((one) => one.expiresAt)) - now);
  }
  const starts = startsInLastHour(startedInHour, sessions, now);
  if (starts.length < quotas.maxWakesPerHour) return undefined;
  const freeAt = starts[starts.length - quotas.maxWakesPerHour]! + hourMs;
  return refused('maxWakesPerHour', freeAt - now);
}

/** Oldest first. Right after a restart these are only the sessions that are still in the state. */
function startsInLastHour(
  known: readonly EpochMs[],
  sessions: readonly WakeSession[],
  now: EpochMs,
): readonly EpochMs[] {
  const within = (at: EpochMs) => at > now - hourMs;
  const stored = sessions
    .map(({ startedAt }) => startedAt)
    .filter(within)
    .toSorted((a, b) => a - b);
  const remembered = known.filter(within).toSorted((a, b) => a - b);
  return remembered.length >= stored.length ? remembered : stored;
}

function refused(quota: QuotaReached['quota'], retryAfterMs: number): QuotaReached {
  return { outcome: 'refused', quota, message: `config.externalWake.quotas.${quota} is reached.`, retryAfterMs };
}
