import { describe, expect, it } from 'vitest';
import {
  type Days,
  edgesText,
  exampleSchedule,
  instant,
  officeWeek,
} from '../../../test/support/examples/schedule-examples.ts';
import type { ScheduleExceptions } from './compile.ts';
import { nextEdges, nextOpening, scheduleAt } from './schedule.ts';

type EdgeRow = [zone: string, days: Days, from: string, edges: string[]];

function checkEdges(rows: Record<string, EdgeRow>): void {
  it.each(Object.entries(rows))('%s', (_name, [zone, days, from, edges]) => {
    expect(edgesText(exampleSchedule(zone, days), from, edges.length)).toEqual(edges);
  });
}

describe('edges of an ordinary week', () => {
  checkEdges({
    'open in the morning and close in the evening': [
      'Europe/Berlin',
      officeWeek,
      '2026-11-16T00:00Z',
      [
        'opens 2026-11-16T08:00+01:00',
        'closes 2026-11-16T20:00+01:00',
        'opens 2026-11-17T08:00+01:00',
        'closes 2026-11-17T20:00+01:00',
      ],
    ],
    'leave out the weekend': [
      'Europe/Berlin',
      officeWeek,
      '2026-11-20T12:00Z',
      ['closes 2026-11-20T20:00+01:00', 'opens 2026-11-23T08:00+01:00'],
    ],
    'surround a lunch break': [
      'Europe/Berlin',
      { monday: '08:00-12:00,13:00-20:00' },
      '2026-11-16T00:00Z',
      [
        'opens 2026-11-16T08:00+01:00',
        'closes 2026-11-16T12:00+01:00',
        'opens 2026-11-16T13:00+01:00',
        'closes 2026-11-16T20:00+01:00',
        'opens 2026-11-23T08:00+01:00',
      ],
    ],
    'are not at midnight when a night shift goes on': [
      'Europe/Berlin',
      { monday: '20:00-00:00', tuesday: '00:00-06:00' },
      '2026-11-16T00:00Z',
      ['opens 2026-11-16T20:00+01:00', 'closes 2026-11-17T06:00+01:00', 'opens 2026-11-23T20:00+01:00'],
    ],
    'are at midnight when the next day is off': [
      'Europe/Berlin',
      { monday: '20:00-00:00' },
      '2026-11-16T00:00Z',
      ['opens 2026-11-16T20:00+01:00', 'closes 2026-11-17T00:00+01:00'],
    ],
    'are at midnight when a day begins awake': [
      'Europe/Berlin',
      { tuesday: '00:00-06:00' },
      '2026-11-16T00:00Z',
      ['opens 2026-11-17T00:00+01:00', 'closes 2026-11-17T06:00+01:00'],
    ],
    'join days that are on': [
      'Europe/Berlin',
      { monday: 'on', tuesday: 'on', wednesday: 'on' },
      '2026-11-15T00:00Z',
      ['opens 2026-11-16T00:00+01:00', 'closes 2026-11-19T00:00+01:00'],
    ],
    'join a day that is on with hours that touch it': [
      'Europe/Berlin',
      { monday: '08:00-00:00', tuesday: 'on', wednesday: '00:00-07:00' },
      '2026-11-15T00:00Z',
      ['opens 2026-11-16T08:00+01:00', 'closes 2026-11-18T07:00+01:00'],
    ],
    'join sunday with monday': [
      'Europe/Berlin',
      { sunday: '20:00-00:00', monday: '00:00-04:00' },
      '2026-11-15T12:00Z',
      ['opens 2026-11-15T20:00+01:00', 'closes 2026-11-16T04:00+01:00'],
    ],
    'are a minute apart where one minute of the week is off': [
      'Europe/Berlin',
      { rest: 'on', sunday: '00:00-23:59' },
      '2026-11-16T00:00Z',
      ['closes 2026-11-22T23:59+01:00', 'opens 2026-11-23T00:00+01:00'],
    ],
    'take the weekday in a zone ahead of UTC': [
      'Pacific/Auckland',
      { monday: '08:00-20:00' },
      '2026-11-15T00:00Z',
      ['opens 2026-11-16T08:00+13:00', 'closes 2026-11-16T20:00+13:00'],
    ],
    'take the weekday in a zone behind UTC': [
      'America/Los_Angeles',
      { friday: '16:00-23:00' },
      '2026-11-20T12:00Z',
      ['opens 2026-11-20T16:00-08:00', 'closes 2026-11-20T23:00-08:00'],
    ],
    'take the weekday fourteen hours ahead': [
      'Pacific/Kiritimati',
      { monday: '00:00-01:00' },
      '2026-11-15T00:00Z',
      ['opens 2026-11-16T00:00+14:00', 'closes 2026-11-16T01:00+14:00'],
    ],
    'take the weekday eleven hours behind': [
      'Pacific/Niue',
      { sunday: '23:00-00:00' },
      '2026-11-15T12:00Z',
      ['opens 2026-11-15T23:00-11:00', 'closes 2026-11-16T00:00-11:00'],
    ],
    'keep a quarter-hour offset': [
      'Asia/Kathmandu',
      { monday: '08:00-20:00' },
      '2026-11-15T12:00Z',
      ['opens 2026-11-16T08:00+05:45', 'closes 2026-11-16T20:00+05:45'],
    ],
    'are plain in UTC': [
      'UTC',
      { monday: '08:00-20:00' },
      '2026-11-16T00:00Z',
      ['opens 2026-11-16T08:00+00:00', 'closes 2026-11-16T20:00+00:00'],
    ],
    'pass a leap day': [
      'Europe/Berlin',
      { tuesday: '08:00-20:00' },
      '2028-02-28T12:00Z',
      ['opens 2028-02-29T08:00+01:00', 'closes 2028-02-29T20:00+01:00', 'opens 2028-03-07T08:00+01:00'],
    ],
    'pass the turn of the year': [
      'Europe/Berlin',
      { thursday: '20:00-00:00', friday: '00:00-02:00' },
      '2026-12-31T12:00Z',
      ['opens 2026-12-31T20:00+01:00', 'closes 2027-01-01T02:00+01:00'],
    ],
  });
});

