import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowOf } from './virtual-window.ts';

describe('the window of a long table', () => {
  it('begins at the top with what is in sight and a few more', () => {
    expect(windowOf(5000, 50, { top: 0, height: 500 })).toEqual({ first: 0, last: 15 });
  });

  it('moves with the scroll', () => {
    expect(windowOf(5000, 50, { top: 10_000, height: 500 })).toEqual({ first: 195, last: 215 });
  });

  it('holds every row in sight and never one that is not there', () => {
    const any = fc.integer({ min: 0, max: 300_000 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6000 }), any, fc.integer({ min: 0, max: 2000 }), (count, top, height) => {
        const { first, last } = windowOf(count, 50, { top, height });
        expect(first).toBeGreaterThanOrEqual(0);
        expect(last).toBeGreaterThanOrEqual(first);
        expect(last).toBeLessThanOrEqual(count);
        for (let row = 0; row < count; row += 1) {
          const inSight = row * 50 < top + height && (row + 1) * 50 > top;
          if (inSight) expect(row >= first && row < last).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});
