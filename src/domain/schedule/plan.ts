import type { EpochMs } from '../workload.ts';
import { formatDate, type Weekday, weekdayOf } from './civil-date.ts';
import type { CompiledSchedule, DateHours } from './compile.ts';
import { formatDay } from './parse-day.ts';
import type { ClockChange } from './zone.ts';

type PlanSource = 'schedule' | 'override' | 'holiday';

/** A stretch of the calendar in which neither the state nor what decides it changes. */
interface PlanBand {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly awake: boolean;
  readonly source: PlanSource;
  readonly label: string;
}

interface PlanDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly weekday: Weekday;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** As `formatDay` writes it. */
  readonly hours: string;
  readonly source: PlanSource;
  readonly label: string;
  /** Present on a day on which the clocks change. */
  readonly clockChange?: { readonly at: EpochMs; readonly shiftMinutes: number; readonly text: string };
}

export interface Plan {
  readonly timezone: string;
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly days: readonly PlanDay[];
  readonly bands: readonly PlanBand[];
}

/** The calendar from an instant to the end of the day that is `days` dates later, its own date being the first. */
export function planOf(schedule: CompiledSchedule, from: EpochMs, days = 14): Plan {
  const first = schedule.zone.wallTime(from).day;
  const planDays: PlanDay[] = [];
  const bands: PlanBand[] = [];
  let cursor = from;
  for (let day = first; day < first + days; day += 1) {
    // A date that the zone skipped has no time in it and does not appear.
    const end = schedule.zone.firstReading(day + 1, 0);
    if (end <= cursor) continue;
    const date = schedule.hoursOn(day);
    planDays.push(planDay(schedule, date, end));
    for (const band of bandsBetween(schedule, date, cursor, end)) append(bands, band);
    cursor = end;
  }
  return { timezone: schedule.timezone, from, to: cursor, days: planDays, bands };
}

function planDay(schedule: CompiledSchedule, date: DateHours, to: EpochMs): PlanDay {
  const from = schedule.zone.firstReading(date.day, 0);
  const [change] = schedule.zone.clockChanges(from, to);
  return {
    date: formatDate(date.day),
    weekday: weekdayOf(date.day),
    from,
    to,
    hours: formatDay(date.hours),
    source: date.source,
    label: labelOf(date, date.hours.ranges.length > 0),
    ...(change === undefined ? {} : { clockChange: clockChangeMark(change) }),
  };
}

/** Cuts one date at its edges. Time that a neighbouring date keeps awake is awake here too. */
function bandsBetween(schedule: CompiledSchedule, date: DateHours, from: EpochMs, to: EpochMs): readonly PlanBand[] {
  const bands: PlanBand[] = [];
  let cursor = from;
  while (cursor < to) {
    const stretch = schedule.stretchAt(cursor);
    const end = Math.min(stretch.to ?? to, to);
    bands.push({
      from: cursor,
      to: end,
      awake: stretch.awake,
      source: date.source,
      label: labelOf(date, stretch.awake),
    });
    cursor = end;
  }
  return bands;
}

function append(bands: PlanBand[], band: PlanBand): void {
  const last = bands.at(-1);
  if (last !== undefined && last.awake === band.awake && last.source === band.source && last.label === band.label) {
    bands[bands.length - 1] = { ...last, to: band.to };
  } else bands.push(band);
}

function labelOf(date: DateHours, awake: boolean): string {
  if (date.source === 'holiday') return date.holiday.label;
  if (date.source === 'override') return date.override.reason || `Schedule override by ${date.override.by}`;
  return awake ? 'Working hours' : 'Outside working hours';
}

function clockChangeMark(change: ClockChange): { at: EpochMs; shiftMinutes: number; text: string } {
  const shiftMinutes = (change.offsetAfterMs - change.offsetBeforeMs) / 60_000;
  const direction = shiftMinutes > 0 ? 'forward' : 'back';
  return { at: change.at, shiftMinutes, text: `Clocks go ${direction} ${lengthText(Math.abs(shiftMinutes))}` };
}

function lengthText(minutes: number): string {
  if (minutes % 60 !== 0) return `${minutes} minutes`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}
