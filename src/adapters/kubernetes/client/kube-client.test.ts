import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../../embedded-cluster/time/virtual-clock.ts';
import {
  failing,
  json,
  refusal,
  ScriptedTransport,
  silent,
  text,
  WatchEnd,
} from '../../../../test/support/scripted-transport.ts';
import { silentLogger } from '../../../platform/silent-logger.ts';
import { ApiStatusError, isConflict, isNotFound, NoAnswer } from './errors.ts';
import { KubeClient } from './kube-client.ts';
import { resources } from './resource-type.ts';
import { TokenBucket } from './token-bucket.ts';

function setUp() {
  const clock = new VirtualClock(Date.parse('2026-01-01T00:00:00Z'));
  const transport = new ScriptedTransport();
  const limiter = new TokenBucket(clock, { qps: Number.POSITIVE_INFINITY, burst: 1 });
  const client = new KubeClient({
    transport,
    clock,
    random: seededRandom(1),
    limiter,
    userAgent: 'svc-controller/0.12.44',
    fieldManager: 'svc-controller',
    logger: silentLogger,
    requestTimeoutMs: 30_000,
  });
  return { clock, transport, client, limiter };
}

/** Runs the clock until the promise has settled. */
async function settled<T>(
  clock: VirtualClock,
  promise: Promise<T>,
): Promise<{ value?: T; error?: unknown; tookMs: number }> {
  let result: { value?: T; error?: unknown } | undefined;
  const startedAt = clock.monotonic();
  promise.then(
    (value) => {
      result = { value };
    },
    (error) => {
      result = { error };
    },
  );
  await clock.advanceUntil(() => result !== undefined, 3_600_000);
  return { ...result, tookMs: clock.monotonic() - startedAt };
}

const cart = { namespace: 'shop', name: 'cart' };
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const wake = { type: 'merge', body: { spec: { replicas: 3 } } } as const;

describe('what is sent', () => {
  it('names itself and reads one object', async () => {
    const { transport, client } = setUp();
    transport.answer(json(200, { metadata: { name: 'cart' } }));
    expect(await client.get(resources.deployments, cart)).toEqual({ metadata: { name: 'cart' } });
    expect(transport.requests[0]).toMatchObject({
      method: 'GET',
      path: '/apis/apps/v1/namespaces/shop/deployments/cart',
      headers: { accept: 'application/json', 'user-agent': 'svc-controller/0.12.44' },
    });
  });

  it.each([
    [
      'json',
      { type: 'json', operations: [{ op: 'remove', path: '/a' }] },
      'application/json-patch+json',
      '[{"op":"remove","path":"/a"}]',
      '',
    ],
    ['merge', wake, 'application/merge-patch+json', '{"spec":{"replicas":3}}', ''],
    ['strategic', { type: 'strategic', body: { a: 1 } }, 'application/strategic-merge-patch+json', '{"a":1}', ''],
    ['apply', { type: 'apply', body: { a: 1 }, force: true }, 'application/apply-patch+yaml', '{"a":1}', '&force=true'],
  ] as const)('sends a %s patch under its own content type', async (_, patch, contentType, body, query) => {
    const { transport, client } = setUp();
    transport.answer(json(200, {}));
    await client.patch(resources.deployments, cart, patch);
    expect(transport.requests[0]).toMatchObject({ method: 'PATCH', body, headers: { 'content-type': contentType } });
    expect(transport.requests[0]?.path).toBe(
      `/apis/apps/v1/namespaces/shop/deployments/cart?fieldManager=svc-controller${query}`,
    );
  });

  it('patches a subresource as a dry run under another field manager', async () => {
    const { transport, client } = setUp();
    transport.answer(json(200, {}));
    await client.patch(resources.deployments, cart, wake, { subresource: 'scale', dryRun: true, fieldManager: 'me' });
    expect(transport.requests[0]?.path).toBe(
      '/apis/apps/v1/namespaces/shop/deployments/cart/scale?fieldManager=me&dryRun=All',
    );
  });

  it('reads the answer to a patch whole, or without its managedFields for who has no use for them', async () => {
    const { transport, client } = setUp();
    const managedFields = [{ manager: 'kubectl', fieldsV1: { 'f:spec': { note: 'x'.repeat(2_000) } } }];
    const answer = { metadata: { name: 'web', namespace: 'shop', managedFields }, spec: { replicas: 0 } };
    transport.answer(json(200, answer), json(200, answer));
    const patch = { type: 'merge', body: { spec: { replicas: 0 } } } as const;
    const ref = { namespace: 'shop', name: 'web' };
    expect(await client.patch(resources.deployments, ref, patch)).toEqual(answer);
    expect(await client.patch(resources.deployments, ref, patch, { withoutManagedFields: true })).toEqual({
      metadata: { name: 'web', namespace: 'shop' },
      spec: { replicas: 0 },
    });
  });

  it('creates, and deletes under preconditions', async () => {
    const { transport, client } = setUp();
    transport.answer(json(201, {}), json(200, {}));
    await client.create(resources.configMaps, 'svc', { data: { a: 'b' } });
    await client.delete(
      resources.namespaces,
      { name: 'old' },
      { preconditions: { uid: 'u1' }, propagationPolicy: 'Foreground' },
    );
    expect(transport.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/v1/namespaces/svc/configmaps?fieldManager=svc-controller', '{"data":{"a":"b"}}'],
      [
        'DELETE',
        '/api/v1/namespaces/old',
        '{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"u1"},"propagationPolicy":"Foreground"}',
      ],
    ]);
  });

  it('refuses to address a whole collection by an empty name or a missing namespace', async () => {
    const { client } = setUp();
    await expect(client.delete(resources.pods, { namespace: 'shop', name: '' })).rejects.toThrow(
      'pods: a name is needed',
    );
    await expect(client.get(resources.pods, { name: 'x' })).rejects.toThrow('pods x: a namespace is needed.');
  });
});

