import { describe, expect, it } from 'vitest';
import type { PathStep } from './critical-path.ts';
import { tierLines, tierOfLine } from './tier-text.ts';

const steps: readonly PathStep[] = [
  { tier: 'data', ms: 90_500, heldBy: { kind: 'database', name: 'orders', ms: 90_000 } },
  { tier: 'a: b, c', ms: 1_000, heldBy: { kind: 'workload', name: 'Deployment shop/web', ms: 0 } },
  { tier: 'everything else', ms: 0 },
];

describe('the tiers of a wake, as its entry has them', () => {
  it('are lines for people', () => {
    expect(tierLines({ steps })).toEqual([
      'data: 1m30s500ms, held longest by database orders for 1m30s',
      'a: b, c: 1s, held longest by Deployment shop/web for 0s',
      'everything else: 0s',
    ]);
  });

  it('are read back whole', () => {
    expect(tierLines({ steps }).map(tierOfLine)).toEqual(steps);
  });

  it('of another release are none', () => {
    expect(['', 'data', 'data: soon', 'and 3 more'].map(tierOfLine)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
