import type { EpochMs } from '../workload.ts';
import { type Weekday, weekdays } from './civil-date.ts';
import { type DaySchedule, parseDay } from './parse-day.ts';
import { timezoneProblem } from './zone.ts';

/** `config.workingHours` after parsing. */
export interface WeekSchedule {
  readonly timezone: string;
  readonly days: Readonly<Record<Weekday, DaySchedule>>;
}

/** `config.workingHours` as written. */
export interface WeekScheduleText {
  readonly timezone: string;
  readonly schedule: Readonly<Record<Weekday, string>>;
}

/** Somebody's other hours for one date of the schedule's zone. */
export interface ScheduleOverride {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** What `parseDay` reads. */
  readonly hours: string;
  readonly reason?: string;
  readonly by: string;
  readonly at: EpochMs;
}

/** A date that is off because it is a holiday and the configuration says to act on holidays. */
export interface HolidayOff {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly label: string;
}

interface FieldProblem {
  /** Relative to `config.workingHours`: `timezone` or `schedule.monday`. */
  readonly field: string;
  readonly message: string;
}

export type ParsedWeek =
  | { readonly ok: true; readonly week: WeekSchedule }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads the whole week and names everything that is wrong with it, not only the first thing. */
export function parseWeek(text: WeekScheduleText): ParsedWeek {
  const problems: FieldProblem[] = [];
  const zoneProblem = timezoneProblem(text.timezone);
  if (zoneProblem !== undefined) problems.push({ field: 'timezone', message: zoneProblem });
  const days: Partial<Record<Weekday, DaySchedule>> = {};
  for (const weekday of weekdays) {
    const parsed = parseDay(text.schedule[weekday]);
    if (parsed.ok) days[weekday] = parsed.day;
    else problems.push({ field: `schedule.${weekday}`, message: parsed.message });
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, week: { timezone: text.timezone, days: days as Record<Weekday, DaySchedule> } };
}