describe('lists', () => {
  const page = (names: readonly string[], more?: string) =>
    json(200, {
      metadata: { resourceVersion: '42', ...(more ? { continue: more } : {}) },
      items: names.map((name) => ({ metadata: { name } })),
    });

  it('reads page by page, far past 500, and keeps what was asked for', async () => {
    const { transport, client } = setUp();
    for (let i = 0; i < 7; i++) {
      const names = Array.from({ length: 100 }, (_, n) => `d${i * 100 + n}`);
      transport.answer(page(names, i < 6 ? `token ${i}&` : undefined));
    }
    const list = await client.list(resources.deployments, {
      labelSelector: 'a=b',
      project: (raw) => raw.metadata?.name,
    });
    expect(list.resourceVersion).toBe('42');
    expect(list.items).toEqual(Array.from({ length: 700 }, (_, n) => `d${n}`));
    expect(transport.requests.map(({ path }) => path).slice(0, 2)).toEqual([
      '/apis/apps/v1/deployments?labelSelector=a%3Db&limit=100',
      '/apis/apps/v1/deployments?labelSelector=a%3Db&limit=100&continue=token%200%26',
    ]);
  });

  it('starts again when its version was compacted away between two pages', async () => {
    const { transport, client } = setUp();
    transport.answer(
      page(['a'], 't'),
      refusal(410, 'Expired', 'The provided continue parameter is too old'),
      page(['b'], 't'),
      page(['c']),
    );
    expect((await client.list(resources.pods, { project: (raw) => raw.metadata?.name })).items).toEqual(['b', 'c']);
  });

  it('reads a page that broke off anew, without doubles', async () => {
    const { transport, client, clock } = setUp();
    transport.answer(text(200, '{"items":[{"metadata":{"name":"a"}},{"metadata":{"na'), page(['a', 'b']));
    const { value } = await settled(clock, client.list(resources.pods, { project: (raw) => raw.metadata?.name }));
    expect(value?.items).toEqual(['a', 'b']);
  });

  it('does not repeat the list when reading an object fails in our own code', async () => {
    const { transport, client, clock } = setUp();
    transport.answer(page(['a']));
    const project = () => {
      throw new TypeError('a mistake of ours');
    };
    const { error } = await settled(clock, client.list(resources.pods, { project }));
    expect(error).toEqual(new TypeError('a mistake of ours'));
    expect(transport.requests.length).toBe(1);
  });
});

