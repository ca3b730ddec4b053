import type { EpochMs } from '../workload.ts';

const msPerDay = 86_400_000;

/** The last time at or before `now` at which the clock in UTC read `HH:MM`. */
export function lastRefreshAt(now: EpochMs, timeOfDay: string): EpochMs {
  const midnight = Math.floor(now / msPerDay) * msPerDay;
  const today = midnight + minutesOf(timeOfDay) * 60_000;
  return today <= now ? today : today - msPerDay;
}

/** The first time after `now` at which the clock in UTC reads `HH:MM`. */
export function nextRefreshAt(now: EpochMs, timeOfDay: string): EpochMs {
  return lastRefreshAt(now, timeOfDay) + msPerDay;
}

const retryMinutes = [5, 15, 60, 180];

/** How long to wait after so many failures in a row; the queries cost money, so not often. */
export function retryDelayMs(failures: number): number {
  return (retryMinutes[Math.min(failures, retryMinutes.length) - 1] ?? 5) * 60_000;
}

function minutesOf(timeOfDay: string): number {
  const match = /^(\d{2}):(\d{2})$/.exec(timeOfDay);
  if (match === null) throw new RangeError(`${JSON.stringify(timeOfDay)} is not a time of day such as 05:50`);
  return Number(match[1]) * 60 + Number(match[2]);
}
