// Schedules and edge tables in the words that tests use.
import { type Weekday, weekdays } from '../../../src/domain/schedule/civil-date.ts';
import {
  type CompiledSchedule,
  compileSchedule,
  type ScheduleExceptions,
} from '../../../src/domain/schedule/compile.ts';
import { nextEdges } from '../../../src/domain/schedule/schedule.ts';
import { parseWeek } from '../../../src/domain/schedule/week.ts';

/** Days that are not named have the hours of `rest`, which is `off` unless given. */
export type Days = Partial<Record<Weekday, string>> & { rest?: string };

export const officeWeek: Days = {
  monday: '08:00-20:00',
  tuesday: '08:00-20:00',
  wednesday: '08:00-20:00',
  thursday: '08:00-20:00',
  friday: '08:00-20:00',
};

export function exampleSchedule(timezone: string, days: Days, exceptions: ScheduleExceptions = {}): CompiledSchedule {
  const schedule = Object.fromEntries(weekdays.map((day) => [day, days[day] ?? days.rest ?? 'off']));
  const parsed = parseWeek({ timezone, schedule: schedule as Record<Weekday, string> });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return compileSchedule(parsed.week, exceptions);
}

export function instant(iso: string): number {
  return Temporal.Instant.from(iso).epochMilliseconds;
}

/** `opens 2026-11-16T08:00+01:00`, one for each of the next edges, as the zone's clock shows them. */
export function edgesText(schedule: CompiledSchedule, from: string, count: number): string[] {
  return nextEdges(schedule, instant(from), count).map(({ at, opens }) => {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(schedule.timezone);
    const text = local.toString({ timeZoneName: 'never', smallestUnit: 'minute' });
    return `${opens ? 'opens' : 'closes'} ${text}`;
  });
}
