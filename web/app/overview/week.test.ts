import { describe, expect, it } from 'vitest';
import { loadHolidayData } from '../../../src/domain/holiday/holidays.ts';
import { schedule } from '../../fixtures/schedule.ts';
import { actualStretches, pastDays, weekDays } from './week.ts';

const zone = 'Europe/Berlin';
const now = Date.parse('2026-11-03T11:00:00Z');
const entry = (kind: string, at: string, parts: object = {}) => ({
  id: `${kind}-${at}`,
  at,
  kind,
  title: kind,
  actor: 'schedule',
  ...parts,
});

describe('the week', () => {
  it('draws the plan in shares of each day', () => {
    const [today, tomorrow] = weekDays(schedule(), [], now);
    expect(today).toMatchObject({ title: 'Tue 3 Nov 2026', hours: '08:00-20:00', now: 0.5 });
    expect(today?.pieces.map(({ start, width, awake }) => [start, round(width), awake])).toEqual([
      [0.5, 0.3333, true],
      [20 / 24, 0.1667, false],
    ]);
    expect(tomorrow?.pieces[1]?.text).toBe('Awake 08:00–20:00 (Europe/Berlin): Working hours');
  });

  it('marks an override, a holiday and the change of the clocks', () => {
    const days = weekDays(schedule(), [], now);
    expect(days.map(({ source }) => source)).toContain('override');
    expect(days.find(({ source }) => source === 'holiday')?.label).toBe('Anniversary of the Green March (MA)');
    expect(days.at(-1)?.clockChange).toEqual({ text: 'Clocks go back 1 hour', at: 3 / 25 });
  });
});

describe('public holidays of the week', () => {
  it('are named where the hours stay as they are, and once where they are a day off', () => {
    expect(weekDays(schedule(), [], now).map(({ holiday }) => holiday)).toEqual([
      undefined,
      'National Day of Community Service (DM)',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are ones that the api can send', async () => {
    const data = await loadHolidayData();
    for (const { date, holidays } of schedule().plan.days) {
      for (const { name, region } of holidays) expect(data.holidays(region)).toContainEqual({ date, name, region });
    }
  });
});

describe('what has been', () => {
  const entries = [
    entry('hibernation', '2026-11-02T19:02:00Z', { durationMs: 120_000 }),
    entry('wake', '2026-11-03T07:05:00Z', { durationMs: 300_000 }),
    entry('stand-down', '2026-11-03T08:00:00Z', { actor: 'ada@example.com' }),
    entry('stand-down-ended', '2026-11-03T09:00:00Z'),
    entry('wake-no-changes', '2026-11-03T10:00:00Z'),
    // One workload, in the middle of the night: the cluster slept on.
    entry('wake', '2026-11-03T02:00:00Z', { durationMs: 60_000, details: { resources: ['shop/cart'] } }),
  ];

  it('runs from each transition to the next, and to now', () => {
    const seen = actualStretches(entries, now).map(({ from, to, awake, kind }) => [
      new Date(from).toISOString().slice(5, 16),
      new Date(to).toISOString().slice(5, 16),
      kind === 'stand-down' ? kind : awake,
    ]);
    expect(seen).toEqual([
      ['11-02T19:00', '11-03T07:00', false],
      ['11-03T07:00', '11-03T11:00', true],
      ['11-03T08:00', '11-03T09:00', 'stand-down'],
    ]);
  });

  it('draws nothing where nothing is known', () => {
    expect(actualStretches([], now)).toEqual([]);
    const days = pastDays(actualStretches(entries, now), now, 2, zone);
    expect(days.map(({ date, pieces }) => [date, pieces.length])).toEqual([
      ['2026-11-01', 0],
      ['2026-11-02', 1],
    ]);
    expect(days[1]?.pieces[0]).toMatchObject({ awake: false, start: 20 / 24 });
  });
});

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
