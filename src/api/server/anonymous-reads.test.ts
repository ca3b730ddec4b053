import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress } from '../../../test/support/api-world.ts';
import { type EndpointId, endpointIds, endpoints } from '../../contract/endpoints.ts';

let world: ApiWorld;
afterEach(() => world.stop());

const everything = {
  auth: { webauthn: { enabled: true } },
  dashboardApi: { enabled: true },
  insights: { enabled: true },
  externalWake: { enabled: true, localClusterName: 'here' },
};

const bodies: Partial<Record<EndpointId, unknown>> = {
  requestOtp: { email: 'someone@example.com' },
  verifyOtp: { email: 'someone@example.com', otp: '00000000' },
  openMagicLink: { token: 'x'.repeat(43) },
  refreshSession: { refreshToken: 'x' },
  signInWithPasskey: { challengeId: 'x', response: { id: 'x' } },
  externalWake: {},
};

/** Every route that answers who has not signed in; a signature may be given by anybody too. */
const open = endpointIds.filter((id) => ['none', 'signature'].includes(endpoints[id].auth));

/** Reads and writes of the cluster by the API; watches are paid for once. */
function countReads(): () => number {
  let reads = 0;
  world.cluster.api.faults.onRequest(({ verb }) => {
    if (verb !== 'watch') reads++;
  });
  return () => reads;
}

describe('attack 28: what needs no sign-in', () => {
  it.each(open)('%s, asked fifty times, reads nothing of the cluster', async (id) => {
    world = await ApiWorld.start({ config: everything, features: 'as shipped' });
    const reads = countReads();
    const body = bodies[id];
    for (let turn = 0; turn < 50; turn++) {
      await world.running.api.server.app.inject({
        method: endpoints[id].method,
        url: endpoints[id].path,
        ...(body === undefined ? {} : { payload: body as object }),
      });
    }
    expect(reads()).toBe(0);
  });

  it('a passkey that nobody has is looked for in memory in a flood, also with a challenge of ours', async () => {
    world = await ApiWorld.start({ config: everything });
    const answers = new Set<number>();
    const reads = countReads();
    for (let turn = 0; turn < 50; turn++) {
      const { challengeId } = (await world.call('passkeySignInOptions')).json();
      const response = { id: 'nobody', rawId: 'nobody', type: 'public-key', response: {} };
      const answer = await world.running.api.server.app.inject({
        method: 'POST',
        url: endpoints.signInWithPasskey.path,
        payload: { challengeId, response },
      });
      answers.add(answer.statusCode);
    }
    expect([...answers]).toEqual([401]);
    expect(reads()).toBe(0);
  });

  it('reads the cluster as often when it is asked all the time as when nobody asks', async () => {
    world = await ApiWorld.start({ config: everything, features: 'as shipped' });
    const reads = countReads();
    const during = async (minutes: number, ask: () => Promise<unknown>) => {
      const before = reads();
      for (let turn = 0; turn < 30 * minutes; turn++) {
        await world.clock.advance(2_000);
        await ask();
      }
      return reads() - before;
    };
    const send = (id: EndpointId) => world.running.api.server.app.inject({ url: endpoints[id].path });
    const idle = await during(20, async () => {});
    const asked = await during(20, async () => {
      for (const id of ['publicHibernationStatus', 'dashboardStatus', 'dashboardInsights'] as const) {
        expect([id, (await send(id)).statusCode]).toEqual([id, 200]);
      }
    });
    // One of the state each five minutes.
    expect([asked, idle]).toEqual([4, 4]);
  });

  it('leaves a stand-down its budget, in the midst of a flood', async () => {
    world = await ApiWorld.start({ config: { ...everything, api: { kubernetesQPS: 5, kubernetesBurst: 10 } } });
    const token = await world.token(adminAddress);
    const flood = Array.from({ length: 200 }, (_, turn) => {
      const id = turn % 2 === 0 ? 'signInWithPasskey' : 'publicHibernationStatus';
      return world.call(id, bodies[id] === undefined ? {} : { body: bodies[id] });
    });
    const startedAt = world.clock.monotonic();
    expect((await world.call('standDown', {}, token)).statusCode).toBe(200);
    expect(world.clock.monotonic() - startedAt).toBeLessThan(2_000);
    await Promise.all(flood);
  });
});

