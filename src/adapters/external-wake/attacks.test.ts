import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deployment, Internet, Site } from '../../../test/support/external-wake-site.ts';
import { KeyFolder } from '../http-signatures/key-folder.ts';
import { keyIdOf, type RequestToSign, signRequest } from '../http-signatures/sign-request.ts';

const night = Date.UTC(2026, 10, 16, 1);
const newKey = () => randomBytes(32).toString('base64');
const [keyOfA, keyOfB, sharedKey] = [newKey(), newKey(), newKey()];
const url = 'https://host.example.com/team/api/v1/external-wake';

const config = (quotas: object) => ({
  externalUrl: 'https://host.example.com/team/',
  internalUrl: 'https://host.internal.example.com',
  externalWake: {
    enabled: true,
    localClusterName: 'host',
    quotas,
    clusters: [
      { name: 'Cluster A', secretRef: { name: 'a', key: 'hmac' } },
      { name: 'b', secretRef: { name: 'b', key: 'hmac' } },
      { name: 'lost', secretRef: { name: 'lost', key: 'hmac' } },
      // One Secret may serve several clusters.
      ...['many', 'more'].map((name) => ({ name, secretRef: { name: 'many', key: 'hmac' } })),
    ],
  },
});

let internet: Internet;
let host: Site;

async function start(quotas: object = {}): Promise<void> {
  internet = new Internet(night);
  host = new Site(internet, 'host.example.com', config(quotas), [deployment('db', 'shop', 2)]);
  host.keys.texts.set('a/hmac', keyOfA).set('b/hmac', keyOfB).set('many/hmac', sharedKey);
  await host.start();
  await internet.advance(1_000);
}
afterEach(() => host.stop());

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A good request of cluster A, unless it is said otherwise. */
function good(more: Partial<Omit<RequestToSign, 'body'>> & { readonly body?: string } = {}): Sent {
  const { body = '{}', ...rest } = more;
  const request = {
    method: 'POST',
    url,
    keyId: keyIdOf('Cluster A'),
    key: Buffer.from(keyOfA, 'base64'),
    created: Math.floor(internet.clock.now() / 1000),
    nonce: randomBytes(16).toString('base64url'),
    purpose: 'svc-external-wake' as const,
    ...rest,
    body: Buffer.from(body),
  };
  const headers = { 'content-type': 'application/json', host: new URL(request.url).host, ...signRequest(request) };
  return { method: request.method, target: '/api/v1/external-wake', headers, body };
}

async function send({ method, target, headers, body }: Sent): Promise<number> {
  const answer = host.api.api.server.app.inject({
    method: method as 'POST',
    url: target,
    headers,
    ...(body === '' ? {} : { payload: body }),
  });
  return (await internet.settle(answer as Promise<{ statusCode: number }>)).statusCode;
}

describe('requests of other clusters', () => {
  beforeEach(() => start());

  it('that are signed as they must be are let in, at either address, with a body or without', async () => {
    expect(await send(good())).toBe(200);
    expect(await send(good({ url: 'https://host.internal.example.com/api/v1/external-wake' }))).toBe(200);
    expect(await send(good({ method: 'DELETE', body: '' }))).toBe(200);
    expect(await send(good({ keyId: 'b', key: Buffer.from(keyOfB, 'base64') }))).toBe(200);
  });

  const attacks: Record<string, () => Sent> = {
    'without a signature': () => ({ ...good(), headers: { 'content-type': 'application/json' } }),
    'of a cluster nobody knows': () => good({ keyId: 'stranger' }),
    'of a cluster whose key is not mounted': () => good({ keyId: 'lost' }),
    "with another cluster's key": () => good({ key: Buffer.from(keyOfB, 'base64') }),
    'in the name of another cluster': () => good({ keyId: 'b' }),
    'with no key at all': () => good({ keyId: 'stranger', key: new Uint8Array(32) }),
    'five minutes and a second old': () => good({ created: Math.floor(internet.clock.now() / 1000) - 301 }),
    'five minutes and two seconds ahead': () => good({ created: Math.floor(internet.clock.now() / 1000) + 302 }),
    'made before the process started': () => good({ created: night / 1000 - 1 }),
    'with the method swapped': () => ({ ...good(), method: 'DELETE', body: '{}' }),
    'signed for another method': () => ({ ...good({ method: 'PUT' }), method: 'POST' }),
    'signed for another path': () => good({ url: `${url}/sessions` }),
    'with a query added': () => ({ ...good(), target: '/api/v1/external-wake?x=1' }),
    'signed for another host': () => good({ url: 'https://other.example.com/team/api/v1/external-wake' }),
    'signed for another host, with its Host header': () => {
      const sent = good({ url: 'https://other.example.com/api/v1/external-wake' });
      return {
        ...sent,
        headers: { ...sent.headers, host: 'other.example.com', 'x-forwarded-host': 'other.example.com' },
      };
    },
    'signed for http': () => good({ url: url.replace('https', 'http') }),
    'with another body': () => ({ ...good(), body: '{"duration":"8h"}' }),
    'with the same body, written differently': () => ({ ...good(), body: '{ }' }),
    'with another body and its digest': () => {
      const sent = good();
      const digest = good({ body: '{"duration":"8h"}' }).headers['content-digest']!;
      return { ...sent, body: '{"duration":"8h"}', headers: { ...sent.headers, 'content-digest': digest } };
    },
    'without a digest': () => {
      const { 'content-digest': _, ...headers } = good().headers;
      return { ...good(), headers };
    },
    'signed as a notification': () => good({ purpose: 'svc-notification' }),
    'with a bit of the signature turned': () => {
      const sent = good();
      const flipped = sent.headers['signature']!.replace(/=:(.)/, (_, first) => `=:${first === 'A' ? 'B' : 'A'}`);
      return { ...sent, headers: { ...sent.headers, signature: flipped } };
    },
    'with an empty signature': () => ({ ...good(), headers: { ...good().headers, signature: 'svc=::' } }),
  };
  it.each(Object.entries(attacks))('%s are refused', async (_, attack) => {
    await internet.advance(400_000);
    expect(await send(attack())).toBe(401);
    expect(host.state('external_wake_sessions')).toBeNull();
  });

  it('are let in up to five minutes off, either way', async () => {
    await internet.advance(400_000);
    for (const skew of [-299, 299]) {
      expect(await send(good({ created: Math.floor(internet.clock.now() / 1000) + skew }))).toBe(200);
    }
  });

  it('are let in once: a replay is refused, also among two hundred at the same time', async () => {
    const captured = good();
    expect(await send(captured)).toBe(200);
    expect(await send(captured)).toBe(401);
    const again = good();
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(again)));
    expect(answers.filter((status) => status === 200)).toHaveLength(1);
  });

  it('are let in once, also over a restart', async () => {
    const captured = good();
    expect(await send(captured)).toBe(200);
    await internet.advance(2_000);
    host.startVerifier();
    expect(await send(captured)).toBe(401);
    await internet.advance(1_000);
    expect(await send(good())).toBe(200);
  });

  it('are let in under the old and the new key while both are there, and not under the old one after', async () => {
    const fresh = newKey();
    const underNew = () => good({ key: Buffer.from(fresh, 'base64') });
    expect(await send(underNew())).toBe(401);
    host.keys.texts.set('a/hmac', `${fresh}\n${keyOfA}\n`);
    expect([await send(good()), await send(underNew())]).toEqual([200, 200]);
    host.keys.texts.set('a/hmac', fresh);
    expect([await send(good()), await send(underNew())]).toEqual([401, 200]);
  });

  it('of more than 64 KiB are refused unread', async () => {
    expect(await send(good({ body: JSON.stringify({ x: 'y'.repeat(70_000) }) }))).toBe(413);
  });
});

