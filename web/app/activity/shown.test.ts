import { describe, expect, it } from 'vitest';
import { firstAdded, shownOf } from './shown.ts';

const entries = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `e-${first + index}`,
    at: '2026-11-03T11:00:00.000Z',
    kind: 'stand-down',
    title: 'Stood Down',
    actor: 'ada@example.com',
  }));

describe('what is drawn of the log', () => {
  it.each([
    ['all of a short one, without a word about it', { has: 100, total: 100, count: 100 }, [100, '', 0]],
    ['the newest hundred', { has: 100, total: 1000, count: 100 }, [100, '100 of 1,000', 100]],
    ['a hundred of an answer that holds more', { has: 1000, total: 1000, count: 100 }, [100, '100 of 1,000', 100]],
    ['as many as are left', { has: 200, total: 237, count: 200 }, [200, '200 of 237', 37]],
    ['that these are all', { has: 237, total: 237, count: 300 }, [237, '237 of 237', 0]],
    ['nothing of an empty one', { has: 0, total: 0, count: 100 }, [0, '', 0]],
  ])('is %s', (_, { has, total, count }, [drawn, words, next]) => {
    const shown = shownOf({ entries: entries(0, has), total }, count);
    expect([shown.entries.length, shown.words, shown.next]).toEqual([drawn, words, next]);
    expect(shown.entries[0]?.id).toBe(has === 0 ? undefined : 'e-0');
  });
});

describe('where to go on reading', () => {
  it('is the first that was not there', () => {
    expect(firstAdded(entries(0, 100), entries(0, 200))).toBe('e-100');
  });

  it('is the same when others have arrived in front of all', () => {
    expect(firstAdded(entries(0, 100), entries(-3, 200))).toBe('e-100');
  });

  it('is nowhere when nothing was added', () => {
    expect(firstAdded(entries(0, 100), entries(0, 100))).toBe(undefined);
  });
});
