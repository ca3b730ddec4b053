import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StandDownTrigger, stepStandDown } from '../domain/stops/begin-or-end-stand-down.ts';
import { notStoodDown } from '../domain/stops/stand-down-state.ts';
import { standDown } from './stand-down.ts';

const anyTrigger: fc.Arbitrary<StandDownTrigger> = fc.oneof(
  fc.record({ type: fc.constant('admin-stands-down' as const), actor: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant('admin-ends' as const), actor: fc.string({ minLength: 1 }) }),
  fc.record({ type: fc.constant('configuration-seen' as const), enabled: fc.boolean() }),
  fc.constant({ type: 'handback-finished' as const }),
);

describe('stand_down', () => {
  it('survives storage after any run of triggers', () => {
    fc.assert(
      fc.property(fc.array(anyTrigger, { maxLength: 10 }), fc.integer({ min: 0, max: 4e12 }), (triggers, at) => {
        let state = notStoodDown;
        triggers.forEach((trigger, index) => {
          state = stepStandDown(state, trigger, { at: at + index, changeId: `c${index}` }).state;
          expect(standDown.decode(standDown.encode(state))).toEqual({ ok: true, value: state });
        });
      }),
    );
  });
});