describe('the pace at which the API asks the cluster', () => {
  const slow = { ...everything, api: { kubernetesQPS: 5, kubernetesBurst: 10 } };

  /** How long each waits, by the clock of the API, while so many calls of others wait for the cluster. */
  async function waitsBehind(flooder: string, people: readonly string[]): Promise<number[]> {
    world = await ApiWorld.start({ config: slow });
    const crowd = await world.token(flooder);
    const tokens = await Promise.all(people.map((person) => world.token(person)));
    const flood = Array.from({ length: 200 }, () => world.call('passkeys', {}, crowd));
    const waits: number[] = [];
    for (const token of tokens) {
      const startedAt = world.clock.monotonic();
      expect((await world.call('passkeys', {}, token)).statusCode).toBe(200);
      waits.push(world.clock.monotonic() - startedAt);
    }
    const startedAt = world.clock.monotonic();
    expect((await world.call('standDown', {}, tokens[0])).statusCode).toBe(200);
    waits.push(world.clock.monotonic() - startedAt);
    await Promise.all(flood);
    return waits;
  }

  it('is for admins and colleagues first, whatever people from outside ask for', async () => {
    const waits = await waitsBehind('mallory@elsewhere.test', [adminAddress, 'carol@example.com']);
    expect(Math.max(...waits)).toBeLessThan(3_000);
  });

  it('is for admins first, whatever colleagues ask for', async () => {
    const waits = await waitsBehind('carol@example.com', [adminAddress]);
    expect(Math.max(...waits)).toBeLessThan(3_000);
  });
});

describe('attack 28: requests beyond the limit of a client', () => {
  it('are those of strangers: who is signed in has a limit of their own, and a stand-down one beside it', async () => {
    world = await ApiWorld.start({ requestsPerMinute: 20 });
    const token = await world.token(adminAddress);
    for (let turn = 0; turn < 40; turn++) await world.call('branding');
    expect((await world.call('branding')).statusCode).toBe(429);
    for (let turn = 0; turn < 20; turn++) expect((await world.call('me', {}, token)).statusCode).toBe(200);
    expect((await world.call('me', {}, token)).statusCode).toBe(429);
    expect((await world.call('standDown', {}, token)).statusCode).toBe(200);
  });

  it('are those of who only claims to be signed in, too', async () => {
    world = await ApiWorld.start({ requestsPerMinute: 20 });
    for (let turn = 0; turn < 20; turn++) expect((await world.call('me', {}, `forged${turn}`)).statusCode).toBe(401);
    expect((await world.call('me', {}, 'forged')).statusCode).toBe(429);
  });
});

describe('a start while passkeys and savings cannot be read', () => {
  it('keeps nobody from signing in by mail; a passkey is told to come again, and is known when it can be read', async () => {
    let mayRead = false;
    world = await ApiWorld.start({ config: everything });
    // A rule of faults knows no list by the one name that it selects.
    world.cluster.api.faults.onRequest((_, { path }) => {
      if (!mayRead && /svc-(passkeys|insights)/.test(path)) throw new Error('reset');
    });
    await world.restart();
    expect(await world.token(adminAddress)).toBeTruthy();
    const { challengeId } = (await world.call('passkeySignInOptions')).json();
    const response = { id: 'nobody', rawId: 'nobody', type: 'public-key', response: {} };
    const tried = await world.call('signInWithPasskey', { body: { challengeId, response } });
    expect([tried.statusCode, tried.headers['retry-after']]).toEqual([503, '5']);
    mayRead = true;
    await world.pass(60_000);
    const again = await world.call('signInWithPasskey', { body: { challengeId, response } });
    expect(again.statusCode).toBe(401);
  });
});
