import { describe, expect, it, vi } from 'vitest';
import { delays, median, mostQueued, type Pair, report, type Setting, type Wake } from './figures.ts';

const setting: Setting = { workloads: 300, events: 1000, destinations: 2, bufferSize: 20 };
const quiet: Wake = {
  outcome: 'wakeComplete',
  raisedMs: 4_000,
  completeMs: 6_000,
  burstMs: 0,
  queue: 0,
  dropped: 0,
  keptBytes: 0,
};
const burst: Wake = { ...quiet, raisedMs: 4_030, burstMs: 20, queue: 42, dropped: 1958, keptBytes: 500_000 };
const pair = (more: Partial<Wake> = {}, peak = 81): Pair => ({
  death: 'silent',
  quiet,
  burst: { ...burst, ...more },
  quietPeakMiB: 80,
  burstPeakMiB: peak,
});

describe('the figures of a burst', () => {
  it('are the parts by which each wake took longer, and their middle', () => {
    expect(delays([pair(), pair({ raisedMs: 3_960 })])).toEqual([0.0075, -0.01]);
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
    expect(mostQueued(setting)).toBe(42);
  });

  it.each([
    ['all is well', [pair()], true],
    ['one slow pair among three is the machine', [pair(), pair({ raisedMs: 4_500 }), pair()], true],
    ['the wake is delayed', [pair({ raisedMs: 4_041 })], false],
    ['the queue grows', [pair({ queue: 43 })], false],
    ['memory is kept', [pair({ keptBytes: 3 * 2 ** 20 })], false],
    ['the peak rises', [pair({}, 97)], false],
    ['nothing was dropped, so the server was not dead', [pair({ dropped: 0 })], false],
    ['a wake failed', [pair({ outcome: 'wakeFailed' })], false],
  ])('judge that %s', (_, pairs, pass) => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(report(pairs, setting).pass).toBe(pass);
  });
});