describe('a schedule without edges', () => {
  it('that is on all week is awake for ever', () => {
    expect(scheduleAt(exampleSchedule('Europe/Berlin', { rest: 'on' }), instant('2026-11-16T12:00Z'))).toEqual({
      awake: true,
      reason: {
        code: 'working_hours',
        text: 'Awake (Europe/Berlin): working hours of Monday on',
        cause: 'working hours of Monday on',
      },
    });
  });
  it('that is off all week is hibernated for ever', () => {
    expect(scheduleAt(exampleSchedule('Europe/Berlin', {}), instant('2026-11-16T12:00Z'))).toEqual({
      awake: false,
      reason: {
        code: 'outside_working_hours',
        text: 'Hibernated (Europe/Berlin): Monday is off',
        cause: 'Monday is off',
      },
    });
  });
  it('has no next edges and no next opening', () => {
    const schedule = exampleSchedule('Europe/Berlin', { rest: 'on' });
    expect(nextEdges(schedule, instant('2026-11-16T12:00Z'), 3)).toEqual([]);
    expect(nextOpening(schedule, instant('2026-11-16T12:00Z'))).toBeUndefined();
  });
});

describe('an override or a holiday', () => {
  const by = { by: 'ann@example.org', at: 1 };
  const rows: Record<string, [days: Days, exceptions: ScheduleExceptions, from: string, edges: string[]]> = {
    'replaces the hours of its date': [
      officeWeek,
      { overrides: [{ date: '2026-11-16', hours: '06:00-22:00', ...by }] },
      '2026-11-16T00:00Z',
      ['opens 2026-11-16T06:00+01:00', 'closes 2026-11-16T22:00+01:00', 'opens 2026-11-17T08:00+01:00'],
    ],
    'gives hours to a day that is off': [
      officeWeek,
      { overrides: [{ date: '2026-11-21', hours: '10:00-12:00', ...by }] },
      '2026-11-20T20:00Z',
      ['opens 2026-11-21T10:00+01:00', 'closes 2026-11-21T12:00+01:00', 'opens 2026-11-23T08:00+01:00'],
    ],
    'takes the hours of a day': [
      officeWeek,
      { overrides: [{ date: '2026-11-17', hours: 'off', ...by }] },
      '2026-11-16T12:00Z',
      ['closes 2026-11-16T20:00+01:00', 'opens 2026-11-18T08:00+01:00'],
    ],
    'of the same date: the latest act wins': [
      officeWeek,
      {
        overrides: [
          { date: '2026-11-16', hours: '10:00-11:00', by: 'bob@example.org', at: 2 },
          { date: '2026-11-16', hours: 'off', ...by },
        ],
      },
      '2026-11-16T00:00Z',
      ['opens 2026-11-16T10:00+01:00', 'closes 2026-11-16T11:00+01:00'],
    ],
    'that is a holiday takes the hours of a day': [
      officeWeek,
      { holidays: [{ date: '2026-12-25', label: 'Christmas Day' }] },
      '2026-12-24T12:00Z',
      ['closes 2026-12-24T20:00+01:00', 'opens 2026-12-28T08:00+01:00'],
    ],
    'an override wins over a holiday': [
      officeWeek,
      {
        overrides: [{ date: '2026-12-25', hours: '10:00-12:00', ...by }],
        holidays: [{ date: '2026-12-25', label: 'Christmas Day' }],
      },
      '2026-12-24T20:00Z',
      ['opens 2026-12-25T10:00+01:00', 'closes 2026-12-25T12:00+01:00'],
    ],
    'far away is the only edge of a week that is on': [
      { rest: 'on' },
      { holidays: [{ date: '2027-12-25', label: 'Christmas Day' }] },
      '2026-11-16T00:00Z',
      ['closes 2027-12-25T00:00+01:00', 'opens 2027-12-26T00:00+01:00'],
    ],
    'far away is the only edge of a week that is off': [
      {},
      { overrides: [{ date: '2027-12-25', hours: '08:00-09:00', ...by }] },
      '2026-11-16T00:00Z',
      ['opens 2027-12-25T08:00+01:00', 'closes 2027-12-25T09:00+01:00'],
    ],
    'of many days in a row is one long night': [
      officeWeek,
      {
        holidays: Array.from({ length: 40 }, (_, i) => ({
          date: Temporal.PlainDate.from('2026-12-01').add({ days: i }).toString(),
          label: 'Works holiday',
        })),
      },
      '2026-12-05T00:00Z',
      ['opens 2027-01-11T08:00+01:00'],
    ],
    'of many weeks in a row ends at the first opening after it': [
      { monday: '08:00-09:00' },
      {
        holidays: Array.from({ length: 70 }, (_, i) => ({
          date: Temporal.PlainDate.from('2026-12-01').add({ days: i }).toString(),
          label: 'Works holiday',
        })),
      },
      '2026-12-05T00:00Z',
      ['opens 2027-02-15T08:00+01:00'],
    ],
    'touching the day before makes no edge at midnight': [
      { monday: '08:00-00:00' },
      { overrides: [{ date: '2026-11-17', hours: '00:00-02:00', ...by }] },
      '2026-11-16T12:00Z',
      ['closes 2026-11-17T02:00+01:00', 'opens 2026-11-23T08:00+01:00'],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [days, exceptions, from, edges]) => {
    expect(edgesText(exampleSchedule('Europe/Berlin', days, exceptions), from, edges.length)).toEqual(edges);
  });

  it('has known ends when it is the only awake time of a week that is off', () => {
    const schedule = exampleSchedule('Europe/Berlin', {}, { overrides: [{ date: '2026-11-16', hours: 'on', ...by }] });
    const state = scheduleAt(schedule, instant('2026-11-16T12:00Z'));
    expect([state.since, state.until]).toEqual([instant('2026-11-15T23:00Z'), instant('2026-11-16T23:00Z')]);
    const after = scheduleAt(schedule, instant('2026-11-18T12:00Z'));
    expect([after.since, after.until]).toEqual([instant('2026-11-16T23:00Z'), undefined]);
  });

  it('with a date that no calendar has is refused', () => {
    expect(() => exampleSchedule('UTC', {}, { holidays: [{ date: '2026-02-30', label: 'x' }] })).toThrow(
      'holiday: "2026-02-30" is not a date: write YYYY-MM-DD, for example 2026-12-24',
    );
  });

  it('with hours that cannot be read is refused', () => {
    expect(() => exampleSchedule('UTC', {}, { overrides: [{ date: '2026-02-03', hours: '8-9', ...by }] })).toThrow(
      'schedule override of 2026-02-03: "8" is not a time: write HH:MM with two digits each, from 00:00 to 23:59',
    );
  });
});

