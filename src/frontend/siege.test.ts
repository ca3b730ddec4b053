import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { acceptedToken, type Rank, tokenHeader, tokenHeaderText, tokenName } from '../platform/token-name.ts';
import { type RunningFrontend, startFrontend } from './frontend.ts';
import { connectionRooms } from './listeners.ts';
import { unfinishedBodies } from './proxy/api-proxy.ts';
import { laneSizes } from './proxy/lanes.ts';
import { mostDownloads } from './request-handler.ts';

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly code: unknown;
}

let folder: string;
let api: Server;
let frontend: RunningFrontend;
const sockets = new Set<Socket>();
/** Answers that the API has begun to think about and does not give, or cannot get rid of. */
const held = new Set<ServerResponse>();
let onHeld = () => {};
/** A token that somebody made up. */
const none = 'aaa.bbb.ccc';
/** Of the admin `x`, colleagues `c0`, `c1` and so on, and people from elsewhere, `p0` and so on; each may have several, `x.2`. */
const good = /^Bearer (?<person>(?<kind>x|c|p)\d*)(\.\w+)?$/;
const rankOf: Readonly<Record<string, Rank>> = { x: 'admin', c: 'company', p: 'outside' };

function holderOf(authorization: string | undefined) {
  const { person, kind } = good.exec(authorization ?? '')?.groups ?? {};
  return person === undefined || kind === undefined ? undefined : { person, rank: rankOf[kind]! };
}

/** Whoever shows a token that is none waits for his refusal. */
let slowForClaims = false;
/** Whoever is no admin waits for his refusal. */
let slowForOthers = false;
/** More than kernels keep for who does not read. */
const large = Buffer.alloc(16 * 1024 * 1024, 32);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'siege-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets', 'large-1a2b3c4d.js'), Buffer.alloc(8 * 1024 * 1024, 32));
  api = createServer((request, response) => {
    request.resume();
    const { authorization } = request.headers;
    const holder = holderOf(authorization);
    if (holder !== undefined) response.setHeader(tokenHeader, tokenHeaderText({ token: acceptedToken, ...holder }));
    if (request.url === '/api/v1/auth/refresh') {
      response.setHeader(tokenHeader, tokenHeaderText({ token: tokenName('x.fresh'), person: 'x', rank: 'admin' }));
    }
    const madeUp = authorization === `Bearer ${none}`;
    const claims = slowForClaims && madeUp;
    if (madeUp && !claims) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"unauthenticated"}');
      return;
    }
    if (
      claims ||
      (slowForOthers && holder?.rank !== 'admin') ||
      request.url === '/api/v1/slow' ||
      request.url === '/api/v1/events' ||
      request.url === '/api/v1/large'
    ) {
      if (request.url === '/api/v1/events' && !claims)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (request.url === '/api/v1/large') response.writeHead(200).end(large);
      held.add(response);
      response.on('close', () => held.delete(response));
      onHeld();
    } else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});

// A frontend for each test: what one siege leaves behind, it may still be clearing away when the next begins.
beforeEach(async () => {
  frontend = await startFrontend({
    webRoot: folder,
    apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    externalUrl: 'https://svc.example.com',
    httpPort: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
  });
  // Whoever is signed in has been here before.
  expect(await signedIn()).toMatchObject({ status: 200 });
});

afterAll(async () => {
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true });
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  slowForClaims = false;
  slowForOthers = false;
  for (const response of held) response.destroy();
  await expect.poll(() => held.size, soon).toBe(0);
  await frontend.stop();
});

/** On a busy machine; on another one everything is there at once. */
const soon = { timeout: 60_000 };
const host = 'Host: svc.example.com\r\n';

