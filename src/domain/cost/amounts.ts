import type { EpochMs } from '../workload.ts';

/** What one hour cost. */
export interface HourCost {
  /** The start of the hour, UTC. */
  readonly at: EpochMs;
  readonly amount: number;
}

/** What one day (UTC, as the bill has it) cost. */
export interface DayCost {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly amount: number;
  /** The cloud may still change it. */
  readonly provisional: boolean;
}

/** Half-open. */
export interface Night {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export function dateOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function dayStart(date: string): EpochMs {
  return Date.parse(`${date}T00:00:00Z`);
}

export function sum(amounts: Iterable<number>): number {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
}

/** Milliseconds of the span in which the cluster slept; nights that overlap count once. */
export function asleepMs(nights: readonly Night[], from: EpochMs, to: EpochMs): number {
  let asleep = 0;
  let counted = from;
  for (const night of nights.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(night.from, counted);
    const end = Math.min(night.to, to);
    if (end <= start) continue;
    asleep += end - start;
    counted = end;
  }
  return asleep;
}

/** Money as it is shown and stored: cents, and more places below ten so that a small cluster is not rounded to nothing. */
export function money(amount: number): number {
  return Number(amount.toFixed(Math.abs(amount) >= 10 ? 2 : 4));
}
