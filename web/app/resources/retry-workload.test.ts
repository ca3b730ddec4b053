import { describe, expect, it } from 'vitest';
import { offerOf } from './retry-workload.tsx';

describe('trying a workload again', () => {
  it('cannot be confirmed where it is impossible, and says why', () => {
    expect(offerOf({ possible: false, text: 'It is up.' })).toEqual({ says: ['It is up.'], disabled: true });
  });

  it('can be confirmed where it is possible, and says what it does', () => {
    const { says, disabled } = offerOf({ possible: true, text: 'It is waited for anew.' });
    expect([says[0], disabled]).toEqual(['A wake of this workload alone begins. It is waited for anew.', false]);
  });
});