/** Holds a connection on which this much was said; what comes back, and whether it was cut, can be asked. */
function hold(text: string, { read = true } = {}) {
  const socket = connect(frontend.httpPort, '127.0.0.1');
  sockets.add(socket);
  const holding = {
    text: '',
    sent: false,
    cut: false,
    say: (more: string) => void socket.write(more),
    connected: new Promise<void>((resolve) => socket.once('connect', () => resolve())),
    read: () => {
      socket.on('data', (piece) => {
        if (holding.text.length < 10_000) holding.text += piece;
      });
    },
  };
  if (read) holding.read();
  socket.on('error', () => {});
  socket.on('close', () => {
    holding.cut = true;
  });
  socket.write(text, () => {
    holding.sent = true;
  });
  return holding;
}

function ask(path: string, { method = 'GET', token = '', body = '' } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'svc.example.com', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) };
    const asked = send(
      { host: '127.0.0.1', port: frontend.httpPort, path, method, headers, agent: false },
      (answer) => {
        let text = '';
        answer.on('data', (piece) => {
          text += piece;
        });
        answer.on('error', () => {});
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            retryAfter: answer.headers['retry-after'],
            code: JSON.parse(text).code,
          }),
        );
      },
    );
    asked.on('socket', (socket) => void sockets.add(socket));
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Asks what the API does not answer, so often, and waits until it has heard so many of them. Whoever is sent away is the first to hear anything. */
async function fill(path: string, count: number, heard: number, token = ''): Promise<{ first: Promise<Answer> }> {
  const filled = new Promise<void>((resolve) => {
    onHeld = () => void (held.size >= heard && resolve());
  });
  const first = Promise.any(Array.from({ length: count }, () => ask(path, { token })));
  first.catch(() => {});
  await filled;
  return { first };
}

/** From now on the frontend knows this token. */
async function meet(token: string): Promise<void> {
  expect(await ask('/api/v1/hibernation/status', { token })).toMatchObject({ status: 200 });
}

const signedIn = () => ask('/api/v1/hibernation/status', { token: 'x' });
const standDown = () => ask('/api/v1/stand-down', { method: 'POST', token: 'x', body: '{"reason":"siege"}' });

