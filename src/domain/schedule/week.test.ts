import { describe, expect, it } from 'vitest';
import { formatDate, parseDate, weekdayOf } from './civil-date.ts';
import { parseWeek } from './week.ts';
import { timezoneProblem } from './zone.ts';

const schedule = {
  monday: '08:00-20:00',
  tuesday: '08:00-20:00',
  wednesday: '08:00-20:00',
  thursday: '08:00-20:00',
  friday: '08:00-20:00',
  saturday: 'off',
  sunday: 'off',
};

describe('parseWeek', () => {
  it('reads the default week', () => {
    const parsed = parseWeek({ timezone: 'Europe/Berlin', schedule });
    expect(parsed.ok && parsed.week.timezone).toBe('Europe/Berlin');
    expect(parsed.ok && parsed.week.days.friday).toEqual({ ranges: [{ start: 480, end: 1200 }] });
    expect(parsed.ok && parsed.week.days.saturday).toEqual({ ranges: [] });
  });

  it('names every field that is wrong', () => {
    const wrong = { ...schedule, tuesday: '8:00-20:00', sunday: 'closed' };
    expect(parseWeek({ timezone: 'Europe/Bonn', schedule: wrong })).toEqual({
      ok: false,
      problems: [
        {
          field: 'timezone',
          message: '"Europe/Bonn" is not a timezone: write a name of the IANA database, for example Europe/Berlin',
        },
        {
          field: 'schedule.tuesday',
          message: '"8:00" is not a time: write HH:MM with two digits each, from 00:00 to 23:59',
        },
        {
          field: 'schedule.sunday',
          message: '"closed" is not a range: write HH:MM-HH:MM, for example 08:00-20:00',
        },
      ],
    });
  });
});

describe('a timezone', () => {
  it.each(Intl.supportedValuesOf('timeZone'))('%s is one', (zone) => {
    expect(timezoneProblem(zone)).toBeUndefined();
  });
  it.each(['', 'Berlin', 'Europe/Berlin ', 'CEST', '2026-01-01T00:00[Europe/Berlin]', '../etc/passwd'])(
    '%j is none',
    (text) => {
      expect(timezoneProblem(text)).toBe(
        `${JSON.stringify(text)} is not a timezone: write a name of the IANA database, for example Europe/Berlin`,
      );
    },
  );
  it.each(['UTC', 'Etc/GMT+5', 'US/Eastern'])('%s is one too', (text) => {
    expect(timezoneProblem(text)).toBeUndefined();
  });
});

describe('a date', () => {
  it.each([
    ['1970-01-01', 'thursday'],
    ['1969-12-31', 'wednesday'],
    ['2026-11-15', 'sunday'],
    ['2026-11-16', 'monday'],
    ['2028-02-29', 'tuesday'],
  ])('%s is a %s', (text, weekday) => {
    const day = parseDate(text);
    expect(day).toBeDefined();
    expect(weekdayOf(day as number)).toBe(weekday);
    expect(formatDate(day as number)).toBe(text);
  });
  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '26-11-16', '2026-11-16T00:00', ''])('%j is none', (text) => {
    expect(parseDate(text)).toBeUndefined();
  });
});
