import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';
import { endedSessions, mostEndedSessions } from '../../state/access/ended-sessions.ts';

let world: ApiWorld;
afterEach(() => world?.stop());

const fiveMinutes = 5 * 60_000;

/** A client that says what it likes to be, and keeps the proof that it is given for it. */
class Chooser {
  #proof = '';

  ask(browser: string) {
    return world.call('requestOtp', { body: { email: userAddress }, headers: this.#headers(browser) });
  }

  async verify(browser: string) {
    const body = { email: userAddress, otp: world.lastCode(userAddress) };
    const answer = await world.call('verifyOtp', { body, headers: this.#headers(browser) });
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    this.#proof =
      cookies.map((line) => /^svc_known=([^;]*)/.exec(line)?.[1]).find((proof) => proof !== undefined) ?? '';
    return answer;
  }

  #headers(browser: string) {
    return { cookie: `svc_browser=${browser}; svc_known=${this.#proof}` };
  }
}

describe('mails to an address that known browsers ask for', () => {
  it('are as many as one of them may, however many browsers one client is', async () => {
    world = await ApiWorld.start();
    const client = new Chooser();
    const mailed: boolean[] = [];
    for (let turn = 0; turn < 60; turn++) {
      const mails = world.inbox.mails.length;
      await client.ask(`browser${turn}`);
      mailed.push(world.inbox.mails.length > mails);
      if (mailed.at(-1)) await client.verify(`browser${turn + 1}`);
    }
    // Five of known browsers, and the five of everybody for those that are none.
    expect(mailed.filter(Boolean)).toHaveLength(10);
    expect(mailed.slice(-40)).toEqual(Array.from({ length: 40 }, () => false));
  });

  it('are theirs whatever strangers ask for, and the proof of one browser is none for another', async () => {
    world = await ApiWorld.start();
    const client = new Chooser();
    await client.ask('one');
    await client.verify('one');
    const stranger = new Chooser();
    for (let turn = 0; turn < 5; turn++) await stranger.ask('stranger');
    const mails = world.inbox.mails.length;
    await client.ask('another');
    expect(world.inbox.mails).toHaveLength(mails);
    await client.ask('one');
    expect(world.inbox.mails).toHaveLength(mails + 1);
  });
});

describe('sign-outs of one person', () => {
  it('however many sign nobody else out at the next start, and stay what they are', async () => {
    world = await ApiWorld.start();
    const other = await world.signIn(adminAddress);
    await world.clock.advance(60_000);
    const at = world.clock.now();
    // As an older release wrote them, so many that hardly any fits beside them.
    const before = Array.from({ length: mostEndedSessions - 25 }, (_, index) => ({
      session: `before${index}`,
      at,
      until: at + 24 * 3_600_000,
    }));
    world.setState({ ...world.stateData(), ended_sessions: endedSessions.encode(before)! });
    const ended: { token: string; refreshToken?: string }[] = [];
    for (let turn = 0; turn < 40; turn++) {
      await world.clock.advance(fiveMinutes);
      ended.push(await world.signIn(userAddress));
      await world.call('logout', { body: { refreshToken: ended.at(-1)!.refreshToken } });
    }
    await world.pass();
    const stored = endedSessions.decode(world.stateData()?.['ended_sessions']);
    expect(stored.ok && stored.value.length).toBe(before.length + 20);
    expect(world.stateData()?.['ended_sessions']).not.toContain(userAddress.split('@')[0]);
    await world.clock.advance(fiveMinutes);
    const mine = await world.signIn(userAddress);
    const refresh = async (refreshToken: string | undefined) =>
      (await world.call('refreshSession', { body: { refreshToken } })).statusCode;
    for (const { refreshToken } of ended) expect(await refresh(refreshToken)).toBe(401);
    await world.restart();
    for (const { refreshToken } of ended) expect(await refresh(refreshToken)).toBe(401);
    expect([await refresh(other.refreshToken), await refresh(mine.refreshToken)]).toEqual([200, 200]);
  });
});
