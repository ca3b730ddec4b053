import { describe, expect, it } from 'vitest';
import { RefusalPatience } from './refusal-patience.ts';

describe('patience with refusals', () => {
  it('ends after five seconds, for each act by itself', () => {
    const patience = new RefusalPatience();
    expect(patience.lasts('raise cart', 1_000)).toBe(false);
    expect(patience.lasts('raise db', 3_000)).toBe(false);
    expect(patience.lasts('raise cart', 5_999)).toBe(false);
    expect(patience.lasts('raise cart', 6_000)).toBe(true);
    expect(patience.lasts('raise db', 6_000)).toBe(false);
  });

  it('begins anew after any other answer, and with a transition', () => {
    const patience = new RefusalPatience();
    patience.lasts('raise cart', 0);
    patience.lasts('raise db', 0);
    patience.endedOtherwise('raise cart');
    expect(patience.lasts('raise cart', 5_000)).toBe(false);
    expect(patience.lasts('raise db', 5_000)).toBe(true);
    patience.startAnew();
    expect(patience.lasts('raise db', 5_000)).toBe(false);
  });
});
