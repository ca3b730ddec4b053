import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchedule } from '../schedule/compile.ts';
import { parseWeek } from '../schedule/week.ts';
import { accountHead, accountSpan, condensed, plannedAsleepMs, type Sample } from './account.ts';
import { addDays, coreHours, type LedgerDays } from './ledger.ts';
import { sampleAfterAbsence, unaccountedSpan } from './unaccounted.ts';

const hour = 3_600_000;
const weekday = '08:00-20:00';
const week = parseWeek({
  timezone: 'Europe/Berlin',
  schedule: {
    monday: weekday,
    tuesday: weekday,
    wednesday: weekday,
    thursday: weekday,
    friday: weekday,
    saturday: 'off',
    sunday: 'off',
  },
});
if (!week.ok) throw new Error('the example week does not parse');
const schedule = compileSchedule(week.week);
/** A monday, 00:00 in Berlin. */
const monday = Date.UTC(2026, 0, 4, 23);
const request = { amd64: 2, arm64: 1, memory: 8 };

describe('accountSpan', () => {
  it('splits a night at midnight of the schedule, and tells saved, planned and ran apart', () => {
    const sample: Sample = {
      asleepSince: monday + 20 * hour,
      uses: [
        { namespace: 'shop', request, downSince: monday + 20 * hour },
        { namespace: 'ops', request },
      ],
      databases: [{ name: 'orders', downSince: monday + 21 * hour }, { name: 'carts' }],
    };
    const days = accountSpan(new Map(), { from: monday + 20 * hour, to: monday + 32 * hour }, sample, schedule);
    expect([...days.keys()]).toEqual(['2026-01-05', '2026-01-06']);
    const first = days.get('2026-01-05')!;
    expect(first).toMatchObject({ asleepHours: 4, plannedHours: 4 });
    expect(first.namespaces.get('shop')).toEqual({
      saved: { amd64: 8, arm64: 4, memory: 32 },
      planned: { amd64: 8, arm64: 4, memory: 32 },
      ran: { amd64: 0, arm64: 0, memory: 0 },
    });
    expect(first.namespaces.get('ops')).toMatchObject({
      saved: { amd64: 0 },
      planned: { amd64: 8 },
      ran: { amd64: 8 },
    });
    expect(Object.fromEntries(first.databases)).toEqual({
      orders: { saved: 3, planned: 4, ran: 1 },
      carts: { saved: 0, planned: 4, ran: 4 },
    });
    expect(days.get('2026-01-06')).toMatchObject({ asleepHours: 8, plannedHours: 8 });
  });

  it('counts 23 and 25 hours on the days on which the clocks change', () => {
    for (const [date, from, to, hours] of [
      ['2026-03-29', Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 2, 29, 22), 23],
      ['2026-10-25', Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 23), 25],
    ] as const) {
      const sample: Sample = { uses: [{ namespace: 'shop', request, downSince: 0 }], databases: [] };
      const days = accountSpan(new Map(), { from, to }, sample, schedule);
      expect([...days.keys()]).toEqual([date]);
      expect(days.get(date)?.namespaces.get('shop')?.saved.amd64).toBe(hours * 2);
    }
  });

  it('finds every hour of days that are skipped, and of midnights that come twice', () => {
    const rows: [string, number, string[]][] = [
      // Samoa left out the 30th of December 2011.
      ['Pacific/Apia', Date.UTC(2011, 11, 29, 12), ['2011-12-29', '2011-12-31', '2012-01-01']],
      // Newfoundland set its clocks back at a minute past midnight until 2011.
      ['America/St_Johns', Date.UTC(2010, 10, 6, 12, 30), ['2010-11-06', '2010-11-07', '2010-11-08']],
      ['America/St_Johns', Date.UTC(2010, 10, 7, 2, 45), ['2010-11-06', '2010-11-07', '2010-11-08']],
    ];
    for (const [timezone, from, dates] of rows) {
      const days = accountSpan(
        new Map(),
        { from, to: from + 48 * hour },
        { uses: [{ namespace: 'shop', request, downSince: 0 }], databases: [] },
        compileSchedule({ ...week.week, timezone }),
      );
      expect([...days.keys()].toSorted(), timezone).toEqual(dates);
      const saved = [...days.values()].map((day) => (day.namespaces.get('shop')?.saved.amd64 ?? 0) / 2);
      expect(saved.reduce((sum, hours) => sum + hours, 0)).toBeCloseTo(48);
      expect(Math.max(...saved)).toBeLessThanOrEqual(25);
    }
  });

  it('knows what the schedule has asleep', () => {
    expect(plannedAsleepMs(schedule, monday, monday + 24 * hour) / hour).toBe(12);
    expect(plannedAsleepMs(schedule, monday + 5 * 24 * hour, monday + 7 * 24 * hour) / hour).toBe(48);
    expect(plannedAsleepMs(schedule, monday, monday)).toBe(0);
  });
});

