import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';
import { systemClock } from '../../platform/system-clock.ts';
import type { Mail } from '../../ports/mailer.ts';

let world: ApiWorld;
afterEach(() => world.stop());

const unknownAddress = 'nobody@example.com';
/** Somebody who has signed in, somebody who never has, and an admin; none tells more of itself than its own text. */
const addresses = [userAddress, unknownAddress, adminAddress] as const;
const hour = 3_600_000;

/** How likely one of the first takes longer than one of the second: 0.5 when they cannot be told apart. */
function longer(first: readonly number[], second: readonly number[]): number {
  let wins = 0;
  for (const a of first) for (const b of second) wins += a > b ? 1 : a === b ? 0.5 : 0;
  return wins / (first.length * second.length);
}

/** Times requests of each kind in turn, so that whatever else the machine does falls on all of them alike. */
async function timed(
  rounds: number,
  send: (address: string, round: number) => Promise<void>,
  prepare: typeof send = async () => {},
): Promise<number[][]> {
  const times: number[][] = addresses.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < addresses.length; turn++) {
      const which = (round + turn) % addresses.length;
      await prepare(addresses[which]!, round);
      const before = systemClock.monotonic();
      await send(addresses[which]!, round);
      times[which]!.push(systemClock.monotonic() - before);
    }
    // Four an hour and address stay below the limit.
    if (round % 4 === 3) await world.clock.advance(hour);
  }
  // What comes first pays for caches and compilation.
  return times.map((one) => one.slice(20));
}

function expectAlike(times: readonly (readonly number[])[]): void {
  for (const [index, first] of times.entries()) {
    for (const second of times.slice(index + 1)) {
      // With 300 of each, alike lies within 0.5 ± 0.07 in all but one of a hundred thousand runs.
      expect(longer(first, second)).toBeGreaterThan(0.35);
      expect(longer(first, second)).toBeLessThan(0.65);
    }
  }
}

const post = (path: string, payload: object, client: string) =>
  world.running.api.server.app.inject({
    method: 'POST',
    url: `/api/v1/auth/${path}`,
    payload,
    headers: { 'x-forwarded-for': client },
  });

describe('attack 4: telling a known address from an unknown one or an admin', () => {
  it('by how long the request for a code takes: not while the mail server takes its time for one of them', async () => {
    const mailMs: Readonly<Record<string, number>> = { [userAddress]: 20, [unknownAddress]: 0, [adminAddress]: 40 };
    const send = async ({ to }: Mail) => {
      const until = systemClock.monotonic() + (mailMs[to] ?? 0);
      // Sending costs time of ours too, not only waiting.
      while (systemClock.monotonic() < until) await new Promise((resolve) => setImmediate(resolve));
    };
    world = await ApiWorld.start({ mailer: () => ({ send }) });
    const times = await timed(60, async (email, round) => {
      const answer = await post('request-otp', { email }, `198.51.100.${round % 200}`);
      expect(answer.statusCode).toBe(200);
    });
    for (const one of times) expect(median(one)).toBeLessThan(15);
  });

  it('by how long the request for a code takes, over hundreds of them', async () => {
    world = await ApiWorld.start();
    await world.signIn(userAddress);
    await world.signIn(adminAddress);
    await world.clock.advance(hour);
    expectAlike(
      await timed(320, async (email, round) => {
        await post('request-otp', { email }, `198.51.100.${round % 200}`);
      }),
    );
  });

  it('by how long a wrong code takes, with a code on its way and without', async () => {
    world = await ApiWorld.start();
    const bodies = new Set<string>();
    const client = (round: number) => `198.51.100.${round % 200}`;
    const guess = async (email: string, round: number) => {
      const { body } = await post('verify-otp', { email, otp: '00000000' }, client(round));
      bodies.add(body);
    };
    const ask = async (email: string, round: number) => {
      if (email !== unknownAddress) await post('request-otp', { email }, client(round));
      // As much work before, so that what is measured starts alike.
      else await post('request-otp', { email: `${unknownAddress}.example.com` }, client(round));
    };
    expectAlike(await timed(320, guess, ask));
    expect([...bodies]).toEqual(['{"code":"invalid_code","message":"The code is wrong or has expired."}']);
  });

  it('by the work that is done: as many random bytes, mails and answers for each', async () => {
    const drawn: number[] = [];
    const random = seededRandom(7);
    world = await ApiWorld.start({
      random: {
        ...random,
        next: () => random.next(),
        bytes: (length: number) => {
          drawn.push(length);
          // Digits are drawn until none is thrown away; bytes below 250 never are.
          return random.bytes(length).map((byte) => byte % 250);
        },
      },
    });
    const seen = [];
    for (const email of addresses) {
      drawn.length = 0;
      const mails = world.inbox.mails.length;
      const answer = await world.settle(post('request-otp', { email }, '198.51.100.1') as Promise<never>);
      const { statusCode, body, headers } = answer as Awaited<ReturnType<typeof post>>;
      const { 'set-cookie': cookie, ...rest } = headers;
      await world.settleUntil(() => world.inbox.mails.length > mails);
      seen.push({
        drawn: [...drawn],
        statusCode,
        bytes: Buffer.byteLength(body),
        mails: world.inbox.mails.length - mails,
        cookie: String(cookie).replace(/=[^;]+/, '=').length,
        headers: Object.keys(rest).toSorted(),
      });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
