import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { sleep } from './sleep.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('the virtual clock', () => {
  it('fires timers in the order of their due times, and of their setting when those are equal', async () => {
    const clock = new VirtualClock(1_000);
    const fired: string[] = [];
    clock.after(20, () => fired.push(`late ${clock.now()}`));
    clock.after(10, () => fired.push(`first ${clock.now()}`));
    clock.after(10, () => fired.push(`second ${clock.now()}`));
    await clock.advance(20);
    expect(fired).toEqual(['first 1010', 'second 1010', 'late 1020']);
  });

  it('lets every promise settle between two timers', async () => {
    const clock = new VirtualClock(0);
    const seen: string[] = [];
    const worker = async () => {
      await sleep(clock, 5);
      for (let i = 0; i < 100; i++) await Promise.resolve();
      seen.push('worker');
    };
    void worker();
    clock.after(6, () => seen.push('timer'));
    await clock.advance(10);
    expect(seen).toEqual(['worker', 'timer']);
  });

  it('does not fire a cancelled timer, nor one beyond the time that passed', async () => {
    const clock = new VirtualClock(0);
    const fired: number[] = [];
    clock.after(5, () => fired.push(5))();
    clock.after(11, () => fired.push(11));
    await clock.advance(10);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([11]);
  });

  it('keeps the monotonic time when the wall clock jumps', () => {
    const clock = new VirtualClock(0);
    clock.jumpWallClock(-3_600_000);
    expect([clock.now(), clock.monotonic()]).toEqual([-3_600_000, 0]);
  });

  it('rejects a sleep whose signal aborts', async () => {
    const clock = new VirtualClock(0);
    const aborter = new AbortController();
    const sleeping = sleep(clock, 1_000, aborter.signal);
    aborter.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
  });
});

describe('the seeded random', () => {
  it('gives the same numbers for the same seed and others for another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed).next);
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });
});