describe('errors', () => {
  it('carries the cluster’s own words', async () => {
    const { transport, client } = setUp();
    const status = {
      kind: 'Status',
      code: 403,
      reason: 'Forbidden',
      message: 'pods is forbidden',
      details: { kind: 'pods' },
    };
    transport.answer(json(403, status));
    const error = await client.get(resources.pods, cart).catch((caught) => caught);
    expect(error).toBeInstanceOf(ApiStatusError);
    expect(error).toMatchObject({
      status: 403,
      reason: 'Forbidden',
      message: 'pods is forbidden',
      details: { kind: 'pods' },
    });
  });

  it.each([
    [
      'a page of a proxy',
      text(404, '<html>nothing here</html>'),
      'The cluster answered 404: <html>nothing here</html>',
    ],
    ['an empty body', text(404, ''), 'The cluster answered 404 without a message.'],
    ['a redirect', text(302, ''), 'The cluster answered 302 without a message.'],
  ])('says what came instead of a Status: %s', async (_, answer, message) => {
    const { transport, client } = setUp();
    transport.answer(answer);
    await expect(client.get(resources.pods, cart)).rejects.toThrow(message);
  });

  it('tells a conflict from a creation of what exists, and a missing object', async () => {
    const { transport, client } = setUp();
    transport.answer(refusal(409, 'Conflict', 'x'), refusal(409, 'AlreadyExists', 'x'), refusal(404, 'NotFound', 'x'));
    const errors = [];
    for (let i = 0; i < 3; i++) errors.push(await client.patch(resources.pods, cart, wake).catch((error) => error));
    expect(errors.map(isConflict)).toEqual([true, false, false]);
    expect(errors.map(isNotFound)).toEqual([false, false, true]);
  });
});

