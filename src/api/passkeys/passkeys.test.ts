import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, releaseNamespace, userAddress } from '../../../test/support/api-world.ts';
import { goodConfig } from '../../../test/support/builders/config.ts';
import { SoftwarePasskey } from '../../../test/support/software-passkey.ts';
import { configMaps } from '../../domain/names.ts';
import { relyingParty } from './passkeys.ts';
import { ownerKey } from './records.ts';

const origin = 'https://svc.example.com';
const rpId = 'svc.example.com';

let world: ApiWorld;
afterEach(() => world.stop());

const start = async (config: object = {}) => {
  world = await ApiWorld.start({ config: { ...config, auth: { webauthn: { enabled: true } } } });
};

async function register(email: string, passkey = new SoftwarePasskey(), from = origin, name = 'Laptop') {
  const token = await world.token(email);
  const { challengeId, options } = (await world.call('passkeyRegistrationOptions', {}, token)).json();
  const response = passkey.register(options.challenge, from, rpId);
  const answer = await world.call('registerPasskey', { body: { challengeId, name, response } }, token);
  return { token, passkey, answer, challengeId, response };
}

async function challenge() {
  const { challengeId, options } = (await world.call('passkeySignInOptions')).json();
  return { challengeId, value: options.challenge as string };
}

async function signIn(passkey: SoftwarePasskey, from = origin, party = rpId) {
  const { challengeId, value } = await challenge();
  const body = { challengeId, response: passkey.authenticate(value, from, party) };
  return { answer: await world.call('signInWithPasskey', { body }), body };
}

const refused = { code: 'passkey_refused', message: 'The passkey was not accepted.' };

function stored(): Record<string, string> {
  return world.cluster.store.get('configmaps', releaseNamespace, configMaps.passkeys)?.['data'] as Record<
    string,
    string
  >;
}

function store(data: Record<string, string>): void {
  world.cluster.apply([
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: configMaps.passkeys, namespace: releaseNamespace },
      data,
    },
  ]);
}

