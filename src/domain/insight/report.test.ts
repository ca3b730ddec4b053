import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { co2eGrams, energyFormula, energyKWh } from './energy.ts';
import type { DayRow } from './ledger.ts';
import { insightsReport, savedCoreHours } from './report.ts';
import { requestOf } from './use.ts';

/** The defaults of the configuration. */
const factors = {
  cpuWattsPerVCPU: { amd64: 2.3, arm64: 1.084 },
  memoryWattsPerGB: 0.392,
  pue: 1.14,
  gridIntensityGCO2ePerKWh: 298,
};

describe('requestOf', () => {
  const defaults = { defaultCPUCores: 0.25, defaultMemoryGB: 0.5 };
  it('adds the containers up, with the default for each request that is missing', () => {
    const containers = [
      { name: 'a', cpuCores: 1.5, memoryBytes: 2 * 2 ** 30 },
      { name: 'b' },
      { name: 'c', cpuCores: 0 },
    ];
    expect(requestOf({ containers }, defaults)).toEqual({ cores: 1.75, memoryGB: 3 });
  });
});

describe('energy', () => {
  it('is watts by hours by the overhead of the building', () => {
    // 100 × 2.3 + 50 × 1.084 + 400 × 0.392 = 441 Wh; × 1.14 = 502.74 Wh.
    const kWh = energyKWh({ amd64: 100, arm64: 50, memory: 400 }, factors);
    expect(kWh).toBeCloseTo(0.50274, 10);
    expect(co2eGrams(kWh, factors)).toBeCloseTo(149.81652, 8);
  });

  it('shows its formula with the very numbers it used', () => {
    const [energy, emissions] = energyFormula({ amd64: 100, arm64: 50, memory: 400 }, factors);
    expect(energy?.result).toEqual({ value: 0.5027, unit: 'kWh' });
    expect(energy?.inputs.map(({ name, value, source }) => `${name} ${value} ${source}`)).toEqual([
      'coreHoursAmd64 100 measured',
      'wattsAmd64 2.3 config.insights.cpuWattsPerVCPU.amd64',
      'coreHoursArm64 50 measured',
      'wattsArm64 1.084 config.insights.cpuWattsPerVCPU.arm64',
      'memoryGBHours 400 measured',
      'wattsPerGB 0.392 config.insights.memoryWattsPerGB',
      'pue 1.14 config.insights.pue',
    ]);
    expect(emissions).toMatchObject({
      expression: 'energyKWh × gridIntensity',
      result: { value: 149.8165, unit: 'g' },
    });
  });

  it('grows with each of its inputs and is additive', () => {
    const hours = fc.record({ amd64: fc.nat(1e6), arm64: fc.nat(1e6), memory: fc.nat(1e6) });
    fc.assert(
      fc.property(hours, hours, (a, b) => {
        const both = { amd64: a.amd64 + b.amd64, arm64: a.arm64 + b.arm64, memory: a.memory + b.memory };
        const sum = energyKWh(a, factors) + energyKWh(b, factors);
        return (
          Math.abs(energyKWh(both, factors) - sum) <= 1e-9 * (1 + sum) &&
          energyKWh(both, factors) >= energyKWh(a, factors)
        );
      }),
    );
  });
});

describe('insightsReport', () => {
  const hours = (amd64: number) => ({ amd64, arm64: 0, memory: amd64 * 4 });
  const day = (shop: number, ops: number): DayRow => ({
    asleepHours: 11,
    plannedHours: 12,
    namespaces: new Map([
      ['ops', { saved: hours(ops), planned: hours(ops), ran: hours(1) }],
      ['shop', { saved: hours(shop), planned: hours(shop + 1), ran: hours(2) }],
    ]),
    databases: new Map([['orders', { saved: 11, planned: 12, ran: 13 }]]),
  });
  const report = insightsReport({
    timezone: 'Europe/Berlin',
    head: { accountedUntil: Date.UTC(2026, 10, 3, 7), nights: [] },
    days: new Map([
      ['2026-11-03', day(20, 5)],
      ['2026-11-02', day(10, 5)],
    ]),
    factors,
  });

  it('totals by day, by namespace and by database, against what was planned', () => {
    expect(report).toMatchObject({
      timezone: 'Europe/Berlin',
      from: '2026-11-02',
      to: '2026-11-03',
      accountedUntil: '2026-11-03T07:00:00.000Z',
      asleepHours: 22,
      plannedAsleepHours: 24,
      totals: {
        saved: { coreHours: 40, memoryGBHours: 160 },
        planned: { coreHours: 42 },
        ran: { coreHours: 6 },
        databaseHours: { saved: 22, planned: 24, ran: 26 },
      },
      databases: [{ name: 'orders', saved: 22, planned: 24, ran: 26 }],
    });
    expect(report.days.map(({ date, saved }) => [date, saved.coreHours])).toEqual([
      ['2026-11-02', 15],
      ['2026-11-03', 25],
    ]);
    expect(report.namespaces.map(({ namespace, saved }) => [namespace, saved.coreHours])).toEqual([
      ['shop', 30],
      ['ops', 10],
    ]);
    expect(report.formula[0]?.result.value).toBe(report.totals.saved.energyKWh);
  });

  it('is empty, not wrong, without days', () => {
    expect(insightsReport({ timezone: 'UTC', head: { nights: [] }, days: new Map(), factors })).toMatchObject({
      from: null,
      accountedUntil: null,
      totals: { saved: { coreHours: 0, energyKWh: 0, co2eGrams: 0 } },
      days: [],
    });
  });

  it('counts saved core-hours for the metric', () => {
    expect(savedCoreHours(new Map([['2026-11-02', day(10, 5)]]))).toBe(15);
  });
});
