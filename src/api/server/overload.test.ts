import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress } from '../../../test/support/api-world.ts';
import { parseAddress } from '../../domain/address/address.ts';
import { systemClock } from '../../platform/system-clock.ts';

let world: ApiWorld;
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await world.stop();
});

const onPort = { port: 0, host: '127.0.0.1' } as const;
const port = () => Number(new URL(world.running.url).port);

/** Opens a connection, sends this much and no more, and collects what comes until the server hangs up. */
function dribble(text: string): { readonly ended: Promise<string> } {
  const socket = connect(port(), '127.0.0.1');
  sockets.add(socket);
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece;
  });
  socket.on('error', () => {});
  socket.write(text);
  return { ended: new Promise((resolve) => socket.on('close', () => resolve(answer))) };
}

const served = async () => (await fetch(`${world.running.url}/api/v1/branding`)).status;

function tokenOf(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed.ok) throw new Error(address);
  return world.running.api.signIn.startSession(parsed.address).token;
}

describe('attack 22: requests that are slow', () => {
  const requestTimeouts = { headersMs: 200, requestMs: 400 };
  const rows = {
    'headers that never end': 'GET /api/v1/branding HTTP/1.1\r\nhost: x\r\nx-slow: ',
    'a body that never comes':
      'POST /api/v1/auth/request-otp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
    'a chunked body that never ends':
      'POST /api/v1/auth/request-otp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n',
  };
  for (const [name, text] of Object.entries(rows)) {
    it(`${name} are given up with 408 and the one body, and others are served meanwhile`, async () => {
      world = await ApiWorld.start({ ...onPort, requestTimeouts });
      const slow = Array.from({ length: 200 }, () => dribble(text));
      expect(await served()).toBe(200);
      for (const { ended } of slow) {
        const answer = await ended;
        expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
        expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({
          code: 'invalid_request',
          message: 'The request took too long.',
        });
      }
      expect(await served()).toBe(200);
    });
  }

  it('have twenty and thirty seconds in earnest, and are looked for often enough', async () => {
    world = await ApiWorld.start(onPort);
    const { server } = world.running.api.server.app;
    expect([server.headersTimeout, server.requestTimeout, server.maxConnections]).toEqual([20_000, 30_000, 4_000]);
  });
});

describe('attack 27: connections past the frontend', () => {
  it('that have said nothing are cut, the oldest first, and others are served', async () => {
    world = await ApiWorld.start(onPort);
    const silent = Array.from({ length: 500 }, () => dribble('GET /api/v1/branding HTTP/1.1\r\n'));
    let cut = 0;
    for (const { ended } of silent) void ended.then(() => cut++);
    await expect.poll(() => cut).toBe(100);
    expect(await silent[0]!.ended).toBe('');
    expect(await served()).toBe(200);
  });
});

describe('attack 22: thousands of streams', () => {
  function stream(token: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const asked = request(`${world.running.url}/api/v1/events`, { headers, agent: false }, (answer) => {
        if (answer.statusCode === 200) sockets.add(answer.socket);
        else answer.resume();
        answer.on('error', () => {});
        resolve(answer.statusCode ?? 0);
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  it('are held up to their bounds, refused beyond, and nobody else notices', async () => {
    world = await ApiWorld.start(onPort);
    const counts = new Map<number, number>();
    for (let user = 0; user < 40; user++) {
      const token = tokenOf(`user${user}@example.com`);
      for (const status of await Promise.all(Array.from({ length: 50 }, () => stream(token)))) {
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    }
    // 25 users have 30 streams each; everything else was refused, and a hundred are kept for admins.
    expect(Object.fromEntries(counts)).toEqual({ 200: 750, 429: 1250 });
    expect(world.running.api.hub.size).toBe(750);
    expect(await served()).toBe(200);
    const admin = tokenOf(adminAddress);
    const before = systemClock.monotonic();
    expect((await world.call('standDown', {}, admin)).statusCode).toBe(200);
    expect(systemClock.monotonic() - before).toBeLessThan(5_000);
    expect(await stream(admin)).toBe(200);
    for (const socket of sockets) socket.destroy();
    await world.settleUntil(() => world.running.api.hub.size === 0);
    expect(await stream(admin)).toBe(200);
  });
});

describe('attack 22: texts made for slow patterns', () => {
  const long = (part: string, length = 12_000) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const texts = ['a', ' ', '.', '@', ',', ';', '=', 'a@', 'a.', '08:00-20:00,', '1h', '(a+)+', '%20', '..', '::', '\\'];

  it('cost a tenth of a second at most, in headers, queries, paths and bodies', async () => {
    world = await ApiWorld.start({
      config: { urlReadinessCheck: { enabled: true, whitelist: ['*.*.*.*.example.com', 'a*a*a*a*a*b.example.com'] } },
    });
    const token = tokenOf(adminAddress);
    const authorization = `Bearer ${token}`;
    const slow: string[] = [];
    const time = async (what: string, options: Parameters<ApiWorld['inject']>[0]) => {
      let best = Number.POSITIVE_INFINITY;
      // A machine that is busy with something else is not slow three times in a row.
      for (let attempt = 0; attempt < 3 && best > 100; attempt++) {
        const before = systemClock.monotonic();
        await world.inject(options);
        best = Math.min(best, systemClock.monotonic() - before);
      }
      if (best > 100) slow.push(`${what}: ${Math.round(best)} ms`);
    };
    await time('warm', { method: 'GET', url: '/api/v1/auth/me', headers: { authorization } });
    slow.length = 0;
    for (const part of texts) {
      const text = `${long(part)}!`;
      for (const name of [
        'authorization',
        'cookie',
        'x-forwarded-for',
        'origin',
        'if-none-match',
        'content-type',
        'host',
      ]) {
        const method = name === 'content-type' || name === 'origin' ? 'POST' : 'GET';
        const headers = { authorization, [name]: name === 'authorization' ? `Bearer ${text}` : text };
        await time(`${name} of ${part}`, { method, url: '/api/v1/auth/me', headers });
      }
      const query = encodeURIComponent(text.slice(0, 4_000));
      for (const path of ['resources?q=', 'audit?q=', 'audit?from=', 'url-readiness?url=https://', 'schedule?days=']) {
        await time(`${path} of ${part}`, { method: 'GET', url: `/api/v1/${path}${query}`, headers: { authorization } });
      }
      const bodies = [
        ['POST', 'auth/request-otp', { email: text.slice(0, 320) }],
        ['POST', 'auth/verify-otp', { email: `${text.slice(0, 300)}@example.com`, otp: text.slice(0, 16) }],
        ['POST', 'stand-down', { reason: text.slice(0, 10_000) }],
        ['POST', 'wake/up', { duration: text.slice(0, 32) }],
        ['POST', 'wake/up', { until: text }],
        ['PUT', 'schedule/overrides/2026-02-02', { hours: text.slice(0, 200), reason: text.slice(0, 1000) }],
      ] as const;
      for (const [method, path, payload] of bodies) {
        await time(`${path} of ${part}`, { method, url: `/api/v1/${path}`, headers: { authorization }, payload });
      }
    }
    expect(slow).toEqual([]);
  });
});
