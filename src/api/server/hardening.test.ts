import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, internalSecret, jwtSecret, userAddress } from '../../../test/support/api-world.ts';
import { endpointIds, endpoints } from '../../contract/endpoints.ts';
import { limitKey } from '../../platform/limit-key.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { apiProxies } from './client-address.ts';

const headersOfAll = {
  'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

describe('every answer', () => {
  let world: ApiWorld;
  let token: string;
  beforeAll(async () => {
    world = await ApiWorld.start({ state: { resource_states: 'spoilt' } });
    token = await world.token(adminAddress);
  });
  afterAll(() => world.stop());

  const answers = {
    '200': { method: 'GET', url: '/api/v1/branding' },
    '400': { method: 'POST', url: '/api/v1/auth/request-otp', payload: {} },
    '401': { method: 'GET', url: '/api/v1/auth/me' },
    '404': { method: 'GET', url: '/nothing' },
    '404 below the API': { method: 'GET', url: '/api/v1/nothing' },
    '405': { method: 'PUT', url: '/api/v1/stand-down' },
    '400 for a path that cannot be read': { method: 'GET', url: '/api/v1/resources/%E0%A4%A' },
    '415': {
      method: 'POST',
      url: '/api/v1/auth/request-otp',
      payload: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    '503': { method: 'GET', url: '/api/v1/public/hibernation-status' },
  } as const;
  for (const [name, request] of Object.entries(answers)) {
    it(`has the security headers and the one body: ${name}`, async () => {
      const answer = await world.inject(request);
      expect(answer.headers).toMatchObject(headersOfAll);
      expect(answer.statusCode).toBe(Number(name.slice(0, 3)));
      if (answer.statusCode >= 400) {
        expect(answer.json()).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      }
    });
  }

  it('names the methods of a path that has others', async () => {
    const answer = await world.inject({ method: 'PUT', url: '/api/v1/stand-down' });
    expect([answer.headers.allow, answer.json().code]).toEqual(['POST, DELETE', 'method_not_allowed']);
  });

  it('of a read can be had without its body, for the same people', async () => {
    const listening = await ApiWorld.start({ port: 0, host: '127.0.0.1' });
    const authorization = `Bearer ${await listening.token(userAddress)}`;
    const ask = async (method: string, headers: Record<string, string>, path = '/api/v1/auth/me') => {
      const answer = await fetch(`${listening.running.url}${path}`, { method, headers });
      return { status: answer.status, text: await answer.text(), headers: Object.fromEntries(answer.headers) };
    };
    const [whole, head] = [await ask('GET', { authorization }), await ask('HEAD', { authorization })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
    expect(head.headers).toMatchObject(headersOfAll);
    expect((await ask('HEAD', {})).status).toBe(401);
    expect((await ask('PUT', {})).headers['allow']).toBe('GET, HEAD');
    // A stream has no end that a HEAD could leave out.
    expect((await ask('HEAD', { authorization }, '/api/v1/events')).status).toBe(405);
    await listening.stop();
  });

  it('asks browsers to stay on https on its own https address, and nowhere else', async () => {
    const at = async (host: string) =>
      (await world.inject({ method: 'GET', url: '/api/v1/branding', headers: { host } })).headers;
    expect(await at('svc.example.com')).toHaveProperty('strict-transport-security', 'max-age=31536000');
    expect(await at('localhost:8080')).not.toHaveProperty('strict-transport-security');
  });

  it('gives an ETag to the status, and 304 to who has it', async () => {
    const fine = await ApiWorld.start();
    const own = await fine.token(userAddress);
    const first = await fine.call('hibernationStatus', {}, own);
    const again = await fine.call(
      'hibernationStatus',
      { headers: { 'if-none-match': String(first.headers.etag) } },
      own,
    );
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const tag = String(first.headers.etag);
    for (const known of [`"other", ${tag}`, tag.replace('W/', ''), '*']) {
      const { statusCode } = await fine.call('hibernationStatus', { headers: { 'if-none-match': known } }, own);
      expect([known, statusCode]).toEqual([known, 304]);
    }
    const brand = await fine.call('branding');
    const weakly = { 'if-none-match': `W/${brand.headers.etag}` };
    expect((await fine.call('branding', { headers: weakly })).statusCode).toBe(304);
    // The time in the answer goes on; it is no reason to send the rest again.
    await fine.pass(5_000);
    const later = await fine.call('hibernationStatus', {}, own);
    expect(later.json().now).not.toBe(first.json().now);
    expect(later.headers.etag).toBe(first.headers.etag);
    await fine.call('standDown', {}, await fine.token(adminAddress));
    const after = await fine.call(
      'hibernationStatus',
      { headers: { 'if-none-match': String(first.headers.etag) } },
      own,
    );
    expect(after.statusCode).toBe(200);
    await fine.stop();
  });

  it('tells a caller nothing of what went wrong inside', async () => {
    const broken = await ApiWorld.start({
      features: {
        insights: () => {
          throw new Error('secret detail');
        },
      },
    });
    const answer = await broken.call('insights', {}, await broken.token(adminAddress));
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { code: 'internal_error', message: 'Something went wrong; the log of the API says what.' },
    ]);
    expect(answer.headers).toMatchObject(headersOfAll);
    expect(JSON.stringify(broken.log)).toContain('secret detail');
    await broken.stop();
  });

  it('is refused with Retry-After beyond the limit of a client, and others are not', async () => {
    const limited = await ApiWorld.start({ requestsPerMinute: 5 });
    const from = (client: string) =>
      limited.inject({ method: 'GET', url: '/api/v1/branding', headers: { 'x-forwarded-for': client } });
    for (let index = 0; index < 5; index++) expect((await from('198.51.100.1')).statusCode).toBe(200);
    const refused = await from('198.51.100.1');
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('198.51.100.2')).statusCode).toBe(200);
    await limited.stop();
  });

  it.each([
    [['192.0.2.0/24'], 200],
    [[], 429],
  ])('is counted by who came to the ingress, where the ingress is trusted: %j', async (trustedProxies, status) => {
    const limited = await ApiWorld.start({ requestsPerMinute: 5, trustedProxies });
    const from = (client: string) =>
      limited.inject({
        method: 'GET',
        url: '/api/v1/branding',
        headers: { 'x-forwarded-for': `${client}, 192.0.2.7` },
      });
    for (let index = 0; index < 5; index++) expect((await from('198.51.100.1')).statusCode).toBe(200);
    expect((await from('198.51.100.1')).statusCode).toBe(429);
    expect((await from('198.51.100.2')).statusCode).toBe(status);
    await limited.stop();
  });

  it('is logged when access logs are on, without secrets, and not otherwise', async () => {
    await world.call('me', {}, token);
    expect(world.log.filter(({ message }) => message === 'Request')).toEqual([]);
    const logging = await ApiWorld.start({ config: { operations: { enableApiAccessLogs: true } } });
    const own = await logging.token(userAddress);
    await logging.call('me', { query: { token: own } }, own);
    const [line] = logging.log.filter(({ fields }) => fields['route'] === 'me');
    expect(line?.fields).toMatchObject({ method: 'GET', status: 200, client: '127.0.0.1', user: userAddress });
    expect(JSON.stringify(logging.log)).not.toContain(own);
    await logging.stop();
  });
});

