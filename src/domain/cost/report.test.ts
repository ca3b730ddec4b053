import { describe, expect, it } from 'vitest';
import { costReport, type ReportInputs } from './report.ts';

const inputs: ReportInputs = {
  statistics: {
    refreshedAt: Date.UTC(2026, 2, 10, 5, 50),
    metric: 'NetUnblendedCost',
    currency: 'USD',
    days: [
      { date: '2026-03-08', amount: 12.345, provisional: false },
      { date: '2026-03-09', amount: 10, provisional: true },
    ],
    saved: new Map(),
    months: new Map([
      ['2026-03', 22.35],
      ['2026-02', 300],
    ]),
    rates: new Map([['orders', 0.5]]),
  },
  estimate: { known: false, why: 'too early' },
  tag: { key: 'aws:eks:cluster-name', value: 'dev' },
  nextRefreshAt: Date.UTC(2026, 2, 11, 5, 50),
  databases: new Map([
    ['orders', { saved: 80, ran: 88 }],
    ['sleeper', { saved: 10, ran: 1 }],
  ]),
  unpriced: new Map([['sleeper', 'Aurora Serverless is billed by its capacity, not by the hour.']]),
};

describe('costReport', () => {
  it('tells what was billed, what of it may still change, and what is only estimated', () => {
    expect(costReport(inputs)).toMatchObject({
      billed: { from: '2026-03-08', to: '2026-03-09', amount: 22.34, provisional: 10 },
      days: [
        { date: '2026-03-08', billed: 12.35, provisional: false },
        { date: '2026-03-09', billed: 10, provisional: true },
      ],
      months: [
        { month: '2026-02', billed: 300 },
        { month: '2026-03', billed: 22.35 },
      ],
      estimate: { available: false, message: 'too early' },
    });
  });

  it('prices a database by the list, never above what its running hours cost', () => {
    expect(costReport(inputs).databases).toEqual([
      { name: 'orders', hourly: 0.5, savedHours: 80, savedEstimate: 40, capped: false },
      { name: 'sleeper', savedHours: 10, message: 'Aurora Serverless is billed by its capacity, not by the hour.' },
    ]);
    const idle = { ...inputs, databases: new Map([['orders', { saved: 80, ran: 8 }]]) };
    expect(costReport(idle).databases).toEqual([
      { name: 'orders', hourly: 0.5, savedHours: 80, savedEstimate: 4, capped: true },
    ]);
  });

  it('shows what earlier refreshes had found when the hours are not known any more', () => {
    const kept = { ...inputs, statistics: { ...inputs.statistics, saved: new Map([['2026-03-08', 7]]) } };
    expect(costReport(kept).estimate).toEqual({
      available: true,
      message: 'As estimated at earlier refreshes.',
      method: 'kept',
      saved: 7,
      billed: 12.35,
      capped: false,
    });
  });

  it('says that an estimate was cut', () => {
    const estimate = {
      known: true,
      method: 'hourly',
      awakeHourly: 3,
      asleepHourly: 1,
      asleepHours: 8,
      billed: 10,
      saved: 10,
      capped: true,
      byDate: new Map(),
    } as const;
    expect(costReport({ ...inputs, estimate }).estimate).toMatchObject({
      saved: 10,
      capped: true,
      message: 'The estimate came out above what the cluster cost in the same time and is shown as that cost.',
    });
  });

  it('is empty, not wrong, before the first bill', () => {
    expect(costReport({ ...inputs, statistics: { ...inputs.statistics, days: [] } }).billed).toBeNull();
  });
});