describe('a passkey', () => {
  it('is added by who is signed in, tells its owner by mail, signs in and is removed', async () => {
    await start();
    const { answer, passkey, token } = await register(adminAddress);
    expect(answer.json().passkey).toMatchObject({ id: passkey.id.toString('base64url'), name: 'Laptop' });
    expect(world.inbox.last(adminAddress)?.subject).toBe('A passkey was added to your account on test');
    const { answer: signedIn } = await signIn(passkey);
    expect(signedIn.json().user).toEqual({ email: adminAddress, admin: true, member: true, shownAs: adminAddress });
    const kept = [signedIn.headers['set-cookie']].flat().map((cookie) => String(cookie).split('=')[0]);
    // Known from now on: what strangers ask for does not keep its mails back.
    expect(kept.toSorted()).toEqual(['svc_browser', 'svc_known', 'svc_refresh']);
    expect((await world.call('passkeys', {}, token)).json()).toMatchObject({
      enabled: true,
      items: [{ name: 'Laptop', lastUsedAt: expect.any(String) }],
    });
    const params = { id: passkey.id.toString('base64url') };
    expect((await world.call('deletePasskey', { params }, token)).statusCode).toBe(200);
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    const titles = (await world.call('audit', {}, token)).json().entries.map(({ title }: { title: string }) => title);
    expect(titles.toSorted()).toEqual(['Passkey Added', 'Passkey Removed']);
  });

  it('is stored without an address in plain text', async () => {
    await start();
    await register(userAddress);
    expect(JSON.stringify(stored())).not.toContain('bob');
  });

  it('signs in whoever else does at the same moment: twenty of twenty, and each use is stored', async () => {
    await start();
    const people = Array.from({ length: 20 }, (_, index) => `person${index}@example.com`);
    const asked: { body: object }[] = [];
    for (const email of people) {
      const { passkey } = await register(email);
      const { challengeId, value } = await challenge();
      asked.push({ body: { challengeId, response: passkey.authenticate(value, origin, rpId) } });
    }
    // Nobody's write is there before the next one reads.
    world.cluster.api.faults.add({
      match: ({ name }) => name === configMaps.passkeys,
      effect: { kind: 'delay', ms: 100 },
    });
    const answers = await Promise.all(asked.map((parts) => world.call('signInWithPasskey', parts)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(people.map(() => 200));
    for (const email of people) expect(stored()[ownerKey(email)]).toContain('"lastUsedAt"');
  });

  it('answers a challenge once', async () => {
    await start();
    const { passkey, challengeId, response, token } = await register(userAddress);
    const again = await world.call('registerPasskey', { body: { challengeId, response } }, token);
    expect(again.json()).toEqual(refused);
    const { answer, body } = await signIn(passkey);
    expect(answer.statusCode).toBe(200);
    expect((await world.call('signInWithPasskey', { body })).json()).toEqual(refused);
  });

  it('answers a challenge once, also when two answers come at one time', async () => {
    await start();
    const { passkey } = await register(userAddress);
    const { challengeId, value } = await challenge();
    const body = { challengeId, response: passkey.authenticate(value, origin, rpId) };
    const both = await Promise.all([1, 2].map(() => world.call('signInWithPasskey', { body })));
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  });

  it('is answered in time, whatever strangers ask for meanwhile', async () => {
    await start();
    const { passkey } = await register(userAddress);
    const { challengeId, value } = await challenge();
    for (let index = 0; index < 5_001; index++) await world.call('passkeySignInOptions');
    const body = { challengeId, response: passkey.authenticate(value, origin, rpId) };
    expect((await world.call('signInWithPasskey', { body })).statusCode).toBe(200);
  });

  it('that was asked for to add a passkey signs nobody in', async () => {
    await start();
    const { passkey, token } = await register(userAddress);
    const { challengeId, options } = (await world.call('passkeyRegistrationOptions', {}, token)).json();
    const body = { challengeId, response: passkey.authenticate(options.challenge, origin, rpId) };
    expect((await world.call('signInWithPasskey', { body })).json()).toEqual(refused);
  });

  it('signs nobody in while mail is off, as a code does not; who is signed in stays so', async () => {
    await start();
    const { passkey } = await register(userAddress);
    const { answer } = await signIn(passkey);
    const { challengeId, value } = await challenge();
    world.configure({ smtp: { enabled: false }, auth: { webauthn: { enabled: true } } });
    await world.pass();
    const body = { challengeId, response: passkey.authenticate(value, origin, rpId) };
    for (const sent of [
      world.call('requestOtp', { body: { email: userAddress } }),
      world.call('passkeySignInOptions'),
      world.call('signInWithPasskey', { body }),
    ]) {
      const refusal = await sent;
      expect([refusal.statusCode, refusal.json()]).toEqual([
        403,
        { code: 'smtp_disabled', message: 'SMTP is disabled' },
      ]);
    }
    expect((await world.call('me', {}, answer.json().token)).statusCode).toBe(200);
  });

  it('answers within five minutes', async () => {
    await start();
    const { passkey } = await register(userAddress);
    const { challengeId, value } = await challenge();
    await world.clock.advance(5 * 60_000 + 1);
    const body = { challengeId, response: passkey.authenticate(value, origin, rpId) };
    expect((await world.call('signInWithPasskey', { body })).json()).toEqual(refused);
  });

  it('of another origin or relying party is refused', async () => {
    await start();
    const { passkey } = await register(userAddress);
    for (const [from, party] of [
      ['https://evil.example', rpId],
      ['https://svc.example.com.evil.example', rpId],
      ['http://svc.example.com', rpId],
      [origin, 'evil.example'],
    ] as const) {
      expect((await signIn(passkey, from, party)).answer.json()).toEqual(refused);
    }
    expect((await register('carol@example.com', undefined, 'https://evil.example')).answer.json()).toEqual(refused);
  });

  it("with another user's id is refused", async () => {
    await start();
    const { passkey } = await register(adminAddress);
    await register(userAddress);
    const thief = new SoftwarePasskey();
    passkey.id.copy(thief.id);
    expect((await signIn(thief)).answer.json()).toEqual(refused);
  });

  it('that names another user than the one it belongs to is refused', async () => {
    await start();
    const { passkey } = await register(userAddress);
    passkey.userHandle = Buffer.from(ownerKey(adminAddress), 'hex').toString('base64url');
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    passkey.userHandle = Buffer.from(ownerKey(userAddress), 'hex').toString('base64url');
    expect((await signIn(passkey)).answer.statusCode).toBe(200);
  });

  it("asked for in a frame of another site's page is refused", async () => {
    await start();
    const { passkey } = await register(userAddress);
    passkey.crossOrigin = true;
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    const framed = new SoftwarePasskey();
    framed.crossOrigin = true;
    expect((await register(userAddress, framed)).answer.json()).toEqual(refused);
  });

  it('of an id that somebody else has is not added, also at the same moment; its owner may add it again', async () => {
    await start();
    const { passkey } = await register(adminAddress);
    expect((await register(userAddress, passkey)).answer.json()).toEqual(refused);
    expect((await signIn(passkey)).answer.json().user.email).toBe(adminAddress);
    expect((await register(adminAddress, passkey)).answer.statusCode).toBe(200);
    const fresh = new SoftwarePasskey();
    const asked: { body: object; token: string }[] = [];
    for (const email of [adminAddress, userAddress]) {
      const token = await world.token(email);
      const { challengeId, options } = (await world.call('passkeyRegistrationOptions', {}, token)).json();
      asked.push({ token, body: { challengeId, response: fresh.register(options.challenge, origin, rpId) } });
    }
    world.cluster.api.faults.add({
      match: ({ name }) => name === configMaps.passkeys,
      effect: { kind: 'delay', ms: 100 },
    });
    const answers = await Promise.all(asked.map(({ body, token }) => world.call('registerPasskey', { body }, token)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  });

  it('whose holder showed neither finger nor PIN is refused', async () => {
    await start();
    const { passkey } = await register(userAddress);
    passkey.userVerified = false;
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    passkey.userVerified = true;
    expect((await signIn(passkey)).answer.statusCode).toBe(200);
    const found = new SoftwarePasskey();
    found.userVerified = false;
    expect((await register(userAddress, found)).answer.json()).toEqual(refused);
  });

  it("cannot be registered with another user's challenge", async () => {
    await start();
    const admin = await world.token(adminAddress);
    const { challengeId, options } = (await world.call('passkeyRegistrationOptions', {}, admin)).json();
    const response = new SoftwarePasskey().register(options.challenge, origin, rpId);
    const body = { challengeId, response };
    expect((await world.call('registerPasskey', { body }, await world.token(userAddress))).json()).toEqual(refused);
  });

  it('whose counter goes back is refused', async () => {
    await start();
    const { passkey } = await register(userAddress);
    passkey.counter = 10;
    expect((await signIn(passkey)).answer.statusCode).toBe(200);
    passkey.counter = 5;
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
  });

  it('whose record was pasted under another key, or changed, is ignored', async () => {
    await start();
    const { passkey, token } = await register(userAddress);
    await register(adminAddress);
    const data = stored();
    const mine = Object.entries(data).find(([, text]) => text.includes(passkey.id.toString('base64url')))!;
    const adminsKey = Object.keys(data).find((key) => key !== mine[0])!;
    store({ [adminsKey]: mine[1] });
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    const changed = JSON.parse(mine[1]);
    store({ [mine[0]]: JSON.stringify([{ ...changed[0], counter: 0, name: 'Changed' }]) });
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    store({ [mine[0]]: 'not JSON' });
    expect((await world.call('passkeys', {}, token)).json().items).toEqual([]);
    store({ [mine[0]]: mine[1] });
    expect((await signIn(passkey)).answer.statusCode).toBe(200);
  });

  it('loses nobody their way in when the store is gone', async () => {
    await start();
    const { passkey } = await register(userAddress);
    store({});
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    expect(await world.token(userAddress)).toBeTruthy();
  });

  it('does not exist while the feature is off', async () => {
    world = await ApiWorld.start();
    const token = await world.token(userAddress);
    for (const id of ['passkeyRegistrationOptions', 'passkeySignInOptions'] as const) {
      const answer = await world.call(id, {}, token);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'feature_disabled']);
    }
    expect((await world.call('passkeys', {}, token)).json()).toEqual({ enabled: false, items: [] });
  });
});

describe('the relying party', () => {
  const config = (parts: { externalUrl: string; internalUrl?: string; rpId?: string; displayName?: string }) =>
    goodConfig({
      clusterName: 'cluster',
      externalUrl: parts.externalUrl,
      internalUrl: parts.internalUrl ?? '',
      auth: { webauthn: { rpId: parts.rpId ?? '', displayName: parts.displayName ?? '' } },
    });
  const rows = {
    'is the host of the external address': [
      { externalUrl: 'https://svc.example.com/team' },
      { rpID: 'svc.example.com', rpName: 'cluster', origins: ['https://svc.example.com'] },
    ],
    'is the host of the internal address if there is one': [
      { externalUrl: 'https://svc.example.com', internalUrl: 'https://svc.corp.example.org:8443' },
      { rpID: 'svc.corp.example.org', rpName: 'cluster', origins: ['https://svc.corp.example.org:8443'] },
    ],
    'may be a parent of both': [
      {
        externalUrl: 'https://a.example.com',
        internalUrl: 'https://b.example.com',
        rpId: 'example.com',
        displayName: 'Acme',
      },
      { rpID: 'example.com', rpName: 'Acme', origins: ['https://b.example.com', 'https://a.example.com'] },
    ],
  } as const;
  for (const [name, [parts, wanted]] of Object.entries(rows)) {
    it(name, async () => {
      world = await ApiWorld.start();
      expect(relyingParty(config(parts))).toEqual(wanted);
    });
  }
});

describe('a store of passkeys', () => {
  const isWrite = ({ resource, verb, name }: { resource: string; verb: string; name: string }) =>
    resource === 'configmaps' && verb !== 'get' && name === configMaps.passkeys;
  const fail = (status: number, message: string) => {
    world.cluster.api.faults.add({ match: isWrite, effect: { kind: 'fail', status, message } });
  };

  it('that has no room left is 409 state_full, and keeps what it has', async () => {
    await start();
    const full = { somebody: 'x'.repeat(1_048_576) };
    store(full);
    const { answer } = await register(userAddress);
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      {
        code: 'state_full',
        message:
          'The passkeys have no room left: ConfigMap "svc-passkeys" is invalid: []: Too long: may not be more than 1048576 bytes',
      },
    ]);
    expect(stored()).toEqual(full);
  });

  it('that may not be written is 503, and says so', async () => {
    await start();
    store({});
    fail(403, 'configmaps "svc-passkeys" is forbidden');
    const { answer } = await register(userAddress);
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        code: 'managed_state_unavailable',
        message: 'The passkeys could not be written: configmaps "svc-passkeys" is forbidden',
      },
    ]);
  });

  it('that is slow keeps two uses of one person waiting, and no more', async () => {
    await start();
    const { passkey } = await register(userAddress);
    const clear = world.cluster.api.faults.add({
      match: ({ verb, name }) => verb === 'get' && name === configMaps.passkeys,
      effect: { kind: 'delay', ms: 4_000 },
    });
    const five = Array.from({ length: 5 }, () => signIn(passkey));
    // Which two wait is not told by who asked first: a signature is checked beside the main thread.
    const answers: (readonly [status: number, retryAfter: unknown])[] = [];
    const threeAnswered = new Promise<void>((resolve) => {
      for (const one of five) {
        void one.then(({ answer }) => {
          answers.push([answer.statusCode, answer.headers['retry-after']]);
          if (answers.length === 3) resolve();
        });
      }
    });
    await Promise.race([threeAnswered, Promise.all(five)]);
    expect(answers).toEqual(Array.from({ length: 3 }, () => [429, '5']));
    await world.pass(8_100);
    await Promise.all(five);
    expect(answers.slice(3).map(([status]) => status)).toEqual([200, 200]);
    clear();
    expect((await signIn(passkey)).answer.statusCode).toBe(200);
  });

  it('that cannot be used tells whoever is not signed in no more than that; the log has the rest', async () => {
    await start();
    const { passkey } = await register(userAddress);
    const rows = {
      get: 'The passkeys could not be read.',
      patch: 'The passkeys could not be written.',
    };
    for (const [verb, message] of Object.entries(rows)) {
      const clear = world.cluster.api.faults.add({
        match: (facts) => facts.verb === verb && facts.name === configMaps.passkeys,
        effect: { kind: 'fail', status: 403, message: `User "svc-api" cannot ${verb}` },
      });
      const { answer } = await signIn(passkey);
      expect([answer.statusCode, answer.json()]).toEqual([503, { code: 'managed_state_unavailable', message }]);
      expect(answer.headers['retry-after']).toBe('5');
      expect(JSON.stringify(world.log)).toContain(`cannot ${verb}`);
      clear();
    }
    expect((await signIn(passkey)).answer.statusCode).toBe(200);
  });

  it('whose answer was lost is seen to have been written; a removal is told once', async () => {
    await start();
    const { token, passkey } = await register(userAddress);
    world.cluster.api.faults.add({ match: isWrite, effect: { kind: 'drop', when: 'after' }, times: 1 });
    const params = { id: passkey.id.toString('base64url') };
    const removed = await world.call('deletePasskey', { params }, token);
    expect([removed.statusCode, removed.json().message]).toEqual([200, 'The passkey was removed.']);
    expect((await world.call('passkeys', {}, token)).json().items).toEqual([]);
  });

  it('that holds a value nobody can decode locks nobody out: it is as if there were none', async () => {
    await start();
    const { token, passkey } = await register(userAddress);
    store(Object.fromEntries(Object.keys(stored()).map((key) => [key, 'not JSON'])));
    expect((await world.call('passkeys', {}, token)).json()).toEqual({ enabled: true, items: [] });
    expect((await signIn(passkey)).answer.json()).toEqual(refused);
    expect(await world.token(userAddress)).toBeTruthy();
  });
});

describe('the size of the store', () => {
  const size = async () =>
    /^svc_passkey_store_size_bytes (\d+)$/m.exec((await world.running.api.metrics.render()).text)?.[1];

  it('is known after a restart, before anybody uses a passkey', async () => {
    const metadata = { name: configMaps.passkeys, namespace: releaseNamespace };
    world = await ApiWorld.start({
      config: { auth: { webauthn: { enabled: true } } },
      objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { someone: 'x'.repeat(700_000) } }],
    });
    await world.pass();
    expect(await size()).toBe('700000');
  });

  it('is not said to be 0 while passkeys are off', async () => {
    world = await ApiWorld.start({});
    await world.pass();
    expect(await size()).toBeUndefined();
  });
});