describe('other sites', () => {
  let world: ApiWorld;
  beforeAll(async () => {
    const corsOrigins = ['https://board.example.com'];
    world = await ApiWorld.start({ config: { dashboardApi: { enabled: true, corsOrigins } } });
  });
  afterAll(() => world.stop());

  const mutating = endpointIds.filter((id) => endpoints[id].method !== 'GET' && endpoints[id].auth !== 'internal');
  const params = { date: '2026-01-06', id: 'x' };
  const evil: Readonly<Record<string, Record<string, string>>> = {
    'an evil origin': { origin: 'https://evil.example' },
    'the origin null': { origin: 'null' },
    'a suffix of our own': { origin: 'https://svc.example.com.evil.example' },
    'a prefix of our own': { origin: 'https://evilsvc.example.com' },
    'our own by http': { origin: 'http://svc.example.com' },
    'our own on another port': { origin: 'https://svc.example.com:8443', host: 'svc.example.com' },
    'another port beside a port-forward': { origin: 'http://localhost:3000', host: 'localhost:8080' },
    'a cross-site fetch': { 'sec-fetch-site': 'cross-site' },
  };
  for (const [name, headers] of Object.entries(evil)) {
    it(`cannot send anything that changes something: ${name}`, async () => {
      for (const id of mutating) {
        const answer = await world.call(id, { params, body: {}, headers });
        expect([id, answer.statusCode, answer.json().code]).toEqual([id, 403, 'cross_site_request']);
      }
    });
  }

  it('cannot post forms', async () => {
    const headers = { 'content-type': 'text/plain' };
    for (const id of mutating.filter((one) => endpoints[one].auth === 'none')) {
      const answer = await world.inject({ method: 'POST', url: endpoints[id].path, headers, payload: '{}' });
      expect([id, answer.statusCode]).toEqual([id, 415]);
    }
  });

  it('may read the dashboard from a listed origin, exactly', async () => {
    const allowed = async (origin: string, id: 'dashboardStatus' | 'publicHibernationStatus' = 'dashboardStatus') =>
      (await world.call(id, { headers: { origin } })).headers['access-control-allow-origin'];
    expect(await allowed('https://board.example.com')).toBe('https://board.example.com');
    for (const origin of [
      'https://board.example.com.evil.example',
      'https://evil.example',
      'null',
      'http://board.example.com',
      'https://BOARD.example.com',
    ]) {
      expect([origin, await allowed(origin)]).toEqual([origin, undefined]);
    }
    expect(await allowed('https://board.example.com', 'publicHibernationStatus')).toBeUndefined();
  });

  it('get no answer of the dashboard that was kept for another of them', async () => {
    for (const headers of [{}, { origin: 'https://board.example.com' }, { origin: 'https://evil.example' }]) {
      const answer = await world.call('dashboardStatus', { headers });
      expect([answer.statusCode, answer.headers.vary]).toEqual([200, 'Origin']);
    }
  });

  it('our own pages may, also over a port-forward', async () => {
    for (const headers of [
      { origin: 'https://svc.example.com' },
      { origin: 'http://localhost:8080', host: 'localhost:8080' },
    ]) {
      const body = { email: userAddress };
      expect((await world.call('requestOtp', { body, headers })).statusCode).toBe(200);
    }
  });
});

