import { describe, expect, it } from 'vitest';
import { lostCounts, Progress } from './progress.ts';

const three = new Map([
  ['a/x', 1],
  ['a/y', 2],
  ['b/x', 3],
]);
const asleep = new Map([...three.keys()].map((key) => [key, 0]));

describe('the progress of a way', () => {
  it('lasts from the first change to the last, and from when it was asked for', () => {
    const progress = new Progress(three, asleep);
    progress.see('a/x', 0, 110);
    progress.see('a/y', 0, 150);
    expect(progress.done).toBe(false);
    expect(progress.percent).toBeCloseTo(66.7, 1);
    progress.see('b/x', 0, 210);
    expect(progress.done).toBe(true);
    expect(progress.passed(100)).toEqual({ changesMs: 100, askedMs: 110, missing: 0 });
  });

  it('is not made by whatever else happens to a Deployment, nor by one that is none of these', () => {
    const progress = new Progress(three, asleep);
    progress.see('a/x', 1, 10);
    progress.see('c/x', 0, 20);
    expect(progress.lastChangeAt).toBeUndefined();
    progress.see('a/x', 0, 30);
    progress.see('a/x', 0, 99);
    expect(progress.passed(0)).toEqual({ changesMs: 0, askedMs: 30, missing: 2 });
  });

  it('goes back with what leaves its goal again', () => {
    const progress = new Progress(asleep, three);
    progress.see('a/x', 1, 10);
    progress.see('a/x', 5, 20);
    expect(progress.percent).toBe(0);
    expect(progress.lastChangeAt).toBe(20);
  });

  it('is none when nothing has changed, and no time was waited before it was asked for', () => {
    expect(new Progress(three, asleep).passed(100)).toEqual({ changesMs: 0, askedMs: 0, missing: 3 });
    const early = new Progress(three, asleep);
    early.see('a/x', 0, 50);
    expect(early.passed(100).askedMs).toBe(0);
  });

  it('counts what was there from the start', () => {
    const half = new Progress(new Map([...three, ['a/x', 0]]), asleep);
    expect(half.percent).toBeCloseTo(33.3, 1);
  });
});

describe('lost counts', () => {
  it('are those that are other ones, or gone', () => {
    expect(lostCounts(three, three)).toEqual([]);
    expect(lostCounts(three, asleep)).toEqual(['a/x', 'a/y', 'b/x']);
    expect(
      lostCounts(
        three,
        new Map([
          ['a/x', 1],
          ['a/y', 1],
        ]),
      ),
    ).toEqual(['a/y', 'b/x']);
  });
});
