import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import { Loop, type LoopOptions, type PassResult } from './loop.ts';

function loopOf(pass: (signal: AbortSignal, count: number) => PassResult | Promise<PassResult>, options?: LoopOptions) {
  const clock = new VirtualClock(0);
  const passes: number[] = [];
  /** When it was noticed that the process had stood still. */
  const standstills: number[] = [];
  const process = new PausableProcess(clock, { send: () => Promise.reject(new Error('nothing is sent')) });
  const looped = {
    pass: async (signal: AbortSignal) => {
      passes.push(clock.now());
      return pass(signal, passes.length);
    },
    stoodStill: () => standstills.push(clock.now()),
  };
  const loop = new Loop(process.clock, silentLogger, looped, options);
  return { clock, loop, passes, standstills, process };
}

describe('the loop', () => {
  it('runs at the start, and again when the pass asked to', async () => {
    const { clock, loop, passes } = loopOf((_, count) => (count === 1 ? { requeueAt: 90_000 } : {}));
    loop.start();
    await clock.advance(600_000);
    expect(passes).toEqual([0, 90_000]);
  });

  it('joins a burst of cluster changes into one pass after the quiet time', async () => {
    const { clock, loop, passes } = loopOf(() => ({}));
    loop.start();
    await clock.advance(100);
    for (let i = 0; i < 50; i++) loop.requeueSoon();
    await clock.advance(5_000);
    expect(passes).toEqual([0, 1_000]);
  });

  it('runs at once for an intent, aborting the pass under way', async () => {
    const aborted: boolean[] = [];
    const { clock, loop, passes } = loopOf(async (signal, count) => {
      if (count > 1) return {};
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      aborted.push(signal.aborted);
      return { requeueAt: 1_000_000 };
    });
    loop.start();
    await clock.advance(40_000);
    loop.requeueNow();
    await clock.advance(0);
    expect([passes, aborted]).toEqual([[0, 40_000], [true]]);
  });

  it('retries a failed pass with a doubling delay, and forgets the failures after a good one', async () => {
    const { clock, loop, passes } = loopOf(
      (_, count) => {
        if (count <= 3 || count === 5) throw new Error('no answer');
        return { requeueAt: clock.now() + 10_000 };
      },
      { retryMs: [1_000, 60_000] },
    );
    loop.start();
    await clock.advance(18_500);
    expect(passes).toEqual([0, 1_000, 3_000, 7_000, 17_000, 18_000]);
  });

  it('notices within a minute that the wall clock has jumped past its next time', async () => {
    const { clock, loop, passes, standstills } = loopOf((_, count) => (count === 1 ? { requeueAt: 3_600_000 } : {}));
    loop.start();
    await clock.advance(1_000);
    clock.jumpWallClock(7_200_000);
    await clock.advance(60_000);
    expect(passes).toHaveLength(2);
    // A machine that slept looks the same.
    expect(standstills).toHaveLength(1);
  });

  it('notices within a minute that the wall clock was set back: what was decided may no longer hold', async () => {
    const { clock, loop, passes } = loopOf((_, count) => (count === 1 ? { requeueAt: 3_600_000 } : {}));
    loop.start();
    await clock.advance(1_000);
    clock.jumpWallClock(-7_200_000);
    await clock.advance(60_000);
    expect(passes).toEqual([0, 60_000 - 7_200_000]);
    await clock.advance(3_600_000);
    expect(passes).toHaveLength(2);
  });

  it('does not take a clock that is being corrected for one that was set', async () => {
    const { clock, loop, passes } = loopOf((_, count) => (count === 1 ? { requeueAt: 3_600_000 } : {}));
    loop.start();
    await clock.advance(1_000);
    clock.jumpWallClock(-2_000);
    await clock.advance(600_000);
    expect(passes).toEqual([0]);
  });

  it('starts nothing after a stop, and the stop waits for the pass under way', async () => {
    let release: () => void = () => {};
    const { clock, loop, passes } = loopOf(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { requeueAt: 1 };
    });
    loop.start();
    await clock.advance(0);
    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await clock.advance(10);
    expect(stopped).toBe(false);
    release();
    await stopping;
    loop.requeueNow();
    await clock.advance(10_000);
    expect(passes).toEqual([0]);
  });

  describe('of a process that is stopped and goes on', () => {
    it.each([
      ['by its timer', () => {}],
      ['by what asks for a pass before it', (loop: Loop) => loop.requeueSoon()],
    ])('notices that it stood still, before the next pass: %s', async (_, first) => {
      const { clock, loop, passes, standstills, process } = loopOf((_, count) =>
        count === 1 ? { requeueAt: 90_000 } : {},
      );
      loop.start();
      await clock.advance(50_000);
      process.pause();
      await clock.advance(60_000 + 31_000);
      expect(standstills).toEqual([]);
      first(loop);
      process.continue();
      await clock.advance(0);
      expect([standstills, passes]).toEqual([[141_000], [0, 141_000]]);
    });

    it('takes neither a long pause between passes nor a busy machine for it', async () => {
      const { clock, loop, standstills, process } = loopOf(() => ({ requeueAt: 3_600_000 }));
      loop.start();
      await clock.advance(3_500_000);
      process.pause();
      await clock.advance(69_000);
      process.continue();
      await clock.advance(20_000);
      expect(standstills).toEqual([]);
    });
  });
});