describe('bodies and headers', () => {
  let world: ApiWorld;
  let token: string;
  beforeAll(async () => {
    world = await ApiWorld.start();
    token = await world.token(adminAddress);
  });
  afterAll(() => world.stop());
  const post = (payload: string | Buffer, url = '/api/v1/stand-down') =>
    world.inject({
      method: 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });

  const rows: Readonly<Record<string, readonly [string | Buffer, number, string]>> = {
    'of ten megabytes': [`{"reason":"${'x'.repeat(10_000_000)}"}`, 413, 'payload_too_large'],
    'that is deep': [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 400, 'invalid_request'],
    'with __proto__': ['{"__proto__":{"admin":true}}', 400, 'invalid_request'],
    'with constructor': ['{"constructor":{"prototype":{}}}', 400, 'invalid_request'],
    'in bad UTF-8': [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, 'invalid_request'],
    'that is no JSON': ['{', 400, 'invalid_request'],
    'that is a list': ['[]', 400, 'invalid_request'],
    'that is null': ['null', 400, 'invalid_request'],
  };
  for (const [name, [payload, status, code]] of Object.entries(rows)) {
    it(`a body ${name} is refused`, async () => {
      const answer = await post(payload);
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });
  }

  it('strangers are refused before their body is looked at', async () => {
    const answer = await world.inject({ method: 'POST', url: '/api/v1/stand-down', payload: '{' });
    expect(answer.statusCode).toBe(401);
  });
});