describe('attack 27: a siege of the frontend from one address', () => {
  it('of half-sent heads costs the connections of the one who sent them, and nobody else notices', async () => {
    const heads = Array.from({ length: 1_500 }, () => hold(`GET /api/v1/x HTTP/1.1\r\n${host}X-Slow: `));
    await Promise.all(heads.map(({ connected }) => connected));
    expect(await signedIn()).toMatchObject({ status: 200 });
    expect(await standDown()).toMatchObject({ status: 200 });
    await expect.poll(() => heads.filter(({ cut }) => !cut).length, soon).toBeLessThanOrEqual(256);
  });

  it('of half-sent heads does not cost the connection of who has come and is about to ask', async () => {
    const person = hold('');
    await person.connected;
    const heads: ReturnType<typeof hold>[] = [];
    for (let crowd = 1; crowd <= 4; crowd++) {
      for (let index = 0; index < 150; index++) heads.push(hold(`GET /api/v1/x HTTP/1.1\r\n${host}X-Slow: `));
      await expect
        .poll(() => heads.filter(({ cut }) => !cut).length, soon)
        .toBeLessThanOrEqual(2 * connectionRooms.begun);
    }
    person.say(`GET /api/v1/hibernation/status HTTP/1.1\r\n${host}Authorization: Bearer x\r\n\r\n`);
    await expect.poll(() => person.text || person.cut, soon).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('of unfinished posts is answered 503 with Retry-After from the longest-waiting on, and others are served', async () => {
    const text = `POST /api/v1/auth/request-otp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    const posts = Array.from({ length: 500 }, () => hold(text));
    await Promise.all(posts.map(({ connected }) => connected));
    await expect.poll(() => posts.filter(({ cut }) => !cut).length, soon).toBe(unfinishedBodies.strangers);
    const [sentAway] = posts;
    expect(sentAway?.text).toMatch(/^HTTP\/1\.1 503 /);
    expect(sentAway?.text).toMatch(/retry-after: 5\r\n/i);
    expect(sentAway?.text).toContain('"code":"overloaded"');
    expect(await standDown()).toMatchObject({ status: 200 });
    expect(held.size).toBe(0);
  });

  it('of streams takes no socket of a request', async () => {
    for (let person = 0; person < 10; person++) await fill('/api/v1/events', 30, 30 * (person + 1), `p${person}`);
    expect(await signedIn()).toMatchObject({ status: 200 });
    expect(await standDown()).toMatchObject({ status: 200 });
    expect(await ask('/api/v1/branding')).toMatchObject({ status: 200 });
  });

  it('of idle connections costs the longest idle ones', async () => {
    const idle: ReturnType<typeof hold>[] = [];
    for (let crowd = 1; crowd <= 3; crowd++) {
      for (let index = 0; index < 200; index++) idle.push(hold(`GET /healthz HTTP/1.1\r\n${host}\r\n`));
      await expect.poll(() => idle.filter(({ text }) => text.includes('200')).length, soon).toBe(crowd * 200);
    }
    await expect.poll(() => idle.filter(({ cut }) => !cut).length, soon).toBeLessThanOrEqual(400);
    expect(await signedIn()).toMatchObject({ status: 200 });
  });
});

describe('a siege by who asks and does not read', () => {
  const download = `GET /assets/large-1a2b3c4d.js HTTP/1.1\r\n${host}\r\n`;

  it('takes no place of those who ask the API with what is sent behind an unread answer', async () => {
    const { perSharer } = laneSizes.admin;
    const slow = `GET /api/v1/slow HTTP/1.1\r\n${host}Authorization: Bearer x\r\n\r\n`;
    const greedy = hold(download + slow.repeat(perSharer), { read: false });
    const patient = hold(download + slow, { read: false });
    await Promise.all([greedy.connected, patient.connected]);
    // Whatever has been sent has arrived once all of a later one is answered.
    await expect.poll(() => greedy.sent && patient.sent, soon).toBe(true);
    expect(await signedIn()).toMatchObject({ status: 200 });
    expect(held.size).toBe(0);
    greedy.read();
    await expect.poll(() => greedy.cut, soon).toBe(true);
    patient.read();
    await expect.poll(() => held.size, soon).toBe(1);
    expect(patient.cut).toBe(false);
  });

  it('costs those that ask again and again and take no answer', async () => {
    const greedy = Array.from({ length: 60 }, () =>
      hold(`GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(6_000), { read: false }),
    );
    await Promise.all(greedy.map(({ connected }) => connected));
    expect(await signedIn()).toMatchObject({ status: 200 });
    for (const one of greedy) one.read();
    await expect.poll(() => greedy.filter(({ cut }) => !cut).length, soon).toBe(0);
  });

  it('holds so many files open and no more', async () => {
    const greedy = Array.from({ length: mostDownloads + 40 }, () => hold(download, { read: false }));
    await expect.poll(() => greedy.filter(({ sent }) => !sent).length, soon).toBe(0);
    expect(await signedIn()).toMatchObject({ status: 200 });
    for (const one of greedy) one.read();
    await expect.poll(() => greedy.filter(({ cut }) => cut).length, soon).toBeGreaterThanOrEqual(40);
  });

  it.each([
    ['outside', true, 'p3'],
    ['anonymous', false, ''],
  ] as const)('holds no socket of the %s way that others wait for', async (lane, signsIn, token) => {
    const { sockets: most } = laneSizes[lane];
    if (signsIn) for (let person = 0; person < 4; person++) await meet(`p${person}`);
    for (let index = 0; index < most + 2; index++) {
      const claim = signsIn ? `Authorization: Bearer p${index % 3}\r\n` : '';
      hold(`GET /api/v1/large HTTP/1.1\r\n${host}${claim}\r\n`, { read: false });
    }
    await expect.poll(() => held.size, soon).toBe(most);
    expect(await ask('/api/v1/hibernation/status', { token })).toMatchObject({ status: 200 });
  });

  it('is answered in turn, whoever sends two at once', async () => {
    const two = hold(`GET /healthz HTTP/1.1\r\n${host}\r\n`.repeat(2));
    await expect.poll(() => two.text.split('HTTP/1.1 200').length - 1, soon).toBe(2);
  });
});

