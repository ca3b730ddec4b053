import { describe, expect, it } from 'vitest';
import { cronJob, deployment } from '../../../test/support/builders/workloads.ts';
import { Lowerings } from './lowerings.ts';

const cart = deployment();

describe('what a process remembers of a night', () => {
  it('is how often it took this very object down, and whatever has its name', () => {
    const lowerings = new Lowerings();
    for (const workload of [cart, cart, deployment({ uid: 'uid-2' })]) lowerings.lowered(workload);
    expect([lowerings.times(cart), lowerings.timesByName(cart)]).toEqual([0, 3]);
    expect(lowerings.times(deployment({ uid: 'uid-2' }))).toBe(1);
    lowerings.over();
    expect([lowerings.times(cart), lowerings.timesByName(cart)]).toEqual([0, 0]);
  });

  it('is what may still be raised late: nobody has answered it, and nothing else was done to this object since', () => {
    const lowerings = new Lowerings();
    lowerings.givingBack(cart);
    // A raise is sent while the cluster is not to sleep.
    lowerings.over();
    expect([lowerings.mayBeRaisedLate(cart), lowerings.mayBeRaisedLate(deployment({ uid: 'uid-2' }))]).toEqual([
      true,
      false,
    ]);
    lowerings.answered(cart);
    expect(lowerings.mayBeRaisedLate(cart)).toBe(false);
    lowerings.givingBack(cart);
    lowerings.lowered(cart);
    expect(lowerings.mayBeRaisedLate(cart)).toBe(false);
  });

  it('is what another one of us had up: once, and once more after others needed it or the night was over', () => {
    const lowerings = new Lowerings();
    expect([lowerings.byAnother(cart), lowerings.byAnother(cart)]).toEqual([true, false]);
    lowerings.upForOthers(cart);
    expect([lowerings.byAnother(cart), lowerings.byAnother(cart)]).toEqual([true, false]);
    lowerings.over();
    expect(lowerings.byAnother(cart)).toBe(true);
  });

  it('is nothing of what others need where being up bears no name, and of the rest that it was down', () => {
    const lowerings = new Lowerings();
    const nightly = cronJob();
    for (const workload of [cart, cart, nightly, nightly]) lowerings.lowered(workload);
    for (const workload of [cart, nightly]) lowerings.upForOthers(workload);
    expect([lowerings.times(cart), lowerings.timesByName(cart)]).toEqual([1, 2]);
    expect([lowerings.times(nightly), lowerings.timesByName(nightly)]).toEqual([0, 0]);
  });
});
