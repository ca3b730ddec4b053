import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asleepMs, type DayCost, dateOf, dayMs, type HourCost, hourMs, type Night, sum } from './amounts.ts';
import { capAtSpend, estimateByDay, estimateByHour } from './estimate.ts';

const monday = Date.UTC(2026, 0, 5);
/** Asleep from 20:00 to 08:00. */
const night = (day: number): Night => ({
  from: monday + day * dayMs + 20 * hourMs,
  to: monday + (day + 1) * dayMs + 8 * hourMs,
});
const hours = (count: number, price: (hour: number) => number): HourCost[] =>
  Array.from({ length: count }, (_, hour) => ({ at: monday + hour * hourMs, amount: price(hour) }));

describe('asleepMs', () => {
  it('counts overlapping nights once, and only what lies inside', () => {
    const nights = [
      { from: 50, to: 150 },
      { from: 100, to: 200 },
      { from: 400, to: 900 },
    ];
    expect(asleepMs(nights, 0, 500)).toBe(150 + 100);
    expect(asleepMs(nights.toReversed(), 0, 500)).toBe(250);
    expect(asleepMs([], 0, 500)).toBe(0);
  });
});

describe('estimateByHour', () => {
  it('takes what sleeping hours cost less than waking ones', () => {
    const priced = hours(24, (hour) => (hour >= 20 ? 1 : 4));
    expect(estimateByHour(priced, [night(0)])).toMatchObject({
      known: true,
      method: 'hourly',
      awakeHourly: 4,
      asleepHourly: 1,
      asleepHours: 4,
      billed: 84,
      saved: 12,
      capped: false,
    });
  });

  it('counts an hour asleep that cost more than an hour awake as no loss', () => {
    expect(
      estimateByHour(
        hours(24, (hour) => (hour >= 20 ? 9 : 4)),
        [night(0)],
      ),
    ).toMatchObject({ saved: 0 });
  });

  it('does not let one dear hour eat what the others saved', () => {
    const priced = hours(24, (hour) => (hour === 20 ? 40 : hour > 20 ? 1 : 4));
    expect(estimateByHour(priced, [night(0)])).toMatchObject({ saved: 9 });
  });

  it('cuts an estimate above what was billed, and each day with it', () => {
    // Awake for one hour at 10, asleep for eleven that cost nothing: 110 would be saved of 10 spent.
    const nights = [{ from: monday + hourMs, to: monday + 12 * hourMs }];
    const estimate = estimateByHour(
      hours(12, (hour) => (hour === 0 ? 10 : 0)),
      nights,
    );
    expect(estimate).toMatchObject({ saved: 10, billed: 10, capped: true });
    if (estimate.known) expect(sum(estimate.byDate.values())).toBeCloseTo(10);
  });

  it('says why it cannot tell', () => {
    expect(
      estimateByHour(
        hours(5, () => 1),
        [],
      ),
    ).toEqual({
      known: false,
      why: 'The cluster has not slept in the time that was billed by the hour.',
    });
    expect(
      estimateByHour(
        hours(5, () => 1),
        [{ from: 0, to: monday + 99 * dayMs }],
      ),
    ).toEqual({
      known: false,
      why: 'The cluster was not awake for a whole hour in the time that was billed by the hour.',
    });
  });
});

describe('estimateByDay', () => {
  const days = (prices: readonly number[]): DayCost[] =>
    prices.map((amount, day) => ({ date: dateOf(monday + day * dayMs), amount, provisional: false }));

  it('finds the two prices that days of different lengths have in common', () => {
    // Four hours asleep on the first day, 12 on the others, none on the last: 5 an hour awake, 2 asleep.
    const nights = [night(0), night(1), night(2)];
    const asleep = [4, 12, 12, 8, 0];
    const estimate = estimateByDay(days(asleep.map((hoursAsleep) => (24 - hoursAsleep) * 5 + hoursAsleep * 2)), nights);
    expect(estimate).toMatchObject({ known: true, method: 'daily', asleepHours: 36, capped: false });
    if (!estimate.known) return;
    expect(estimate.awakeHourly).toBeCloseTo(5);
    expect(estimate.asleepHourly).toBeCloseTo(2);
    expect(estimate.saved).toBeCloseTo(36 * 3);
  });

  it('says nothing about days that are all alike, or too few', () => {
    const alike = Array.from({ length: 9 }, (_, day) => ({
      from: monday + day * dayMs,
      to: monday + day * dayMs + 12 * hourMs,
    }));
    const why = 'An estimate needs at least 4 billed days, some of which slept longer than others.';
    expect(estimateByDay(days([1, 1, 1, 1, 1]), alike)).toEqual({ known: false, why });
    expect(estimateByDay(days([1, 2, 3]), [night(0)])).toEqual({ known: false, why });
  });
});

describe('laws of an estimate', () => {
  const amounts = fc.array(fc.double({ min: -50, max: 1e4, noNaN: true }), { minLength: 1, maxLength: 200 });
  const nights = fc.array(
    fc
      .tuple(fc.nat(200), fc.nat(30))
      .map(([from, length]) => ({ from: monday + from * hourMs, to: monday + (from + length) * hourMs })),
    { maxLength: 20 },
  );

  it('is never negative and never above what was billed, hour by hour and day by day', () => {
    fc.assert(
      fc.property(amounts, nights, (prices, asleep) => {
        const days = prices.map((amount, day) => ({ date: dateOf(monday + day * dayMs), amount, provisional: false }));
        for (const estimate of [
          estimateByHour(
            hours(prices.length, (hour) => prices[hour]!),
            asleep,
          ),
          estimateByDay(days, asleep),
        ]) {
          if (!estimate.known) continue;
          const spent = Math.max(0, estimate.billed);
          if (!(estimate.saved >= 0) || estimate.saved > spent) return false;
          if (sum(estimate.byDate.values()) > spent * (1 + 1e-9) + 1e-9) return false;
        }
        return true;
      }),
    );
  });

  it('cuts at the spending and nowhere else', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        (saved, spent) => {
          const cut = capAtSpend(saved, spent);
          const fits = saved <= Math.max(0, spent);
          return (
            cut.saved >= 0 &&
            cut.saved <= Math.max(0, spent) &&
            cut.capped === !fits &&
            (!fits || saved < 0 || cut.saved === saved)
          );
        },
      ),
    );
  });
});
