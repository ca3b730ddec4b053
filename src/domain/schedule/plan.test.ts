import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exampleSchedule, instant, officeWeek } from '../../../test/support/examples/schedule-examples.ts';
import { type Plan, planOf } from './plan.ts';

const by = { by: 'ann@example.org', at: 1 };

function bandsText(plan: Plan): string[] {
  const local = (at: number) =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(plan.timezone)
      .toString({ timeZoneName: 'never', smallestUnit: 'minute', offset: 'never' });
  return plan.bands.map(
    (band) => `${local(band.from)} ${local(band.to)} ${band.awake ? 'awake' : 'asleep'} ${band.source}: ${band.label}`,
  );
}

describe('the plan', () => {
  it('begins now and joins nights and weekends', () => {
    const plan = planOf(exampleSchedule('Europe/Berlin', officeWeek), instant('2026-11-20T10:00+01:00'), 4);
    expect(bandsText(plan)).toEqual([
      '2026-11-20T10:00 2026-11-20T20:00 awake schedule: Working hours',
      '2026-11-20T20:00 2026-11-23T08:00 asleep schedule: Outside working hours',
      '2026-11-23T08:00 2026-11-23T20:00 awake schedule: Working hours',
      '2026-11-23T20:00 2026-11-24T00:00 asleep schedule: Outside working hours',
    ]);
  });

  it('shows 14 days unless told otherwise', () => {
    const plan = planOf(exampleSchedule('Europe/Berlin', officeWeek), instant('2026-11-16T10:00+01:00'));
    expect(plan.days.map((day) => day.date)).toEqual(
      Array.from({ length: 14 }, (_, i) => Temporal.PlainDate.from('2026-11-16').add({ days: i }).toString()),
    );
    expect(plan.to).toBe(instant('2026-11-30T00:00+01:00'));
  });

  it('has no edge at midnight inside a night shift', () => {
    const schedule = exampleSchedule('Europe/Berlin', { monday: '20:00-00:00', tuesday: '00:00-06:00' });
    expect(bandsText(planOf(schedule, instant('2026-11-16T00:00+01:00'), 2))).toEqual([
      '2026-11-16T00:00 2026-11-16T20:00 asleep schedule: Outside working hours',
      '2026-11-16T20:00 2026-11-17T06:00 awake schedule: Working hours',
      '2026-11-17T06:00 2026-11-18T00:00 asleep schedule: Outside working hours',
    ]);
  });

  it('sets overrides and holidays apart, with their labels', () => {
    const schedule = exampleSchedule('Europe/Berlin', officeWeek, {
      overrides: [
        { date: '2026-12-24', hours: '08:00-12:00', reason: 'Short day', ...by },
        { date: '2026-12-26', hours: '10:00-11:00', ...by },
      ],
      holidays: [{ date: '2026-12-25', label: 'Christmas Day' }],
    });
    const plan = planOf(schedule, instant('2026-12-24T00:00+01:00'), 4);
    expect(bandsText(plan)).toEqual([
      '2026-12-24T00:00 2026-12-24T08:00 asleep override: Short day',
      '2026-12-24T08:00 2026-12-24T12:00 awake override: Short day',
      '2026-12-24T12:00 2026-12-25T00:00 asleep override: Short day',
      '2026-12-25T00:00 2026-12-26T00:00 asleep holiday: Christmas Day',
      '2026-12-26T00:00 2026-12-26T10:00 asleep override: Schedule override by ann@example.org',
      '2026-12-26T10:00 2026-12-26T11:00 awake override: Schedule override by ann@example.org',
      '2026-12-26T11:00 2026-12-27T00:00 asleep override: Schedule override by ann@example.org',
      '2026-12-27T00:00 2026-12-28T00:00 asleep schedule: Outside working hours',
    ]);
    expect(plan.days.map((day) => `${day.weekday} ${day.hours} ${day.source}: ${day.label}`)).toEqual([
      'thursday 08:00-12:00 override: Short day',
      'friday off holiday: Christmas Day',
      'saturday 10:00-11:00 override: Schedule override by ann@example.org',
      'sunday off schedule: Outside working hours',
    ]);
  });

  it('keeps holidays with different names apart, and joins those with the same', () => {
    const schedule = exampleSchedule('Europe/Berlin', officeWeek, {
      holidays: [
        { date: '2026-12-24', label: 'Works holiday' },
        { date: '2026-12-25', label: 'Christmas Day' },
        { date: '2026-12-26', label: 'Works holiday' },
        { date: '2026-12-27', label: 'Works holiday' },
      ],
    });
    expect(bandsText(planOf(schedule, instant('2026-12-24T00:00+01:00'), 4))).toEqual([
      '2026-12-24T00:00 2026-12-25T00:00 asleep holiday: Works holiday',
      '2026-12-25T00:00 2026-12-26T00:00 asleep holiday: Christmas Day',
      '2026-12-26T00:00 2026-12-28T00:00 asleep holiday: Works holiday',
    ]);
  });

  const marks: Record<string, [zone: string, from: string, marks: string[]]> = {
    'a day with a skipped hour': ['Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29 60 Clocks go forward 1 hour']],
    'a day with a repeated hour': ['Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25 -60 Clocks go back 1 hour']],
    'half an hour': ['Australia/Lord_Howe', '2026-10-03T12:00Z', ['2026-10-04 30 Clocks go forward 30 minutes']],
    'two hours': ['Antarctica/Troll', '2026-10-24T12:00Z', ['2026-10-25 -120 Clocks go back 2 hours']],
    'a midnight that is skipped, on the day that begins': [
      'Africa/Cairo',
      '2026-04-23T12:00Z',
      ['2026-04-24 60 Clocks go forward 1 hour'],
    ],
    'a midnight that is put off, on the day that ends': [
      'Africa/Cairo',
      '2026-10-29T12:00Z',
      ['2026-10-29 -60 Clocks go back 1 hour'],
    ],
    'nothing in a zone without clock changes': ['Asia/Tokyo', '2026-03-28T12:00Z', []],
  };
  it.each(Object.entries(marks))('marks %s', (_name, [zone, from, expected]) => {
    const days = planOf(exampleSchedule(zone, officeWeek), instant(from), 3).days;
    expect(
      days.flatMap(({ date, clockChange: mark }) => (mark ? [`${date} ${mark.shiftMinutes} ${mark.text}`] : [])),
    ).toEqual(expected);
  });

  it('leaves out a day that the zone skipped', () => {
    const plan = planOf(exampleSchedule('Pacific/Apia', { rest: 'on' }), instant('2011-12-29T12:00-10:00'), 3);
    expect(plan.days.map((day) => day.date)).toEqual(['2011-12-29', '2011-12-31']);
    expect(bandsText(plan)).toEqual(['2011-12-29T12:00 2012-01-01T00:00 awake schedule: Working hours']);
  });

  it('covers its time without gaps or overlaps, and agrees with the schedule, in every zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const at = fc.integer({ min: instant('2006-01-01T00:00Z'), max: instant('2036-01-01T00:00Z') });
    fc.assert(
      fc.property(zone, at, fc.integer({ min: 1, max: 30 }), (timezone, from, days) => {
        const schedule = exampleSchedule(timezone, { ...officeWeek, sunday: '00:30-02:30,22:00-00:00' });
        const plan = planOf(schedule, from, days);
        expect(plan.bands.at(0)?.from).toBe(from);
        expect(plan.bands.at(-1)?.to).toBe(plan.to);
        for (const [index, band] of plan.bands.entries()) {
          expect(band.from).toBeLessThan(band.to);
          expect(band.from).toBe(plan.bands[index - 1]?.to ?? from);
          for (const t of [band.from, Math.floor((band.from + band.to) / 2), band.to - 1]) {
            expect(schedule.stretchAt(t).awake).toBe(band.awake);
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
