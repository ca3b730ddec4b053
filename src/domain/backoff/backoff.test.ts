import { describe, expect, it } from 'vitest';
import { type Episode, failedAgain, lasts } from './backoff.ts';

const refusal = { kind: 'refused', message: 'denied by policy' } as const;
const silence = { kind: 'failed', message: 'timed out' } as const;

/** When each try of a write comes that fails for ever, in milliseconds. */
function triesWithin(ms: number, failure: Parameters<typeof failedAgain>[1]): readonly number[] {
  const times: number[] = [];
  let episode: Episode | undefined;
  for (let now = 0; now < ms; now = episode.dueAt) {
    times.push(now);
    episode = failedAgain(episode, failure, now);
  }
  return times;
}

describe('a write that fails for ever', () => {
  it('is tried after 1, 2, 4, 8, 16 and then every 30 seconds, the longer pauses to the next five seconds', () => {
    expect(triesWithin(120_000, refusal).map((ms) => ms / 1000)).toEqual([0, 1, 3, 7, 15, 35, 65, 95]);
  });

  it('comes due together with the others that have been failing as long', () => {
    const dues = Array.from({ length: 400 }, (_, index) => {
      let episode = failedAgain(undefined, refusal, index * 7);
      for (let tries = 0; tries < 8; tries++) episode = failedAgain(episode, refusal, episode.dueAt);
      return episode.dueAt;
    });
    expect(new Set(dues).size).toBeLessThan(4);
  });

  it('is tried less than 150 times in any hour', () => {
    const tries = triesWithin(12 * 3_600_000, refusal);
    for (const from of tries) {
      expect(tries.filter((at) => at >= from && at < from + 3_600_000).length).toBeLessThan(150);
    }
  });

  it('waits as long as the cluster asks for', () => {
    expect(failedAgain(undefined, { ...refusal, retryAfterMs: 91_000 }, 1_000).dueAt).toBe(95_000);
    expect(failedAgain(undefined, { ...refusal, retryAfterMs: 10 }, 1_000).dueAt).toBe(2_000);
  });
});

describe('a failure lasts', () => {
  it('after five seconds when the cluster refuses', () => {
    const episode = failedAgain(undefined, refusal, 1_000);
    expect(lasts(episode, 5_999)).toBe(false);
    expect(lasts(episode, 6_000)).toBe(true);
  });

  it('after a minute when nobody says no', () => {
    const episode = failedAgain(undefined, silence, 1_000);
    expect(lasts(episode, 60_999)).toBe(false);
    expect(lasts(episode, 61_000)).toBe(true);
  });

  it('not when silence lies between two refusals: each may be that of an apiserver that has just started', () => {
    const [first, quiet] = [failedAgain(undefined, refusal, 0), silence];
    const mixed = failedAgain(failedAgain(first, quiet, 3_000), refusal, 6_000);
    expect(lasts(mixed, 6_000)).toBe(false);
    expect(lasts(mixed, 11_000)).toBe(true);
  });

  it('after a minute whatever was answered by turns', () => {
    let episode = failedAgain(undefined, refusal, 0);
    for (let now = 4_000; now <= 60_000; now += 4_000) {
      episode = failedAgain(episode, (now / 4_000) % 2 === 0 ? refusal : silence, now);
    }
    expect(lasts(episode, 60_000)).toBe(true);
  });
});