describe('an API that does not keep up', () => {
  it.each(['/api/v1/slow', '/api/v1/stand-down'])(
    'has room for who is signed in, and who has just signed in, when others only claim to be, at %s',
    async (path) => {
      const { sockets: most, perSharer } = laneSizes.claimed;
      await ask('/api/v1/auth/refresh', { method: 'POST' });
      slowForClaims = true;
      const { first } = await fill(path, perSharer + 1, most, none);
      expect(await first).toEqual({ status: 503, retryAfter: '5', code: 'overloaded' });
      for (const token of ['x', 'x.fresh']) {
        for (let turn = 0; turn < 45; turn++) {
          expect(await ask('/api/v1/stand-down', { method: 'POST', token, body: '{}' })).toMatchObject({ status: 200 });
          expect(await ask('/api/v1/hibernation/status', { token })).toMatchObject({ status: 200 });
        }
      }
      expect(await ask('/api/v1/branding')).toMatchObject({ status: 200 });
    },
  );

  it('has strangers sent away at once, with 503 and Retry-After, and room for who is signed in', async () => {
    const { sockets: most, perSharer } = laneSizes.anonymous;
    const { first } = await fill('/api/v1/slow', perSharer + 1, most);
    await first;
    expect(await ask('/api/v1/branding')).toEqual({ status: 503, retryAfter: '5', code: 'overloaded' });
    expect(await signedIn()).toMatchObject({ status: 200 });
    // A page that is loaded anew, and who comes to sign in, wait for nothing that strangers read.
    expect(await ask('/api/v1/auth/refresh', { method: 'POST' })).toMatchObject({ status: 200 });
  });

  it('has room for a stand-down when everything else of the admin waits', async () => {
    const { perSharer } = laneSizes.admin;
    const { first } = await fill('/api/v1/slow', perSharer + 1, perSharer, 'x');
    expect(await first).toEqual({ status: 503, retryAfter: '5', code: 'overloaded' });
    expect(await signedIn()).toEqual({ status: 503, retryAfter: '5', code: 'overloaded' });
    expect(await standDown()).toMatchObject({ status: 200 });
  });

  it('has room for others when one person, with as many tokens as he likes, asks for all that he can', async () => {
    const { perSharer } = laneSizes.outside;
    for (const token of ['p0.a', 'p0.b', 'p1', 'c0']) await meet(token);
    await fill('/api/v1/slow', 8, 8, 'p0.a');
    const { first } = await fill('/api/v1/slow', perSharer, perSharer, 'p0.b');
    expect(await first).toEqual({ status: 503, retryAfter: '5', code: 'overloaded' });
    for (const token of ['x', 'c0', 'p1']) {
      expect([token, await ask('/api/v1/hibernation/status', { token })]).toMatchObject([token, { status: 200 }]);
    }
  });

  it.each([
    ['outside', 'p', ['c0', 'x']],
    ['company', 'c', ['x']],
  ] as const)(
    'answers those of a higher rank at once when many, %s, wait for all that they can',
    async (lane, kind, higher) => {
      const { sockets: most, waiting, perSharer } = laneSizes[lane];
      const people = Math.ceil((most + waiting + 1) / perSharer);
      for (let person = 0; person < people; person++) await meet(`${kind}${person}`);
      for (const token of higher) await meet(token);
      const asked = Array.from({ length: people * perSharer }, (_, index) =>
        ask('/api/v1/slow', { token: `${kind}${index % people}` }),
      );
      expect(await Promise.any(asked)).toEqual({ status: 503, retryAfter: '5', code: 'overloaded' });
      for (const answer of asked) answer.catch(() => {});
      await expect.poll(() => held.size, soon).toBe(most);
      for (const token of higher) {
        expect([token, await ask('/api/v1/hibernation/status', { token })]).toMatchObject([token, { status: 200 }]);
      }
      expect(held.size).toBe(most);
    },
  );

  it('has room for the stand-down of an admin when somebody who is none asks for his own', async () => {
    for (const token of ['p0', 'c0']) await meet(token);
    slowForOthers = true;
    const { perSharer } = laneSizes['stand-down'];
    for (const token of ['p0', 'c0']) {
      for (let index = 0; index < 2 * perSharer; index++) ask('/api/v1/stand-down', { token }).catch(() => {});
    }
    await expect.poll(() => held.size, soon).toBeGreaterThanOrEqual(laneSizes['stand-down'].sockets + 1);
    for (let turn = 0; turn < 20; turn++) expect(await standDown()).toMatchObject({ status: 200 });
  });
});

