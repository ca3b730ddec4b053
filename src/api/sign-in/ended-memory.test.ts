import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { EndedMemory } from './ended-memory.ts';

const start = Date.UTC(2026, 0, 5);
const week = 7 * 24 * 3_600_000;

function memory() {
  const clock = new VirtualClock(start);
  const ended = new EndedMemory(clock);
  const has = (session: string, issuedAt: number, person = 'nobody') =>
    ended.has({ session: () => session, person: () => person, issuedAt });
  return { clock, ended, has };
}

describe('what a process knows to have ended', () => {
  it('is not what the state folded meanwhile, as long as it can tell all of them apart', () => {
    const { ended, has } = memory();
    ended.restore([]);
    ended.add('own', start + week);
    ended.restore([{ session: '*', at: start, until: start + week }]);
    expect(has('own', start)).toBe(true);
    expect(has('other', start)).toBe(false);
  });

  it('is what the state folded once there were more than it can tell apart', () => {
    const { ended, has } = memory();
    ended.restore([]);
    for (let index = 0; index <= 20_000; index++) ended.add(`own${index}`, start + week);
    ended.restore([{ session: '*', at: start, until: start + week }]);
    expect(has('own0', start)).toBe(true);
    expect(has('own20000', start + 1)).toBe(true);
    expect(has('after', start + 1)).toBe(false);
  });

  it('keeps what the state names before what it names no longer', () => {
    const { ended, has } = memory();
    ended.restore([{ session: 'named', at: start, until: start + week }]);
    for (let index = 0; index < 20_000; index++) {
      ended.add(`own${index}`, start + week);
      if (index % 5_000 === 0) ended.restore([{ session: 'named', at: start, until: start + week }]);
    }
    expect(has('named', start)).toBe(true);
  });

  it('goes when it has expired, on a clock that nobody sets', async () => {
    const { clock, ended, has } = memory();
    ended.restore([{ session: '*', of: 'bob', at: start, until: start + week }]);
    ended.add('own', start + week);
    clock.jumpWallClock(2 * week);
    ended.restore([]);
    expect([has('own', start), has('other', start, 'bob')]).toEqual([true, true]);
    clock.jumpWallClock(-2 * week);
    await clock.advance(week);
    ended.restore([]);
    expect([has('own', start), has('other', start, 'bob')]).toEqual([false, false]);
  });
});
