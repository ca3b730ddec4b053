import type { EpochMs } from '../workload.ts';
import { formatDate, weekdayOf } from './civil-date.ts';
import type { CompiledSchedule, DateHours } from './compile.ts';
import { formatDay, formatMinute } from './parse-day.ts';

/** `20:00` today, `Tuesday 08:00` within a week, `2026-12-24 08:00` beyond; always as the zone's clock shows it. */
export function clockText(schedule: CompiledSchedule, at: EpochMs, now: EpochMs): string {
  const wall = schedule.zone.wallTime(at);
  const days = Math.abs(wall.day - schedule.zone.wallTime(now).day);
  const time = formatMinute(Math.floor(wall.msOfDay / 60_000));
  if (days === 0) return time;
  return days < 7 ? `${weekdayName(wall.day)} ${time}` : `${formatDate(wall.day)} ${time}`;
}

/** `Awake until 20:00 (Europe/Berlin)`, or `Awake (Europe/Berlin)` when no end is known. */
export function stateText(schedule: CompiledSchedule, state: string, now: EpochMs, until: EpochMs | undefined): string {
  const end = until === undefined ? '' : ` until ${clockText(schedule, until, now)}`;
  return `${state}${end} (${schedule.timezone})`;
}

/** Why the cluster is awake in hours of this date. */
export function awakeCause(date: DateHours): string {
  if (date.source === 'override') return overrideText(date);
  return `working hours of ${weekdayName(date.day)} ${formatDay(date.hours)}`;
}

/** Why the cluster sleeps on this date. */
export function asleepCause(date: DateHours): string {
  if (date.source === 'override') return overrideText(date);
  if (date.source === 'holiday') return `holiday ${date.holiday.label}`;
  const weekday = weekdayName(date.day);
  return date.hours.ranges.length === 0
    ? `${weekday} is off`
    : `outside working hours of ${weekday} ${formatDay(date.hours)}`;
}

function overrideText(date: DateHours & { source: 'override' }): string {
  const { reason, by } = date.override;
  const because = reason === undefined || reason === '' ? '' : ` (${reason})`;
  return `schedule override of ${formatDate(date.day)} ${formatDay(date.hours)} by ${by}${because}`;
}

/** As it stands in a sentence; the configuration has the weekdays in small letters. */
function weekdayName(day: number): string {
  const weekday = weekdayOf(day);
  return weekday.slice(0, 1).toUpperCase() + weekday.slice(1);
}
