import { describe, expect, it } from 'vitest';
import { inParallel } from './pool.ts';

/** Work that ends when the test says so, and remembers what was started. */
function manualWork() {
  const started: number[] = [];
  const finish = new Map<number, () => void>();
  const work = (item: number) =>
    new Promise<void>((resolve) => {
      started.push(item);
      finish.set(item, resolve);
    });
  return { started, work, finish: (item: number) => finish.get(item)!() };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('work in parallel', () => {
  it('starts no more than the limit, in order, and the next as one ends', async () => {
    const { started, work, finish } = manualWork();
    void inParallel([1, 2, 3, 4], 2, new AbortController().signal, work);
    expect(started).toEqual([1, 2]);
    finish(2);
    await turn();
    expect(started).toEqual([1, 2, 3]);
  });

  it('starts nothing more after an abort, and ends when what was under way has ended', async () => {
    const { started, work, finish } = manualWork();
    const aborter = new AbortController();
    let ended = false;
    const all = inParallel([1, 2, 3], 2, aborter.signal, work).then(() => {
      ended = true;
    });
    aborter.abort();
    finish(1);
    await turn();
    expect([started, ended]).toEqual([[1, 2], false]);
    finish(2);
    await all;
    expect(started).toEqual([1, 2]);
  });
});