describe('retries', () => {
  const good = json(200, { metadata: { name: 'cart' } });

  it.each([
    ['429 without Retry-After', refusal(429, 'TooManyRequests', 'slow down')],
    ['500', refusal(500, 'InternalError', 'x')],
    ['503', text(503, 'apiserver not ready')],
    ['504', refusal(504, 'Timeout', 'x')],
    ['a reset connection', failing(reset)],
    ['a refused connection', failing(refused)],
  ])('reads again after %s', async (_, answer) => {
    const { transport, client, clock } = setUp();
    transport.answer(answer, good);
    const { value, tookMs } = await settled(clock, client.get(resources.pods, cart));
    expect(value).toEqual({ metadata: { name: 'cart' } });
    expect(tookMs).toBeGreaterThanOrEqual(100);
    expect(tookMs).toBeLessThanOrEqual(200);
  });

  it.each([
    ['400', refusal(400, 'BadRequest', 'x')],
    ['403', refusal(403, 'Forbidden', 'x')],
    ['404', refusal(404, 'NotFound', 'x')],
    ['410', refusal(410, 'Expired', 'x')],
    ['501', refusal(501, 'NotImplemented', 'x')],
  ])('does not read again after %s', async (_, answer) => {
    const { transport, client, clock } = setUp();
    transport.answer(answer);
    expect((await settled(clock, client.get(resources.pods, cart))).error).toBeInstanceOf(ApiStatusError);
    expect(transport.requests.length).toBe(1);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
  ])('waits as long as Retry-After says in %s, for a write too', async (_, header, ms) => {
    const { transport, client, clock } = setUp();
    transport.answer(refusal(429, 'TooManyRequests', 'x', { 'retry-after': header }), good);
    const { value, tookMs } = await settled(clock, client.patch(resources.pods, cart, wake));
    expect(value).toEqual({ metadata: { name: 'cart' } });
    expect(tookMs).toBe(ms);
  });

  it('gives up at once when it would have to wait more than a minute', async () => {
    const { transport, client, clock } = setUp();
    transport.answer(refusal(429, 'TooManyRequests', 'x', { 'retry-after': '61' }));
    const { error, tookMs } = await settled(clock, client.get(resources.pods, cart));
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 61 });
    expect(tookMs).toBe(0);
  });

  it('gives up after six attempts', async () => {
    const { transport, client, clock } = setUp();
    for (let i = 0; i < 6; i++) transport.answer(refusal(503, 'ServiceUnavailable', `no ${i}`));
    const { error } = await settled(clock, client.get(resources.pods, cart));
    expect(error).toMatchObject({ status: 503, message: 'no 5' });
    expect(transport.left).toBe(0);
  });

  it('sends a write again when it surely was not sent', async () => {
    const { transport, client, clock } = setUp();
    transport.answer(failing(refused), failing(new NoAnswer('no route', { mayHaveReachedServer: false })), good);
    expect((await settled(clock, client.patch(resources.pods, cart, wake))).value).toEqual({
      metadata: { name: 'cart' },
    });
  });

  it.each([
    ['a reset connection', failing(reset), { mayHaveReachedServer: true }],
    ['an error of unknown kind', failing('gone'), { mayHaveReachedServer: true }],
    ['504', refusal(504, 'Timeout', 'x'), { status: 504 }],
    ['500', refusal(500, 'InternalError', 'x'), { status: 500 }],
    ['503', refusal(503, 'ServiceUnavailable', 'x', { 'retry-after': '1' }), { status: 503 }],
    ['429 without Retry-After', refusal(429, 'TooManyRequests', 'x'), { status: 429 }],
    ['an answer that broke off', text(200, '{"metadata":{'), { mayHaveReachedServer: true }],
  ])('never sends a write again after %s', async (_, answer, expected) => {
    const { transport, client, clock } = setUp();
    transport.answer(answer);
    expect((await settled(clock, client.patch(resources.pods, cart, wake))).error).toMatchObject(expected);
    expect(transport.requests.length).toBe(1);
  });

  it('times a silent server out, and leaves a write ambiguous', async () => {
    const { transport, client, clock } = setUp();
    transport.answer(silent);
    const { error, tookMs } = await settled(clock, client.patch(resources.pods, cart, wake));
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error).toMatchObject({
      message: 'PATCH /api/v1/namespaces/shop/pods/cart?fieldManager=svc-controller: timed out after 30000 ms',
      mayHaveReachedServer: true,
    });
    expect(tookMs).toBe(30_000);
  });

  it('times out a body that stalls, whatever the broken connection says', async () => {
    const { transport, client, clock } = setUp();
    const far = new WatchEnd();
    transport.answer((request) => {
      request.signal?.addEventListener('abort', () => far.fail(new Error('aborted')));
      return { status: 200, headers: {}, body: far.body() };
    });
    const { error } = await settled(clock, client.create(resources.pods, 'shop', {}));
    expect(error).toMatchObject({
      message: 'POST /api/v1/namespaces/shop/pods?fieldManager=svc-controller: timed out after 30000 ms',
      mayHaveReachedServer: true,
    });
  });

  it('stops for its caller with the caller’s reason, while sending and while waiting', async () => {
    for (const answer of [silent, refusal(503, 'ServiceUnavailable', 'x')]) {
      const { transport, client, clock } = setUp();
      transport.answer(answer);
      const abort = new AbortController();
      const call = client.get(resources.pods, cart, { signal: abort.signal });
      clock.after(50, () => abort.abort(new Error('shutting down')));
      expect((await settled(clock, call)).error).toEqual(new Error('shutting down'));
      expect(transport.requests.length).toBe(1);
    }
  });
});

describe('limits', () => {
  it('takes a token for each attempt and for the start of a watch, and none for its events', async () => {
    const { transport, client, limiter, clock } = setUp();
    limiter.configure({ qps: 1, burst: 2 });
    const far = new WatchEnd();
    transport.answer(refusal(503, 'x', 'x'), json(200, {}), far.answer);
    await settled(clock, client.get(resources.pods, cart));
    const started = settled(
      clock,
      client.watch(resources.pods, { timeoutSeconds: 300, resourceVersion: '1', signal: new AbortController().signal }),
    );
    const { value: events, tookMs } = await started;
    expect(tookMs).toBeGreaterThan(800);
    for (let i = 0; i < 50; i++) far.send('ADDED', { metadata: { name: `p${i}` } });
    far.end();
    const before = clock.monotonic();
    let seen = 0;
    for await (const event of events!) seen += event.type === 'ADDED' ? 1 : 0;
    expect(seen).toBe(50);
    expect(clock.monotonic()).toBe(before);
  });
});
