import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptPlan, attemptsAt } from './attempts.ts';

const crashing = (seconds: number, extra: Partial<AttemptPlan> = {}): AttemptPlan => ({
  firstStartAt: 0,
  restartPolicy: 'Always',
  steadyFrom: 0,
  endOf: (_attempt, startedAt) => ({ at: startedAt + seconds * 1000, exitCode: 1 }),
  ...extra,
});

/** The starts of a container up to an instant, seen by looking each second. */
function starts(plan: AttemptPlan, seconds: number): number[] {
  const seen = new Set<number>();
  for (let at = 0; at <= seconds; at++) {
    const state = attemptsAt(plan, at * 1000);
    if (state.kind === 'running') seen.add(state.startedAt / 1000);
  }
  return [...seen];
}

describe('attemptsAt', () => {
  it('restarts at once, then after 10, 20, 40, 80, 160 and 300 seconds', () => {
    expect(starts(crashing(5), 1300)).toEqual([0, 5, 20, 45, 90, 175, 340, 645, 950, 1255]);
  });

  it('forgets the back-off of a container that lived over ten minutes', () => {
    expect(starts(crashing(601), 2000)).toEqual([0, 601, 1202, 1803]);
    expect(starts(crashing(600), 2000)).toEqual([0, 600, 1210, 1830]);
  });

  it('ends for good with the policy Never, and with OnFailure only on success', () => {
    const over = attemptsAt(crashing(5, { restartPolicy: 'Never' }), 60_000);
    expect(over).toEqual({ kind: 'over', last: { at: 5_000, exitCode: 1, startedAt: 0, attempt: 0 } });
    expect(attemptsAt(crashing(5, { restartPolicy: 'OnFailure' }), 16_000).kind).toBe('backoff');
  });

  it('says the same whether it walks a loop or skips its equal cycles', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 2_000_000 }), (seconds, at) => {
        const walked = attemptsAt(crashing(seconds, { steadyFrom: Number.POSITIVE_INFINITY }), at * 100);
        expect(attemptsAt(crashing(seconds), at * 100)).toEqual(walked);
      }),
    );
  });
});
