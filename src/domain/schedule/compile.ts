import type { EpochMs } from '../workload.ts';
import { type DayNumber, parseDate, type Weekday, weekdayOf } from './civil-date.ts';
import { type DaySchedule, dayOff, minutesPerDay, parseDay } from './parse-day.ts';
import type { HolidayOff, ScheduleOverride, WeekSchedule } from './week.ts';
import { Zone } from './zone.ts';

/** What decides the hours of one date: an override before a holiday, a holiday before the weekday. */
type HoursSource =
  | { readonly source: 'schedule'; readonly weekday: Weekday }
  | { readonly source: 'override'; readonly override: ScheduleOverride }
  | { readonly source: 'holiday'; readonly holiday: HolidayOff };

export type DateHours = HoursSource & { readonly day: DayNumber; readonly hours: DaySchedule };

/** Half-open: `to` is the first instant outside. */
export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Between two edges; a missing end means that the schedule never changes in that direction. */
export interface Stretch {
  readonly awake: boolean;
  readonly from?: EpochMs;
  readonly to?: EpochMs;
}

/** Awake time of some dates, ranges that touch or overlap taken as one. */
interface Window {
  readonly firstDay: DayNumber;
  readonly lastDay: DayNumber;
  readonly spans: readonly Span[];
  /** Neighbouring dates reach at most to these borders. */
  readonly inside: Span;
}

export interface ScheduleExceptions {
  readonly overrides?: readonly ScheduleOverride[];
  readonly holidays?: readonly HolidayOff[];
}

const windowDays = 64;
// A week always shows its edges within 7 days, or 14 where a clock change swallows the only range; the rest is room.
const weekRoom = 24;

/**
 * Ready to be asked often. Build one whenever the configuration, the overrides or the holidays change.
 *
 * A range is the time from the first reading of its start to the last reading of its end, so a repeated hour never
 * shortens working hours and each edge happens once. An edge inside a skipped hour happens right after it.
 */
export class CompiledSchedule {
  readonly zone: Zone;
  readonly #week: WeekSchedule;
  readonly #exceptions = new Map<DayNumber, DateHours>();
  readonly #firstException: DayNumber;
  readonly #lastException: DayNumber;
  #window: Window | undefined;
  #latest: Stretch | undefined;

  constructor(week: WeekSchedule, exceptions: ScheduleExceptions) {
    this.zone = new Zone(week.timezone);
    this.#week = week;
    for (const holiday of exceptions.holidays ?? []) {
      const day = dayOf(holiday.date, 'holiday');
      this.#exceptions.set(day, { source: 'holiday', holiday, day, hours: dayOff });
    }
    // The latest act comes last and wins over earlier ones for the same date.
    for (const override of [...(exceptions.overrides ?? [])].sort((a, b) => a.at - b.at)) {
      const day = dayOf(override.date, 'schedule override');
      const parsed = parseDay(override.hours);
      if (!parsed.ok) throw new RangeError(`schedule override of ${override.date}: ${parsed.message}`);
      this.#exceptions.set(day, { source: 'override', override, day, hours: parsed.day });
    }
    const days = [...this.#exceptions.keys()];
    this.#firstException = days.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    this.#lastException = days.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  }

  get timezone(): string {
    return this.zone.id;
  }

  hoursOn(day: DayNumber): DateHours {
    const exception = this.#exceptions.get(day);
    if (exception !== undefined) return exception;
    const weekday = weekdayOf(day);
    return { source: 'schedule', weekday, day, hours: this.#week.days[weekday] };
  }

  /** When the ranges of this date are, in order; none for a date that the zone skipped. They may overlap in a repeated hour. */
  spansOn(day: DayNumber): readonly Span[] {
    const spans: Span[] = [];
    for (const range of this.hoursOn(day).hours.ranges) {
      const from = this.zone.firstReading(day, range.start);
      const to =
        range.end === minutesPerDay ? this.zone.lastReading(day + 1, 0) : this.zone.lastReading(day, range.end);
      if (from < to) spans.push({ from, to });
    }
    return spans;
  }

  stretchAt(now: EpochMs): Stretch {
    const latest = this.#latest;
    if (latest !== undefined && now >= (latest.from ?? now) && now < (latest.to ?? Number.POSITIVE_INFINITY)) {
      return latest;
    }
    const today = this.zone.wallTime(now).day;
    const near = stretchIn(this.#windowAround(today), now);
    this.#latest = near.from !== undefined && near.to !== undefined ? near : stretchIn(this.#wideWindow(today), now);
    return this.#latest;
  }

  /** The window of the call before, as long as it shows enough on both sides. */
  #windowAround(today: DayNumber): Window {
    const known = this.#window;
    if (known !== undefined && today - 4 >= known.firstDay && today + 4 <= known.lastDay) return known;
    this.#window = this.#windowOf(today - 8, today - 8 + windowDays);
    return this.#window;
  }

  /** Wide enough that an edge it does not show does not exist. */
  #wideWindow(today: DayNumber): Window {
    const firstDay = Math.min(today, this.#firstException) - weekRoom;
    return this.#windowOf(firstDay, Math.max(today, this.#lastException) + weekRoom);
  }

  #windowOf(firstDay: DayNumber, lastDay: DayNumber): Window {
    const spans: { from: EpochMs; to: EpochMs }[] = [];
    for (let day = firstDay; day <= lastDay; day += 1) {
      for (const span of this.spansOn(day)) {
        const last = spans.at(-1);
        if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
        else spans.push({ ...span });
      }
    }
    const inside = { from: this.zone.lastReading(firstDay, 0), to: this.zone.firstReading(lastDay + 1, 0) };
    return { firstDay, lastDay, spans, inside };
  }
}

/** Throws a RangeError that names the field when the week or an exception is not valid: validation comes before. */
export function compileSchedule(week: WeekSchedule, exceptions: ScheduleExceptions = {}): CompiledSchedule {
  return new CompiledSchedule(week, exceptions);
}

/** The edges before and after now within the window. One at its border is omitted: the adjoining day may continue it. */
function stretchIn({ spans, inside }: Window, now: EpochMs): Stretch {
  const index = firstEndingAfter(spans, now);
  const span = spans[index];
  if (span === undefined || now < span.from) return stretch(false, spans[index - 1]?.to, span?.from);
  return stretch(true, span.from > inside.from ? span.from : undefined, span.to < inside.to ? span.to : undefined);
}

function firstEndingAfter(spans: readonly Span[], now: EpochMs): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).to > now) high = middle;
    else low = middle + 1;
  }
  return low;
}

function stretch(awake: boolean, from: EpochMs | undefined, to: EpochMs | undefined): Stretch {
  return { awake, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function dayOf(text: string, what: string): DayNumber {
  const day = parseDate(text);
  if (day === undefined) {
    throw new RangeError(`${what}: ${JSON.stringify(text)} is not a date: write YYYY-MM-DD, for example 2026-12-24`);
  }
  return day;
}
