import { describe, expect, it } from 'vitest';
import { schedule } from '../../fixtures/schedule.ts';
import { byCode, byReason } from '../tonight/grouping.ts';
import { months, shortHours } from './month.ts';

describe('the calendar', () => {
  it('puts days under their weekdays', () => {
    const [november] = months(schedule().plan.days);
    expect(november?.title).toBe('November 2026');
    expect(november?.cells.map(({ day, column }) => [day.date.slice(8), column])).toEqual([
      ['03', 2],
      ['04', 3],
      ['05', 4],
      ['06', 5],
      ['07', 6],
      ['08', 7],
    ]);
  });

  const rows: [string, string][] = [
    ['on', 'all day'],
    ['off', 'off'],
    ['08:00-20:00', '08–20'],
    ['08:30-12:00,13:00-20:00', '08:30–12, 13–20'],
  ];
  it.each(rows)('writes %s as %s', (hours, text) => {
    expect(shortHours(hours)).toBe(text);
  });
});

describe('tonight', () => {
  it('says a warning once for all it concerns', () => {
    const warnings = [
      { code: 'no_startup_probe', text: 'a has no probe' },
      { code: 'self_heal', text: 'b heals itself' },
      { code: 'no_startup_probe', text: 'c has no probe' },
    ];
    expect(byCode(warnings)).toEqual([
      { code: 'no_startup_probe', texts: ['a has no probe', 'c has no probe'] },
      { code: 'self_heal', texts: ['b heals itself'] },
    ]);
  });

  it('names the most frequent reason first', () => {
    const skipped = [
      { workload: 'a', reason: 'x' },
      { workload: 'b', reason: 'y' },
      { workload: 'c', reason: 'y' },
    ];
    expect(byReason(skipped).map(({ reason }) => reason)).toEqual(['y', 'x']);
  });
});