describe('laws of the books', () => {
  const instants = fc.integer({ min: 0, max: 40 * 24 * 60 }).map((minute) => monday + minute * 60_000);
  const uses = fc.array(
    fc.record(
      {
        namespace: fc.constantFrom('shop', 'ops', 'lab'),
        request: fc.record({
          amd64: fc.integer({ min: 0, max: 64 }),
          arm64: fc.integer({ min: 0, max: 64 }),
          memory: fc.integer({ min: 0, max: 512 }),
        }),
        downSince: instants,
      },
      { requiredKeys: ['namespace', 'request'] },
    ),
    { maxLength: 12 },
  );
  const spans = fc
    .tuple(instants, instants, instants)
    .map((three) => three.toSorted((a, b) => a - b) as [number, number, number]);
  const total = (days: LedgerDays, what: 'saved' | 'ran' | 'planned') =>
    [...days.values()]
      .flatMap((day) => [...day.namespaces.values()])
      .reduce((sum, row) => sum + coreHours(row[what]), 0);

  it('saved and ran together are all that was asked for; nothing is saved that was not asked for', () => {
    fc.assert(
      fc.property(uses, spans, (all, [from, , to]) => {
        const days = accountSpan(new Map(), { from, to }, { uses: all, databases: [] }, schedule);
        const asked = all.reduce((sum, use) => sum + coreHours(use.request), 0) * ((to - from) / hour);
        const saved = total(days, 'saved');
        return (
          Math.abs(saved + total(days, 'ran') - asked) < 1e-6 * (1 + asked) &&
          saved >= 0 &&
          total(days, 'planned') <= asked + 1e-6
        );
      }),
    );
  });

  it('does not matter how often a pass looks', () => {
    fc.assert(
      fc.property(uses, spans, (all, [from, between, to]) => {
        const sample = { uses: all, databases: [] };
        const once = accountSpan(new Map(), { from, to }, sample, schedule);
        const twice = accountSpan(
          accountSpan(new Map(), { from, to: between }, sample, schedule),
          { from: between, to },
          sample,
          schedule,
        );
        return (['saved', 'ran', 'planned'] as const).every(
          (what) => Math.abs(total(once, what) - total(twice, what)) < 1e-6 * (1 + total(once, what)),
        );
      }),
    );
  });

  it('does not matter that workloads are taken together', () => {
    fc.assert(
      fc.property(uses, spans, (all, [, from, to]) => {
        const sample = { uses: all, databases: [] };
        const apart = total(accountSpan(new Map(), { from, to }, sample, schedule), 'saved');
        const together = total(accountSpan(new Map(), { from, to }, condensed(sample, from), schedule), 'saved');
        return Math.abs(apart - together) < 1e-6 * (1 + apart);
      }),
    );
  });

  it('adds up days that were accounted for apart', () => {
    const sample: Sample = {
      uses: [{ namespace: 'shop', request, downSince: 0 }],
      databases: [{ name: 'orders', downSince: 0 }],
    };
    const morning = accountSpan(new Map(), { from: monday, to: monday + 6 * hour }, sample, schedule).get(
      '2026-01-05',
    )!;
    const both = addDays(morning, morning);
    expect(both.namespaces.get('shop')?.saved.amd64).toBe(24);
    expect(both.databases.get('orders')?.saved).toBe(12);
    expect(addDays(undefined, morning)).toBe(morning);
  });
});

describe('accountHead', () => {
  it('lets a night go on where it ended, and begins another after a day', () => {
    const asleep = { asleepSince: 100, uses: [], databases: [] };
    const awake = { uses: [], databases: [] };
    const one = accountHead({ nights: [] }, { from: 50, to: 200 }, asleep);
    expect(one).toEqual({ accountedUntil: 200, nights: [{ from: 100, to: 200 }] });
    const two = accountHead(one, { from: 200, to: 300 }, asleep);
    expect(two.nights).toEqual([{ from: 100, to: 300 }]);
    const day = accountHead(two, { from: 300, to: 400 }, awake);
    expect(day).toEqual({ accountedUntil: 400, nights: [{ from: 100, to: 300 }] });
    expect(accountHead(day, { from: 400, to: 500 }, { ...asleep, asleepSince: 410 }).nights).toEqual([
      { from: 100, to: 300 },
      { from: 410, to: 500 },
    ]);
  });
});

describe('unaccountedSpan', () => {
  const now = { wall: monday + 100 * hour, monotonic: 100 * hour };
  const ago = (hours: number) => ({ wall: now.wall - hours * hour, monotonic: now.monotonic - hours * hour });
  const rows: Record<
    string,
    [Parameters<typeof unaccountedSpan>[0], Parameters<typeof unaccountedSpan>[1], number | undefined]
  > = {
    'the first look of all has nothing to enter': [undefined, undefined, undefined],
    'from the last sample on': [now.wall - hour, ago(1), 1],
    'not what is in the books already': [now.wall - hour / 2, ago(1), 0.5],
    'after a restart from the end of the books on': [now.wall - 3 * hour, undefined, 3],
    'a week back at most': [now.wall - 1000 * hour, undefined, 168],
    'nothing while the clock is behind the books': [now.wall + hour, ago(1), undefined],
    'books from a wrong clock far ahead do not stop them for ever': [now.wall + 1000 * hour, ago(1), 1],
    'time that did not pass is not saved: the wall clock jumped ahead': [
      now.wall - 50 * hour,
      { wall: now.wall - 50 * hour, monotonic: now.monotonic - hour },
      1,
    ],
  };
  for (const [sentence, [until, sampled, hours]] of Object.entries(rows)) {
    it(sentence, () => {
      const span = unaccountedSpan(until, sampled, now);
      expect(span === undefined ? undefined : (span.to - span.from) / hour).toBe(hours);
    });
  }

  it('says nothing after a restart about what is up', () => {
    const sample: Sample = {
      asleepSince: 1,
      uses: [
        { namespace: 'a', request },
        { namespace: 'b', request, downSince: 5 },
      ],
      databases: [{ name: 'x' }],
    };
    expect(sampleAfterAbsence(sample)).toEqual({
      asleepSince: 1,
      uses: [{ namespace: 'b', request, downSince: 5 }],
      databases: [],
    });
  });
});
