import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, day, type Given, session } from '../../../test/support/examples/desired-examples.ts';

describe('desiredState, for any acts of people and clusters', () => {
  const hour = 3_600_000;
  const time = fc.integer({ min: -48, max: 96 }).map((hours) => day('00:00') + hours * hour);
  const input = fc.record(
    {
      now: time,
      wakeOverride: fc.record({ by: fc.constant('ann'), at: time, until: time }),
      manualHibernation: fc.record({ by: fc.constant('bob'), at: time }),
      externalSessions: fc.array(
        fc.tuple(time, time, fc.boolean()).map(([a, b, named]) => session(a, b, named ? ['shop'] : [])),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: ['now', 'externalSessions'] },
  ) as fc.Arbitrary<Given & { now: number }>;

  it('wants the same until nextChangeAt, and something else then', () => {
    fc.assert(
      fc.property(input, (acts) => {
        const wants = (now: number) => {
          const { wanted, keepAwake, external } = at(now, acts);
          return JSON.stringify({ wanted, keepAwake, external });
        };
        const { nextChangeAt } = at(acts.now, acts);
        expect(nextChangeAt).toBeGreaterThan(acts.now);
        const next = nextChangeAt as number;
        for (let t = acts.now; t < next; t += hour / 2) expect(wants(t)).toBe(wants(acts.now));
        expect(wants(next - 1)).toBe(wants(acts.now));
        expect(wants(next)).not.toBe(wants(acts.now));
      }),
      { numRuns: 300 },
    );
  });

  it('is never hibernated inside a live wake override that no later hibernation ended', () => {
    fc.assert(
      fc.property(input, (acts) => {
        const { wakeOverride: wake, manualHibernation: manual } = acts;
        if (wake === undefined || acts.now >= wake.until || (manual !== undefined && manual.at > wake.at)) return;
        expect(at(acts.now, acts).wanted).toBe('awake');
      }),
    );
  });

  it('never lowers anything while stood down or unlicensed', () => {
    fc.assert(
      fc.property(input, fc.boolean(), fc.boolean(), (acts, done, standsDown) => {
        const stop: Given = standsDown
          ? { standDown: { actor: 'ann' } }
          : { license: { acts: false, verdict: 'unlicensed' } };
        expect(at(acts.now, { ...acts, ...stop, handbackDone: done }).wanted).toBe(done ? 'nothing' : 'handback');
      }),
    );
  });
});