describe('the reason', () => {
  const by = { by: 'ann@example.org', at: 1 };
  const exceptions: ScheduleExceptions = {
    overrides: [
      { date: '2026-11-18', hours: '08:00-22:00', reason: 'release', ...by },
      { date: '2026-11-21', hours: '10:00-12:00', ...by },
    ],
    holidays: [{ date: '2026-11-19', label: 'Buß- und Bettag' }],
  };
  const rows: Record<string, [at: string, code: string, text: string]> = {
    'in working hours names the closing and the hours': [
      '2026-11-16T12:00+01:00',
      'working_hours',
      'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    ],
    'at the very opening is awake': [
      '2026-11-16T08:00+01:00',
      'working_hours',
      'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    ],
    'just before the opening is hibernated': [
      '2026-11-16T07:59:59.999+01:00',
      'outside_working_hours',
      'Hibernated until 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    ],
    'just before the closing is awake': [
      '2026-11-16T19:59:59.999+01:00',
      'working_hours',
      'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
    ],
    'at the very closing is hibernated until the next morning': [
      '2026-11-16T20:00+01:00',
      'outside_working_hours',
      'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00',
    ],
    'on a weekend names the day': [
      '2026-11-14T12:00+01:00',
      'outside_working_hours',
      'Hibernated until Monday 08:00 (Europe/Berlin): Saturday is off',
    ],
    'in an override names who and why': [
      '2026-11-18T21:00+01:00',
      'schedule_override',
      'Awake until 22:00 (Europe/Berlin): schedule override of 2026-11-18 08:00-22:00 by ann@example.org (release)',
    ],
    'on a holiday names it': [
      '2026-11-19T12:00+01:00',
      'holiday',
      'Hibernated until Friday 08:00 (Europe/Berlin): holiday Buß- und Bettag',
    ],
    'outside an override names it too': [
      '2026-11-21T13:00+01:00',
      'schedule_override',
      'Hibernated until Monday 08:00 (Europe/Berlin): schedule override of 2026-11-21 10:00-12:00 by ann@example.org',
    ],
  };
  const schedule = exampleSchedule('Europe/Berlin', officeWeek, exceptions);
  it.each(Object.entries(rows))('%s', (_name, [at, code, text]) => {
    expect(scheduleAt(schedule, instant(at)).reason).toEqual({ code, text, cause: text.slice(text.indexOf(': ') + 2) });
  });

  it('names a date when the next edge is a week away or more', () => {
    expect(
      scheduleAt(exampleSchedule('Europe/Berlin', { monday: '08:00-09:00' }), instant('2026-11-16T09:00Z')).reason.text,
    ).toBe('Hibernated until 2026-11-23 08:00 (Europe/Berlin): outside working hours of Monday 08:00-09:00');
  });

  it('in a repeated midnight names the day whose hours still run', () => {
    expect(
      scheduleAt(exampleSchedule('America/Havana', { saturday: '20:00-00:00' }), instant('2026-11-01T00:30-04:00'))
        .reason.text,
    ).toBe('Awake until 00:00 (America/Havana): working hours of Saturday 20:00-00:00');
  });
});

describe('the next opening', () => {
  const schedule = exampleSchedule('Europe/Berlin', officeWeek);
  it('from inside working hours is the next morning', () => {
    expect(nextOpening(schedule, instant('2026-11-16T16:00+01:00'))).toBe(instant('2026-11-17T08:00+01:00'));
  });
  it('from a friday is monday', () => {
    expect(nextOpening(schedule, instant('2026-11-20T16:00+01:00'))).toBe(instant('2026-11-23T08:00+01:00'));
  });
  it('from the very opening is the one after', () => {
    expect(nextOpening(schedule, instant('2026-11-16T08:00+01:00'))).toBe(instant('2026-11-17T08:00+01:00'));
  });
});
