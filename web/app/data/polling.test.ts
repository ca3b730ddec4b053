import { describe, expect, it } from 'vitest';
import { AnswerTooOld, type Freshness, freshForMs, freshnessOf, oldestLate } from './polling.ts';

describe('an answer', () => {
  const rows: readonly (readonly [string, number, boolean, string, number | undefined])[] = [
    ['that just came is fresh', 0, false, 'fresh', 35_000],
    ['is fresh while the next poll is on its way', 34_999, false, 'fresh', 1],
    ['is late when the poll brought none', 35_000, false, 'late', 25_000],
    ['is late until a minute', 59_999, false, 'late', 1],
    ['is lost after a minute', 60_000, false, 'lost', undefined],
    ['is kept longer for the title of a hidden tab', 60_000, true, 'late', 120_000],
    ['is lost there too', 180_000, true, 'lost', undefined],
  ];
  it.each(rows)('%s', (_, age, hidden, fresh, left) => {
    expect([freshnessOf(age, hidden), freshForMs(age, hidden)]).toEqual([fresh, left]);
  });
});

describe('what a page shows of several answers', () => {
  const answer = (dataUpdatedAt: number, freshness: Freshness, error: Error | null = null) => ({
    dataUpdatedAt,
    freshness,
    error,
  });

  it('is current while every answer is', () => {
    expect(oldestLate([answer(5, 'fresh'), answer(1, 'fresh')])).toBe(undefined);
    expect(oldestLate([])).toBe(undefined);
  });

  it('is as old as the oldest of those that are late', () => {
    const reads = [answer(5, 'late'), answer(3, 'lost'), answer(1, 'fresh')];
    expect(oldestLate(reads)).toBe(reads[1]);
  });

  it('has no age where nothing came, or where an error stands in its place', () => {
    expect(oldestLate([answer(0, 'late'), answer(3, 'lost', new AnswerTooOld())])).toBe(undefined);
  });
});
