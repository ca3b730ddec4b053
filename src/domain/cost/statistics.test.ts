import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, dayMs, money } from './amounts.ts';
import { parameterSizeNotice, statisticsParameter } from './parameter-size.ts';
import { type CostStatistics, decodeStatistics, fitStatistics, mergeDays, mergeMonths } from './statistics.ts';

const first = Date.UTC(2026, 7, 1);
const statistics = (days: number, months: number, rates: number): CostStatistics => ({
  refreshedAt: Date.UTC(2026, 10, 15, 5, 50),
  metric: 'NetUnblendedCost',
  currency: 'USD',
  days: Array.from({ length: days }, (_, day) => ({
    date: dateOf(first + day * dayMs),
    amount: 100 + day,
    provisional: day >= days - 2,
  })),
  saved: new Map(Array.from({ length: days }, (_, day) => [dateOf(first + day * dayMs), 40 + day / 10])),
  months: new Map(
    Array.from({ length: months }, (_, month) => [
      `20${10 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
      3000 + month,
    ]),
  ),
  rates: new Map(Array.from({ length: rates }, (_, rate) => [`database-${String(rate).padStart(3, '0')}`, 0.145])),
});

describe('fitStatistics', () => {
  it('keeps a quarter of a year of days, three years of months and the rates of a dozen databases under the warning', () => {
    const fitted = fitStatistics(statistics(92, 36, 12));
    expect(fitted.dropped).toEqual({ months: 0, days: 0, rates: 0 });
    expect(fitted.bytes).toBeLessThan(3500);
  });

  it('drops the oldest months first, then the oldest days, then rates', () => {
    const crowded = fitStatistics(statistics(92, 36, 135));
    expect(crowded.dropped.months).toBeGreaterThan(0);
    expect(crowded.dropped).toMatchObject({ days: 0, rates: 0 });
    const kept = decodeStatistics(crowded.text);
    expect([...(kept?.months.keys() ?? [])].at(-1)).toBe('2012-12');
    const overcrowded = fitStatistics(statistics(92, 36, 200));
    expect(overcrowded.dropped).toMatchObject({ months: 36, days: 92 - 14 });
    expect(overcrowded.dropped.rates).toBeGreaterThan(0);
  });

  it('never exceeds what a parameter holds, and reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.nat(150), fc.nat(60), fc.nat(300), (days, months, rates) => {
        const original = statistics(days, months, rates);
        const { text, bytes } = fitStatistics(original);
        const read = decodeStatistics(text);
        if (bytes > 4096 || read === undefined) return false;
        const wanted = new Map(original.days.map((day) => [day.date, day]));
        return (
          read.refreshedAt === original.refreshedAt &&
          read.days.every((day) => JSON.stringify(day) === JSON.stringify(wanted.get(day.date))) &&
          [...read.saved].every(([date, amount]) => amount === money(original.saved.get(date) ?? -1)) &&
          [...read.rates].every(([name, rate]) => original.rates.get(name) === rate)
        );
      }),
      { numRuns: 60 },
    );
  });

  it('keeps a gap a gap', () => {
    const whole = statistics(5, 0, 0);
    const gap = { ...whole, days: whole.days.filter((_, day) => day !== 2) };
    expect(decodeStatistics(fitStatistics(gap).text)?.days.map(({ date }) => date)).toEqual(
      gap.days.map(({ date }) => date),
    );
  });

  it('takes nothing else for statistics', () => {
    for (const text of [
      '',
      '{}',
      'null',
      '[1]',
      '{"v":2}',
      '{"v":1,"at":"soon","metric":"a","currency":"USD","billed":[],"saved":[],"provisional":[]}',
    ]) {
      expect(decodeStatistics(text)).toBeUndefined();
    }
  });
});

describe('merging', () => {
  const day = (date: string, amount: number) => ({ date, amount, provisional: false });

  it('lets what the cloud has corrected replace what it said before', () => {
    expect(mergeDays([day('2026-01-02', 2), day('2026-01-01', 1)], [day('2026-01-02', 3)])).toEqual([
      day('2026-01-01', 1),
      day('2026-01-02', 3),
    ]);
  });

  it('sums a month from its first day on, and leaves one that it knows only the end of', () => {
    const known = new Map([['2025-12', 99]]);
    const months = mergeMonths(known, [day('2025-12-31', 1), day('2026-01-01', 2), day('2026-01-02', 3)]);
    expect([...months]).toEqual([
      ['2025-12', 99],
      ['2026-01', 5],
    ]);
  });
});

describe('the size of a parameter', () => {
  const rows: Record<string, [number, boolean, string]> = {
    'is nothing to tell of below 3,500 bytes': [3499, false, 'Parameter Store Filling Up'],
    'is told of from 3,500 bytes on': [3500, true, 'Parameter Store Filling Up'],
    'is told of in red from 3,900 bytes on': [3900, true, 'Parameter Store Almost Full'],
  };
  for (const [sentence, [bytes, holds, title]] of Object.entries(rows)) {
    it(sentence, () =>
      expect(parameterSizeNotice({ parameter: '/svc/dev/statistics', bytes }, 0)).toMatchObject({
        holds,
        notice: { title, key: 'parameterStoreSize' },
      }),
    );
  }

  it('has a name that the store takes, whatever the cluster is called', () => {
    expect(statisticsParameter('dev-eu')).toBe('/svc/dev-eu/statistics');
    expect(statisticsParameter('Team A / dev')).toBe('/svc/Team-A-dev/statistics');
    expect(statisticsParameter('…')).toBe('/svc/cluster/statistics');
  });
});
