import { describe, expect, it } from 'vitest';
import { byWeek, dayText, measuresOf, shortDay } from './columns.ts';

const figures = (coreHours: number) => ({ coreHours, memoryGBHours: 0, energyKWh: 1, co2eGrams: coreHours * 1000 });
const day = (date: string, asleep: number) => ({
  date,
  asleepHours: asleep,
  plannedAsleepHours: 12,
  saved: figures(asleep * 2),
  planned: figures(24),
  ran: figures(0),
  databaseHours: { saved: 0, planned: 0, ran: 0 },
});

describe('the measures of the insights', () => {
  it('have what came of it beside what was planned, and what was billed beside what is estimated', () => {
    const insights = { days: [day('2026-11-02', 10), day('2026-11-03', 12)] };
    const costs = {
      currency: 'EUR',
      days: [
        { date: '2026-11-02', billed: 90, provisional: false, savedEstimate: 30 },
        { date: '2026-11-03', billed: 80, provisional: true },
      ],
    };
    const measures = measuresOf(insights, costs);
    expect(
      measures.map(({ name, series, unit, days }) => [name, series, unit, days.map(({ values }) => values)]),
    ).toEqual([
      [
        'asleep',
        ['Actual', 'Planned'],
        'h',
        [
          [10, 12],
          [12, 12],
        ],
      ],
      [
        'cores',
        ['Actual', 'Planned'],
        'core-hours',
        [
          [20, 24],
          [24, 24],
        ],
      ],
      [
        'money',
        ['Billed', 'Saved (estimate)'],
        'EUR',
        [
          [90, 30],
          [80, 0],
        ],
      ],
      [
        'energy',
        ['Actual', 'Planned'],
        'kWh',
        [
          [1, 1],
          [1, 1],
        ],
      ],
      [
        'co2e',
        ['Actual', 'Planned'],
        'kg',
        [
          [20, 24],
          [24, 24],
        ],
      ],
    ]);
  });

  it('are empty before there is anything', () => {
    expect(measuresOf(undefined, undefined).map(({ days }) => days)).toEqual([[], [], [], [], []]);
  });

  it('are summed by the week, which begins on monday', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-08', '2026-11-09'].map((date) => ({
      date,
      values: [1, 2] as const,
    }));
    expect(byWeek(days)).toEqual([
      { date: '2026-10-26', values: [1, 2] },
      { date: '2026-11-02', values: [2, 4] },
      { date: '2026-11-09', values: [1, 2] },
    ]);
    expect([dayText('2026-11-03'), shortDay('2026-11-03')]).toEqual(['Tue 3 Nov', '3 Nov']);
  });
});
