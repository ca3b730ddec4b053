import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { day, quietMs, restartIsDue, tokenSeconds } from './day.ts';
import { after, deeds, firstWishes, wrong } from './owners.ts';

describe('a day', () => {
  it('goes from step to step, down before up, and is quiet before both', () => {
    expect(day.map(({ at }) => at)).toEqual(day.map(({ at }) => at).toSorted((a, b) => a - b));
    const acts = day.map(({ act }) => act);
    for (const transition of ['hibernate', 'wake'] as const) expect(acts[acts.indexOf(transition) - 1]).toBe('quiet');
    expect(acts.indexOf('hibernate')).toBeLessThan(acts.indexOf('wake'));
  });

  it('meets owners, cut watches and new tokens by day and by night', () => {
    const night = day.findIndex(({ act }) => act === 'hibernate');
    for (const part of [day.slice(0, night), day.slice(night)]) {
      expect(part.map(({ act }) => act)).toEqual(expect.arrayContaining(['churn', 'cut', 'rotate', 'quiet']));
    }
  });

  it('has a new token before the old one ends', () => {
    const rotations = day.flatMap(({ act, at }) => (act === 'rotate' ? [at] : []));
    const longest = Math.max(...[...rotations, rotations[0]! + 1].map((at, index) => at - (rotations[index - 1] ?? 0)));
    for (const minutes of [1, 12, 60]) {
      const dayMs = minutes * 60_000;
      expect(tokenSeconds(dayMs) * 1_000).toBeGreaterThan(longest * dayMs);
    }
  });

  it('has time for its quiet windows', () => {
    for (const minutes of [1, 2, 60]) {
      const dayMs = minutes * 60_000;
      const gaps = day.flatMap(({ act, at }, index) => (act === 'quiet' ? [day[index + 1]!.at - at] : []));
      for (const gap of gaps) expect(quietMs(dayMs)).toBeLessThan(gap * dayMs);
    }
    expect(quietMs(3_600_000)).toBe(60_000);
  });

  it.each([
    [0, 0, true],
    [1_800_000, 1, false],
    [3_600_000, 1, true],
    [3_700_000, 2, false],
  ])('after %i ms and %i restarts an apiserver is due: %s', (elapsed, restarts, due) => {
    expect(restartIsDue(elapsed, restarts)).toBe(due);
  });
});

describe('owners', () => {
  const wishes = firstWishes(200);

  it('create, delete and scale a few, none twice, each to another count', () => {
    const random = seededRandom(1);
    for (let times = 0; times < 50; times++) {
      const done = deeds(wishes, 200, random);
      expect(
        Object.entries(Object.groupBy(done, ({ deed }) => deed)).map(([deed, all]) => [deed, all?.length]),
      ).toEqual([
        ['scale', 4],
        ['delete', 2],
        ['create', 2],
      ]);
      expect(new Set(done.map(({ key }) => key)).size).toBe(done.length);
      for (const one of done) {
        if (one.deed === 'delete') continue;
        expect([1, 2, 3]).toContain(one.count);
        if (one.deed === 'scale') expect(one.count).not.toBe(wishes.get(one.key));
        else expect(wishes.has(one.key)).toBe(false);
      }
    }
  });

  it('want what they have done last', () => {
    const next = after(wishes, [
      { deed: 'create', key: 'team-0/app-200', count: 2 },
      { deed: 'scale', key: 'team-0/app-0', count: 3 },
      { deed: 'delete', key: 'team-1/app-1' },
    ]);
    expect(wrong(wishes, next)).toEqual(['team-0/app-0', 'team-1/app-1', 'team-0/app-200']);
    expect(wishes.size).toBe(200);
    expect([next.get('team-0/app-0'), next.get('team-0/app-200'), next.has('team-1/app-1')]).toEqual([3, 2, false]);
  });

  it('find wrong what is another count, gone, or still there', () => {
    const now = new Map([...wishes, ['team-0/app-0', 0], ['team-9/late', 1]] as const);
    now.delete('team-1/app-1');
    expect(wrong(wishes, now)).toEqual(['team-0/app-0', 'team-1/app-1', 'team-9/late']);
    expect(wrong(wishes, wishes)).toEqual([]);
  });
});
