import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundHead, boundLedger } from './bounds.ts';
import type { DayRow, LedgerDays } from './ledger.ts';
import { decodeHead, decodeMonth, encodeHead, encodeMonth, foldMonth } from './ledger-text.ts';

const row = (saved: number) => ({
  saved: { amd64: saved, arm64: 0, memory: saved * 2 },
  planned: { amd64: saved, arm64: 0, memory: saved * 2 },
  ran: { amd64: 1.5, arm64: 0.25, memory: 3 },
});
const day = (namespaces: readonly string[]): DayRow => ({
  asleepHours: 12,
  plannedHours: 12.5,
  namespaces: new Map(namespaces.map((name, index) => [name, row(index + 1)])),
  databases: new Map([['orders', { saved: 12, planned: 12.5, ran: 11.5 }]]),
});

describe('a month as text', () => {
  it('can be read by people', () => {
    expect(encodeMonth(new Map([['2026-11-02', day(['shop'])]]))).toBe(
      ['2026-11-02 * 12 12.5', '2026-11-02 shop 1 0 2 1 0 2 1.5 0.25 3', '2026-11-02 @orders 12 12.5 11.5'].join('\n'),
    );
  });

  it('is read back as it was written', () => {
    const figure = fc.integer({ min: 0, max: 1e8 }).map((value) => value / 1e4);
    const hours = fc.record({ amd64: figure, arm64: figure, memory: figure });
    const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/);
    const days = fc.dictionary(
      fc.integer({ min: 1, max: 28 }).map((date) => `2026-02-${String(date).padStart(2, '0')}`),
      fc.record({
        asleepHours: figure,
        plannedHours: figure,
        namespaces: fc
          .dictionary(name, fc.record({ saved: hours, planned: hours, ran: hours }), { maxKeys: 4 })
          .map((all) => new Map(Object.entries(all))),
        databases: fc
          .dictionary(name, fc.record({ saved: figure, planned: figure, ran: figure }), { maxKeys: 3 })
          .map((all) => new Map(Object.entries(all))),
      }),
      { maxKeys: 5 },
    );
    const sorted = (ledger: LedgerDays | undefined) => encodeMonth(ledger ?? new Map());
    fc.assert(
      fc.property(
        days,
        (all) =>
          sorted(decodeMonth(encodeMonth(new Map(Object.entries(all))))) === sorted(new Map(Object.entries(all))),
      ),
    );
  });

  it('is not taken from anything else', () => {
    for (const text of [
      '2026-11-02',
      '2026-13-02 * 1 1',
      '2026-11-02 * 1',
      '2026-11-02 shop 1 2',
      '2026-11-02 @ 1 1 1',
      '2026-11-02 * 1 -1',
      '2026-11-02 * 1 x',
      '{"a":1}',
    ]) {
      expect(decodeMonth(text), text).toBeUndefined();
    }
    expect(decodeMonth('')?.size).toBe(0);
  });

  it('folds its namespaces without losing an hour', () => {
    const folded = foldMonth(new Map([['2026-11-02', day(['a', 'b', 'c'])]])).get('2026-11-02');
    expect([...(folded?.namespaces ?? [])]).toEqual([
      [
        '(all)',
        {
          saved: { amd64: 6, arm64: 0, memory: 12 },
          planned: { amd64: 6, arm64: 0, memory: 12 },
          ran: { amd64: 4.5, arm64: 0.75, memory: 9 },
        },
      ],
    ]);
    expect(folded?.databases.get('orders')?.saved).toBe(12);
  });
});

describe('the head', () => {
  it('is read back as it was written, and absent means empty', () => {
    const head = {
      accountedUntil: Date.UTC(2026, 10, 2, 8, 0, 0, 250),
      nights: [{ from: Date.UTC(2026, 10, 1, 20), to: Date.UTC(2026, 10, 2, 8) }],
    };
    expect(decodeHead(encodeHead(head))).toEqual(head);
    expect(decodeHead(undefined)).toEqual({ nights: [] });
    for (const text of ['', '[]', '{}', '{"nights":["x y"]}', '{"accountedUntil":"never","nights":[]}'])
      expect(decodeHead(text), text).toBeUndefined();
  });

  it('forgets nights of more than 400 days ago', () => {
    const now = Date.UTC(2026, 10, 2);
    const nights = [
      { from: 0, to: 1 },
      { from: now - 1, to: now },
    ];
    expect(boundHead({ nights }, now).nights).toEqual([{ from: now - 1, to: now }]);
  });
});

describe('boundLedger', () => {
  const month = (index: number) => new Date(Date.UTC(2025, 9 + index, 1)).toISOString().slice(0, 7);
  const namespaces = Array.from({ length: 100 }, (_, index) => `namespace-number-${index}`);
  const full = (name: string) =>
    encodeMonth(
      new Map(
        Array.from({ length: 28 }, (_, date) => [`${name}-${String(date + 1).padStart(2, '0')}`, day(namespaces)]),
      ),
    );
  const now = Date.UTC(2026, 10, 15);

  it('drops what is older than 400 days and leaves the rest alone', () => {
    const data = { head: '{}', '2025-09': 'old', '2025-10': '', '2026-11': '' };
    expect(boundLedger(data, now)).toStrictEqual({ '2025-09': undefined });
  });

  it('keeps a hundred namespaces for 400 days under the limit, the newest months in full', () => {
    const months = Array.from({ length: 14 }, (_, index) => month(index));
    const data = Object.fromEntries(months.map((name) => [name, full(name)]));
    const changes = boundLedger(data, now);
    const after = { ...data, ...changes };
    const bytes = Object.values(after).reduce((sum, text) => sum + (text?.length ?? 0), 0);
    expect(bytes).toBeLessThanOrEqual(600_000);
    expect(after['2026-11']).toBe(data['2026-11']);
    expect(after['2025-10']).toContain('(all)');
    expect(Object.values(changes)).not.toContain(undefined);
  });

  it('drops months only when folding is not enough', () => {
    const data = { [month(0)]: full(month(0)), [month(13)]: full(month(13)) };
    const changes = boundLedger(data, now, 1000);
    expect(changes).toStrictEqual({ [month(0)]: undefined });
  });
});
