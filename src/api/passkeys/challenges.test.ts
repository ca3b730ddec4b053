import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { Challenges, challengeLifetimeMs } from './challenges.ts';

function made(seed = 1) {
  const clock = new VirtualClock(0);
  const challenges = new Challenges(clock, seededRandom(seed));
  const ask = (challenge = 'b25l') => challenges.issue({ challenge, purpose: 'sign-in' });
  return { clock, challenges, ask };
}

const toSignIn = { purpose: 'sign-in' } as const;
const toRegister = (address: string) => ({ purpose: 'register', address }) as const;

describe('a challenge', () => {
  it('is found by its id, however many others are asked for meanwhile', () => {
    const { challenges, ask } = made();
    const mine = ask();
    for (let index = 0; index < 20_000; index++) ask();
    expect(challenges.find(mine, toSignIn)).toEqual({ challenge: 'b25l', purpose: 'sign-in' });
  });

  it('is kept nowhere: whoever has the same key finds it, though he has issued none', () => {
    expect(made().challenges.find(made().ask(), toSignIn)).toEqual({ challenge: 'b25l', purpose: 'sign-in' });
  });

  it('is good for what it was issued for, and for whom', () => {
    const { challenges, ask } = made();
    const registration = challenges.issue({ challenge: 'b25l', ...toRegister('ada@example.com') });
    expect(challenges.find(registration, toRegister('ada@example.com'))).toBeDefined();
    expect(challenges.find(registration, toRegister('bob@example.com'))).toBeUndefined();
    expect(challenges.find(registration, toSignIn)).toBeUndefined();
    expect(challenges.find(registration, { purpose: 'sign-in', address: 'ada@example.com' })).toBeUndefined();
    expect(challenges.find(ask(), toRegister('ada@example.com'))).toBeUndefined();
    expect(challenges.find(ask(), { purpose: 'register' })).toBeUndefined();
  });

  it('is good for five minutes', async () => {
    const { challenges, ask, clock } = made();
    const id = ask();
    await clock.advance(challengeLifetimeMs - 1);
    expect(challenges.find(id, toSignIn)).toBeDefined();
    await clock.advance(1);
    expect(challenges.find(id, toSignIn)).toBeUndefined();
  });

  it('that nobody here has issued is none: another process, any bit, any length', () => {
    const { challenges, ask } = made();
    expect(challenges.find(made(2).ask(), toSignIn)).toBeUndefined();
    const bytes = Buffer.from(ask(), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(challenges.find(changed.toString('base64url'), toSignIn)).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length++) {
      expect(challenges.find(bytes.subarray(0, length).toString('base64url'), toSignIn)).toBeUndefined();
    }
    for (const text of ['', 'x', '💥', `${ask()}A`, `${ask()}=`, ` ${ask()}`]) {
      expect(challenges.find(text, toSignIn)).toBeUndefined();
    }
  });

  it('is used once, by the first of any number, and forgotten when it has expired', async () => {
    const { challenges, ask, clock } = made();
    const id = ask();
    await clock.advance(challengeLifetimeMs - 1);
    expect([challenges.use(id), challenges.use(id)]).toEqual([true, false]);
    expect(challenges.find(id, toSignIn)).toBeUndefined();
    const late = ask();
    expect(challenges.use(late)).toBe(true);
    await clock.advance(challengeLifetimeMs - 1);
    // What is remembered is tidied when another is used: this one is still good by the clock.
    expect(challenges.use(ask())).toBe(true);
    expect([challenges.find(late, toSignIn), challenges.use(late)]).toEqual([undefined, false]);
    // Long after it has expired nothing is known of it any more, whether others were used meanwhile or not.
    for (const waits of [[1, 1, 1], [2]]) {
      const old = ask();
      challenges.use(old);
      for (const lifetimes of waits) {
        await clock.advance(lifetimes * challengeLifetimeMs);
        challenges.use(ask());
      }
      expect(challenges.use(old)).toBe(true);
    }
  });
});
