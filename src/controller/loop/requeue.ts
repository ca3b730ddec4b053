import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';

/** When a step wants the next pass at the latest. Undefined leaves it to the schedule and the reconcile interval. */
export type RequeueAt = EpochMs | undefined;

export function now({ clock }: { readonly clock: Clock }): EpochMs {
  return clock.now();
}

export function earliest(...times: readonly RequeueAt[]): RequeueAt {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The pause before work that is left over is retried: short, but long enough not to hammer a busy cluster. */
export const soonMs = 1_000;