describe('streams, while others claim to be signed in', () => {
  const events = (token: string) =>
    hold(`GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`);

  it('have room for who is known, when the claims fill all that they may', async () => {
    slowForClaims = true;
    const { sockets: most, waiting, perSharer } = laneSizes['claimed-stream'];
    const claims = Array.from({ length: 1_200 }, () => events(none));
    await expect.poll(() => held.size, soon).toBe(most);
    await expect
      .poll(() => claims.filter(({ text }) => text.startsWith('HTTP/1.1 503')).length, soon)
      .toBe(1_200 - perSharer);
    expect(perSharer).toBeLessThan(most + waiting);
    const person = events('x');
    await expect.poll(() => person.text, soon).toMatch(/^HTTP\/1\.1 200 /);
    expect(await signedIn()).toMatchObject({ status: 200 });
  });

  it('have room for who was forgotten, once his turn has come, and he then takes none of it', async () => {
    slowForClaims = true;
    const { sockets: most } = laneSizes['claimed-stream'];
    for (let index = 0; index < most; index++) events(none);
    await expect.poll(() => held.size, soon).toBe(most);
    const people = Array.from({ length: 20 }, (_, index) => events(`p${index}`));
    await Promise.all(people.map(({ connected }) => connected));
    expect(await signedIn()).toMatchObject({ status: 200 });
    expect(people.map(({ text }) => text).join('')).toBe('');
    // One who claimed is refused: all who waited have their turn, one after the other, and stay.
    const [claim] = held;
    claim!.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    await expect.poll(() => people.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length, soon).toBe(20);
    await expect.poll(() => held.size, soon).toBe(most - 1 + 20);
  });

  it('are shared by person: one takes so many, whichever of his tokens he shows', async () => {
    const { perSharer } = laneSizes.stream;
    const first = Array.from({ length: perSharer }, (_, index) => events(`p0.t${index}`));
    await expect.poll(() => first.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length, soon).toBe(perSharer);
    for (const token of ['p0.t0', 'p0.new']) {
      const further = events(token);
      await expect.poll(() => further.text, soon).toMatch(/^HTTP\/1\.1 503 .*"code":"overloaded"/s);
    }
    await expect.poll(() => held.size, soon).toBe(perSharer);
    const other = events('p1');
    await expect.poll(() => other.text, soon).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a body that is longer in coming than its head', () => {
  const head = (token: string, path = '/api/v1/stand-down') =>
    `POST ${path} HTTP/1.1\r\n${host}${token === '' ? '' : `Authorization: Bearer ${token}\r\n`}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n`;

  it('has room while strangers, people from elsewhere and colleagues begin theirs', async () => {
    await meet('p0');
    await meet('p1');
    const admin = hold(head('x'));
    const person = hold(head('p0'));
    await Promise.all([admin.connected, person.connected]);
    const posts = Array.from({ length: 200 }, (_, index) => hold(head(['', none, 'p1'][index % 3]!)));
    const most = unfinishedBodies.strangers + unfinishedBodies.signedIn - 1;
    await expect.poll(() => posts.filter(({ cut }) => !cut).length, soon).toBe(most);
    for (const one of [admin, person]) {
      one.say('{}');
      await expect.poll(() => one.text, soon).toMatch(/^HTTP\/1\.1 200 /);
    }
  });
});