describe('on a real port', () => {
  let world: ApiWorld | undefined;
  afterEach(async () => {
    await world?.stop();
    world = undefined;
  });

  async function rawAnswer(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    return answer;
  }

  it('headers that are too large and lines that are no HTTP get the one body and the headers', async () => {
    world = await ApiWorld.start({ port: 0, host: '127.0.0.1' });
    const port = Number(new URL(world.running.url).port);
    const large = await rawAnswer(port, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 /);
    const junk = await rawAnswer(port, 'hello\r\n\r\n');
    expect(junk).toMatch(/^HTTP\/1\.1 400 /);
    for (const answer of [large, junk]) {
      expect(answer).toContain('x-content-type-options: nosniff');
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'invalid_request' });
    }
  });

  it('an upload that its client breaks off is no failure of ours', async () => {
    world = await ApiWorld.start({ port: 0, host: '127.0.0.1' });
    const port = Number(new URL(world.running.url).port);
    const { app } = world.running.api.server;
    const socket = connect(port, '127.0.0.1');
    const received = new Promise<ServerResponse>((resolve) =>
      app.server.once('request', (_request, response) => resolve(response)),
    );
    socket.write(
      'POST /api/v1/auth/request-otp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
    );
    const response = await received;
    socket.destroy();
    await once(response, 'close');
    // What is to be said of it is said in the same turn, or the next.
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await world.running.api.metrics.registry.metrics()).not.toContain('internal_error');
  });

  it('has times after which a slow request is given up', async () => {
    world = await ApiWorld.start({ port: 0, host: '127.0.0.1' });
    const { server } = world.running.api.server.app;
    expect([server.headersTimeout, server.requestTimeout, server.maxHeadersCount ?? 2000]).toEqual([
      20_000, 30_000, 2000,
    ]);
    expect(systemClock.now()).toBeGreaterThan(0);
  });
});

describe('secrets', () => {
  it('are in no log line, error body, setting, metric or state', async () => {
    const password = 'canary-smtp-password';
    const world = await ApiWorld.start({
      config: {
        operations: { logLevel: 'debug', devMode: true, enableApiAccessLogs: true },
        proxyURL: 'http://user:canary-proxy@proxy.example.com:8080',
      },
      mailer: () => ({ send: () => Promise.reject(new Error('535 refused')) }),
    });
    await world.call('requestOtp', { body: { email: userAddress } });
    const answers = [
      await world.call('frames', { body: { kind: 'x' } }, internalSecret),
      await world.call('frames', {}, `${jwtSecret}`),
      await world.call('settings', {}, internalSecret),
      await world.call('openapi'),
    ].map(({ body }) => body);
    const { text } = await world.running.api.metrics.render();
    const everything = JSON.stringify([world.log, answers, text, world.stateData()]);
    for (const canary of [jwtSecret, internalSecret, password, 'canary-proxy']) {
      expect([canary, everything.includes(canary)]).toEqual([canary, false]);
    }
    expect(everything).toContain('535 refused');
    await world.stop();
  });
});

describe('trusted proxies', () => {
  const rows: readonly (readonly [string, readonly string[], string, string | undefined, string])[] = [
    ['a stranger cannot claim another address', [], '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['the frontend beside us may', [], '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['only the last hop is vouched for', [], '::1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['an ingress that is not trusted is the client', [], '127.0.0.1', '1.1.1.1, 10.0.0.7', '10.0.0.7'],
    ['an ingress that is trusted is not', ['10.0.0.0/8'], '127.0.0.1', '1.1.1.1, 10.0.0.7', '1.1.1.1'],
    ['private_ranges stands for all of them', ['private_ranges'], '127.0.0.1', '1.1.1.1, 192.168.1.1', '1.1.1.1'],
    ['a mapped address is its IPv4 one', [], '::ffff:127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['words are no hops', [], '127.0.0.1', 'unknown', '127.0.0.1'],
    ['a single address is a proxy too', ['192.0.2.1'], '192.0.2.1', '203.0.113.9', '203.0.113.9'],
  ];
  for (const [name, entries, peer, forwarded, client] of rows) {
    it(name, () => {
      expect(apiProxies(entries).client(peer, forwarded)).toBe(client);
    });
  }

  it('that are written wrong stop the start', () => {
    for (const entry of ['10.0.0.0/33', 'ingress', '10.0.0.0/8/8x', '']) {
      expect(() => apiProxies([entry])).toThrow(/^frontend\.trustedProxies: ".*" is not a CIDR/);
    }
  });

  it('limits count an IPv6 client by its /64', () => {
    expect(limitKey('2001:db8:1:2:3:4:5:6')).toBe(limitKey('2001:db8:1:2::1'));
    expect(limitKey('2001:db8:1:2::1')).not.toBe(limitKey('2001:db8:1:3::1'));
    expect(limitKey('::1')).toBe('0:0:0:0::/64');
    expect(limitKey('192.0.2.1')).toBe('192.0.2.1');
  });
});
