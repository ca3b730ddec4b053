import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from './cron-schedule.ts';

const at = (text: string) => Date.parse(text);
const text = (ms: number | undefined) => (ms === undefined ? 'never' : new Date(ms).toISOString());

describe('parseCron', () => {
  const rows: Record<string, [schedule: string, zone: string, after: string, next: string]> = {
    'every minute is the next whole one': ['* * * * *', 'UTC', '2026-01-05T08:00:30Z', '2026-01-05T08:01:00.000Z'],
    'a run at the instant itself does not count': [
      '0 8 * * *',
      'UTC',
      '2026-01-05T08:00:00Z',
      '2026-01-06T08:00:00.000Z',
    ],
    'steps count from the start of the hour': [
      '*/20 * * * *',
      'UTC',
      '2026-01-05T08:41:00Z',
      '2026-01-05T09:00:00.000Z',
    ],
    'a start with a step runs to the end': ['50/5 * * * *', 'UTC', '2026-01-05T08:51:00Z', '2026-01-05T08:55:00.000Z'],
    'weekdays by name, over a weekend': ['0 9 * * mon-fri', 'UTC', '2026-01-09T09:00:00Z', '2026-01-12T09:00:00.000Z'],
    'seven is a Sunday': ['0 0 * * 7', 'UTC', '2026-01-05T00:00:00Z', '2026-01-11T00:00:00.000Z'],
    'both days restricted means either': ['0 0 13 * 5', 'UTC', '2026-01-05T00:00:00Z', '2026-01-09T00:00:00.000Z'],
    'the 29th of February waits for its year': [
      '0 0 29 2 *',
      'UTC',
      '2026-01-05T00:00:00Z',
      '2028-02-29T00:00:00.000Z',
    ],
    'a day that never comes': ['0 0 31 2 *', 'UTC', '2026-01-05T00:00:00Z', 'never'],
    hourly: ['@hourly', 'UTC', '2026-01-05T08:15:00Z', '2026-01-05T09:00:00.000Z'],
    'a span from the last run': ['@every 1h30m', 'UTC', '2026-01-05T08:00:00Z', '2026-01-05T09:30:00.000Z'],
    'a time of day is local': ['30 6 * * *', 'Europe/Berlin', '2026-01-05T08:00:00Z', '2026-01-06T05:30:00.000Z'],
    'in summer as well': ['30 6 * * *', 'Europe/Berlin', '2026-07-05T08:00:00Z', '2026-07-06T04:30:00.000Z'],
    'a minute that the clock skips does not come': [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-30T00:30:00.000Z',
    ],
    'a minute that it repeats comes first in summer time': [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    'and once more in winter time': ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00.000Z'],
  };
  it.each(Object.entries(rows))('%s', (_sentence, [schedule, zone, after, next]) => {
    expect(text(parseCron(schedule, zone).next(at(after)))).toBe(next);
  });

  const refused: Record<string, [schedule: string, zone: string, message: string]> = {
    'four fields': ['* * * *', 'UTC', 'schedule "* * * *" has 4 fields; it needs five, such as 30 2 * * 1-5.'],
    'an hour that no day has': ['0 24 * * *', 'UTC', 'schedule "0 24 * * *": "24" is not a hour; allowed is 0 to 23.'],
    'a range the wrong way round': [
      '0 0 * * 5-1',
      'UTC',
      'schedule "0 0 * * 5-1": "5-1" is not a day of week; allowed is 0 to 7.',
    ],
    'a step of nothing': ['*/0 * * * *', 'UTC', 'schedule "*/0 * * * *": "*/0" is not a minute; allowed is 0 to 59.'],
    'a zone that does not exist': [
      '0 0 * * *',
      'Mars/Base',
      'time zone "Mars/Base" is not known; write one such as Europe/Berlin.',
    ],
    'an empty span': ['@every ', 'UTC', 'schedule "@every " has 1 fields; it needs five, such as 30 2 * * 1-5.'],
  };
  it.each(Object.entries(refused))('refuses %s', (_sentence, [schedule, zone, message]) => {
    expect(() => parseCron(schedule, zone)).toThrow(message);
  });

  it('finds the same run from anywhere between two runs', () => {
    const schedule = parseCron('7,37 */3 * * *', 'America/New_York');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 366 * 1440 }), (minutes) => {
        const after = at('2026-01-01T00:00:00Z') + minutes * 60_000;
        const next = schedule.next(after)!;
        expect(next).toBeGreaterThan(after);
        expect(schedule.next(next - 1)).toBe(next);
      }),
    );
  });
});