describe('quotas', () => {
  const key = Buffer.from(sharedKey, 'base64');
  /** Two hundred that no two of ask for the same, so that none is a renewal. */
  const fromMany = () =>
    Array.from({ length: 200 }, (_, index) =>
      good({
        keyId: index % 2 === 0 ? 'many' : 'more',
        key,
        body: JSON.stringify({ resources: [{ namespace: `shop-${index}` }] }),
      }),
    );
  const outcomes = async (requests: readonly Sent[]) => {
    const statuses = await Promise.all(requests.map(send));
    return {
      taken: statuses.filter((one) => one === 200).length,
      refused: statuses.filter((one) => one === 429).length,
    };
  };

  it('hold five sessions at a time under two hundred requests in parallel', async () => {
    await start();
    expect(await outcomes(fromMany())).toEqual({ taken: 5, refused: 195 });
    expect(host.state('external_wake_sessions')).toHaveLength(5);
  });

  it('hold twenty new sessions an hour under two hundred requests in parallel', async () => {
    await start({ maxConcurrentWakes: 1_000 });
    expect(await outcomes(fromMany())).toEqual({ taken: 20, refused: 180 });
    await internet.advance(3_600_000);
    expect((await outcomes(fromMany())).taken).toBe(40);
  });

  it('that leave room for all two hundred let all of them in, though they come at once', async () => {
    await start({ maxConcurrentWakes: 1_000, maxWakesPerHour: 1_000 });
    expect(await outcomes(fromMany())).toEqual({ taken: 200, refused: 0 });
    expect(host.state('external_wake_sessions')).toHaveLength(200);
  });

  it('count sessions that were ended, so that ending one makes no room in the hour', async () => {
    await start({ maxWakesPerHour: 3 });
    const one = { keyId: 'many', key };
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) {
      statuses.push(await send(good(one)), await send(good({ ...one, method: 'DELETE', body: '' })));
    }
    expect(statuses.filter((_, index) => index % 2 === 0)).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('keys in a folder', () => {
  it('are read as they are mounted, and nothing else is', async () => {
    await start();
    const folder = await mkdtemp(join(tmpdir(), 'svc-keys-'));
    await mkdir(join(folder, 'peers'));
    await writeFile(join(folder, 'peers', 'hmac'), `${keyOfA}\n`);
    await writeFile(join(folder, 'outside'), keyOfB);
    const keys = new KeyFolder(folder);
    expect(await keys.keys({ name: 'peers', key: 'hmac' })).toEqual([Buffer.from(keyOfA, 'base64')]);
    await expect(keys.keys({ name: 'peers', key: 'gone' })).rejects.toThrow('key gone of Secret peers is not mounted');
    await expect(keys.keys({ name: 'peers', key: '../outside' })).rejects.toThrow('is not a name');
    await expect(keys.keys({ name: '..', key: 'x' })).rejects.toThrow('is not a name');
    await rm(folder, { recursive: true });
  });
});
