import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Days, exampleSchedule, instant } from '../../../test/support/examples/schedule-examples.ts';
import { weekdays } from './civil-date.ts';
import type { CompiledSchedule } from './compile.ts';
import { formatDay, minutesPerDay } from './parse-day.ts';
import { nextEdges, scheduleAt } from './schedule.ts';

const zones = Intl.supportedValuesOf('timeZone');
const from = instant('2026-01-01T00:00Z');
const to = instant('2036-01-01T00:00Z');
const hour = 3_600_000;
const minute = 60_000;

/** Hours that meet clock changes: most of them happen on a sunday between 00:00 and 04:00, or on a friday at midnight. */
const awkwardWeek: Days = {
  thursday: '20:00-00:00',
  friday: '00:30-06:00',
  saturday: '22:00-23:30',
  sunday: '00:15-02:30,02:45-03:00,12:00-00:00',
};

const minuteOfDay = fc.oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: minutesPerDay }));
const day = fc
  .uniqueArray(minuteOfDay, { minLength: 0, maxLength: 6 })
  .map((times) => times.sort((a, b) => a - b))
  .map((times) => formatDay({ ranges: pairs(times).map(([start, end]) => ({ start, end })) }));
const week = fc.record(Object.fromEntries(weekdays.map((name) => [name, day]))) as fc.Arbitrary<Days>;

function pairs(times: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (let i = 0; i + 1 < times.length; i += 2) found.push([times[i] as number, times[i + 1] as number]);
  return found;
}

function clockChangesOf(zone: string): readonly number[] {
  return exampleSchedule(zone, {})
    .zone.clockChanges(from, to)
    .map((change) => change.at);
}

describe('in every zone, for ten years', () => {
  it('edges alternate, in order, and the state differs just before and at each of them', () => {
    for (const zone of zones) {
      const schedule = exampleSchedule(zone, awkwardWeek);
      const edges = nextEdges(schedule, from, 6300).filter((edge) => edge.at < to);
      const broken = edges.findIndex(({ at, opens }, index) => {
        const previous = edges[index - 1];
        const ordered = previous === undefined || (at > previous.at && opens !== previous.opens);
        return !ordered || schedule.stretchAt(at).awake !== opens || schedule.stretchAt(at - 1).awake === opens;
      });
      expect({ zone, broken: edges[broken] }).toEqual({ zone, broken: undefined });
      expect(edges.length).toBeGreaterThan(10 * 52 * 12 - 20);
    }
  });

  it('a clock change loses or doubles no edge of hours at noon', () => {
    for (const zone of zones) {
      const edges = nextEdges(exampleSchedule(zone, { sunday: '11:00-13:00' }), from, 1060).filter(
        (edge) => edge.at < to,
      );
      const shortest = Math.min(...edges.slice(2).map((edge, index) => edge.at - (edges[index]?.at ?? 0)));
      // 522 sundays from the first of 2026 to the last of 2035, a week apart but for the hours that clocks move.
      expect({ zone, edges: edges.length, weekApart: shortest > 7 * 24 * hour - 3 * hour }).toEqual({
        zone,
        edges: 2 * 522,
        weekApart: true,
      });
    }
  });
});

describe('beside a person who reads the clock every minute', () => {
  const changing = zones.map((zone) => ({ zone, changes: clockChangesOf(zone) })).filter((z) => z.changes.length > 0);

  it('the schedule says the same around clock changes', () => {
    const sample = fc.record({ pick: fc.nat(), change: fc.nat(), week });
    fc.assert(
      fc.property(sample, ({ pick, change, week }) => {
        const found = changing[pick % changing.length] as (typeof changing)[number];
        const at = found.changes[change % found.changes.length] as number;
        agreeAround(exampleSchedule(found.zone, week), at);
      }),
      { numRuns: 40 },
    );
  });

  it('the schedule says the same on any date', () => {
    const sample = fc.record({ zone: fc.constantFrom(...zones), at: fc.integer({ min: from, max: to }), week });
    fc.assert(
      fc.property(sample, ({ zone, at, week }) => {
        agreeAround(exampleSchedule(zone, week), Math.floor(at / minute) * minute);
      }),
      { numRuns: 20 },
    );
  });
});

/** Compares a day and a half on both sides. */
function agreeAround(schedule: CompiledSchedule, at: number): void {
  const start = at - 96 * hour;
  const oracle = awakeByTheMinute(schedule, start, at + 96 * hour);
  for (let t = at - 36 * hour; t < at + 36 * hour; t += minute) {
    if (scheduleAt(schedule, t).awake !== oracle[(t - start) / minute]) {
      expect.fail(`${schedule.timezone} ${Temporal.Instant.fromEpochMilliseconds(t)}: the clock says otherwise`);
    }
  }
}

/** Reads Temporal's clock each minute, and looks the edges up among the readings. */
function awakeByTheMinute(schedule: CompiledSchedule, start: number, end: number): boolean[] {
  const readings: number[] = [];
  for (let t = start; t < end; t += minute) {
    const zoned = Temporal.Instant.fromEpochMilliseconds(t).toZonedDateTimeISO(schedule.timezone);
    const date = Date.UTC(zoned.year, zoned.month - 1, zoned.day) / (24 * hour);
    readings.push(date * minutesPerDay + zoned.hour * 60 + zoned.minute);
  }
  const awake = readings.map(() => false);
  const orLater = (index: number, reading: number) => {
    const passed = index >= 0 ? index : readings.findIndex((read) => read > reading);
    return passed === -1 ? readings.length : passed;
  };
  const days = new Set(readings.map((reading) => Math.floor(reading / minutesPerDay)));
  for (const date of days) {
    for (const range of schedule.hoursOn(date).hours.ranges) {
      const opening = date * minutesPerDay + range.start;
      const closing = date * minutesPerDay + range.end;
      awake.fill(true, orLater(readings.indexOf(opening), opening), orLater(readings.lastIndexOf(closing), closing));
    }
  }
  return awake;
}
