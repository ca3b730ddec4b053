import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';

/** A step's wish: when to run again if nothing happens before. Undefined leaves it to the schedule. */
export type RequeueAt = EpochMs | undefined;

export function now({ clock }: { readonly clock: Clock }): EpochMs {
  return clock.now();
}

export function earliest(...times: readonly RequeueAt[]): RequeueAt {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** After something that has to be seen to again: soon, and not at once, so that a busy cluster is not hammered. */
export const soonMs = 1_000;
