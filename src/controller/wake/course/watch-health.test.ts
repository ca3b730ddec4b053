import { describe, expect, it } from 'vitest';
import { standardFigures } from '../../../domain/wake/verdict/figures.ts';
import type { WakeState } from '../../../domain/wake/verdict/wake-state.ts';
import type { WatchedKind } from '../../../ports/cluster.ts';
import { WatchOutages } from '../../transition/watch-outages.ts';
import { type WatchHealthStep, watchHealthOf } from './watch-health.ts';

const second = 1_000;
const minute = 60 * second;
const wake: WakeState = { id: 'w', startedAt: 0, failOpenMs: 27 * minute, tiers: [], writeOffs: {} };
const outside = 27 * minute + 225 * second;

/** Passes at instants of the wake; `failing` are the watches that are out of step from now on. */
class Passes {
  readonly warnings: string[] = [];
  readonly #patience = new WatchOutages();
  failing: readonly WatchedKind[] = [];

  at(now: number, kinds: readonly ('Deployment' | 'StatefulSet')[] = ['Deployment']) {
    const context = {
      informers: { inStep: (kind: WatchedKind) => !this.failing.includes(kind) },
      clock: { now: () => now, monotonic: () => now },
      logger: { warn: (message: string) => void this.warnings.push(message) },
      compiled: { figures: standardFigures },
      watchOutages: this.#patience,
    } as unknown as WatchHealthStep; // Only what the sight reads of the clock and the logger.
    const { lost, heldUntil } = watchHealthOf(context, wake, new Set(kinds));
    return { lost: [...lost], heldUntil };
  }

  fail(): void {
    this.#patience.startAnew();
  }
}

const clear = { lost: [], heldUntil: undefined };

describe('what a wake can rely on', () => {
  it('everything, while the watches are in step', () => {
    expect(new Passes().at(minute)).toEqual(clear);
  });

  it('nothing is judged for 45 seconds after a watch was first seen to fail, then it goes on without', () => {
    const passes = new Passes();
    passes.failing = ['Pod'];
    expect(passes.at(minute)).toEqual({ lost: [], heldUntil: minute + 45 * second });
    expect(passes.at(minute + 45 * second - 1)).toEqual({ lost: [], heldUntil: minute + 45 * second });
    expect(passes.warnings).toEqual([]);
    expect(passes.at(minute + 45 * second)).toEqual({ lost: ['Pod'], heldUntil: undefined });
    expect(passes.at(minute + 50 * second)).toEqual({ lost: ['Pod'], heldUntil: undefined });
    expect(passes.warnings).toEqual(['Pods cannot be read']);
  });

  it('a watch that is back is relied on at once, and its next failure is waited for anew', () => {
    const passes = new Passes();
    passes.failing = ['Deployment'];
    passes.at(minute);
    passes.failing = [];
    expect(passes.at(2 * minute)).toEqual(clear);
    passes.failing = ['Deployment'];
    expect(passes.at(3 * minute)).toEqual({ lost: [], heldUntil: 3 * minute + 45 * second });
  });

  it('a pass that failed itself begins the wait anew: perhaps nothing answered', () => {
    const passes = new Passes();
    passes.failing = ['Pod'];
    passes.at(minute);
    passes.fail();
    expect(passes.at(5 * minute)).toEqual({ lost: [], heldUntil: 5 * minute + 45 * second });
  });

  it('the wake is not held past its outside figure', () => {
    const passes = new Passes();
    passes.at(minute);
    passes.failing = ['Pod'];
    expect(passes.at(outside - second)).toEqual({ lost: [], heldUntil: outside });
    expect(passes.at(outside)).toEqual({ lost: ['Pod'], heldUntil: undefined });
  });

  it.each([outside - second, outside + 9 * minute])(
    'a controller that comes back at %d has its 45 seconds to see the pods, and no more',
    (back) => {
      const passes = new Passes();
      passes.failing = ['Pod'];
      const heldUntil = back + 45 * second;
      expect(passes.at(back)).toEqual({ lost: [], heldUntil });
      expect(passes.at(heldUntil - 1)).toEqual({ lost: [], heldUntil });
      expect(passes.at(heldUntil)).toEqual({ lost: ['Pod'], heldUntil: undefined });
    },
  );

  it('so has one whose passes failed until then: nothing answered', () => {
    const passes = new Passes();
    passes.at(minute);
    passes.failing = ['Pod'];
    passes.at(5 * minute);
    passes.fail();
    expect(passes.at(outside + minute)).toEqual({ lost: [], heldUntil: outside + minute + 45 * second });
  });

  it('kinds of which the wake has none do not matter, nor do pods for a wake of CronJobs and databases', () => {
    const passes = new Passes();
    passes.failing = ['StatefulSet', 'CronJob'];
    expect(passes.at(minute)).toEqual(clear);
    passes.failing = ['Pod', 'Deployment', 'StatefulSet'];
    expect(passes.at(minute, [])).toEqual(clear);
    expect(passes.at(minute, ['StatefulSet']).heldUntil).toBe(minute + 45 * second);
  });
});
