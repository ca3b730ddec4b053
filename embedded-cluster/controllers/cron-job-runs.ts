import type { CronSchedule } from './cron-schedule.ts';
import { instant } from './machinery/timestamps.ts';
import type { StoredCronJob } from './machinery/typed-store.ts';

export interface DueRun {
  /** The most recent run that is due and was not started; undefined when there is none. */
  readonly at: number | undefined;
  /** Its starting deadline has passed. */
  readonly tooLate: boolean;
  /** How many runs passed unstarted, this one included; counted no further than the limit. */
  readonly missed: number;
  readonly nextAt: number | undefined;
}

export const manyMissed = 100;

/** Which run a CronJob owes now: of all that passed while it was away, the latest alone. */
export function dueRun(cronJob: StoredCronJob, schedule: CronSchedule, now: number): DueRun {
  const { startingDeadlineSeconds } = cronJob.spec;
  const since = instant(cronJob.status?.lastScheduleTime) ?? instant(cronJob.metadata.creationTimestamp) ?? now;
  const earliest =
    startingDeadlineSeconds === undefined ? since : Math.max(since, now - startingDeadlineSeconds * 1000);
  let missed = 0;
  let at: number | undefined;
  let next = schedule.next(earliest);
  while (next !== undefined && next <= now) {
    at = next;
    missed++;
    if (missed > manyMissed) {
      at = latestBefore(schedule, next, now);
      next = schedule.next(now);
      break;
    }
    next = schedule.next(next);
  }
  const deadline = startingDeadlineSeconds === undefined ? Number.POSITIVE_INFINITY : startingDeadlineSeconds * 1000;
  return { at, tooLate: at !== undefined && at + deadline < now, missed, nextAt: next };
}

/** The last run up to now, found by halving: months of a run a minute are not walked. */
function latestBefore(schedule: CronSchedule, from: number, now: number): number {
  let low = from;
  let high = now;
  while (high - low > 60_000) {
    const middle = Math.floor((low + high) / 2);
    const next = schedule.next(middle);
    if (next !== undefined && next <= now) low = next;
    else high = middle;
  }
  for (let next = schedule.next(low); next !== undefined && next <= now; next = schedule.next(low)) low = next;
  return low;
}
