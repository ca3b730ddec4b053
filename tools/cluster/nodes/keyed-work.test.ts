import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { KeyedWork } from './keyed-work.ts';

/** Work that ends when the test says so. */
function heldWork(atOnce: number) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const clock = new VirtualClock(0);
  const work = new KeyedWork(clock, atOnce, (key) => {
    started.push(key);
    return new Promise((resolve) => ends.set(key, resolve));
  });
  const end = async (key: string) => {
    ends.get(key)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { work, started, end, clock };
}

describe('keyed work', () => {
  it('runs at most so many keys at once, the others in their order', async () => {
    const { work, started, end } = heldWork(2);
    for (const key of ['a', 'b', 'c', 'd']) work.ask(key);
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('runs a key again, once, when it was asked for while it ran', async () => {
    const { work, started, end } = heldWork(2);
    work.ask('a');
    work.ask('a');
    work.ask('a');
    expect(started).toEqual(['a']);
    await end('a');
    expect(started).toEqual(['a', 'a']);
    await end('a');
    expect(started).toEqual(['a', 'a']);
  });

  it('runs a key at its instant, and not when that was taken away', async () => {
    const { work, started, clock } = heldWork(9);
    work.askAt('late', 2_000);
    work.askAt('soon', 1_000);
    work.askAt('never', 500);
    work.askAt('never', undefined);
    await clock.advance(1_000);
    expect(started).toEqual(['soon']);
    await clock.advance(1_000);
    expect(started).toEqual(['soon', 'late']);
  });
});
