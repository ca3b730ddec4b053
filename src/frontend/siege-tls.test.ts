import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handshakeWeight, secureWeight } from '../platform/connection-budget.ts';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { acceptedToken, tokenHeader, tokenHeaderText } from '../platform/token-name.ts';
import { type FrontendOptions, type RunningFrontend, startFrontend } from './frontend.ts';
import { connectionRooms } from './listeners.ts';
import { laneSizes } from './proxy/lanes.ts';

let folder: string;
let api: Server;
let frontend: RunningFrontend;
const sockets = new Set<Socket>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'siege-tls-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  api = createServer((request, response) => {
    request.resume();
    const person = request.headers.authorization?.slice('Bearer '.length);
    if (person !== undefined) {
      const rank = person === 'admin' ? 'admin' : 'outside';
      response.setHeader(tokenHeader, tokenHeaderText({ token: acceptedToken, person, rank }));
    }
    if (request.url === '/api/v1/events') response.writeHead(200).flushHeaders();
    else response.end('{}');
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
});

afterAll(async () => {
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true });
});

async function start(options: Partial<FrontendOptions> = {}): Promise<void> {
  frontend = await startFrontend({
    webRoot: folder,
    apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    externalUrl: 'https://svc.example.com',
    httpPort: 0,
    httpsPort: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
}

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await frontend.stop();
});

const soon = { timeout: 60_000 };
const host = 'Host: svc.example.com\r\n';

/** What has been heard on a connection, and whether it was cut. */
interface Holding {
  text: string;
  cut: boolean;
}

function listenTo(socket: Socket): Holding {
  sockets.add(socket);
  const holding: Holding = { text: '', cut: false };
  socket.on('data', (piece) => {
    holding.text += piece;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    holding.cut = true;
  });
  return holding;
}

/** Shakes hands, says this much and no more. */
async function hold(text: string, options: { readonly session?: Buffer } = {}) {
  const socket = connectSecurely({
    port: frontend.httpsPort!,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...options,
  });
  const holding = listenTo(socket);
  await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]);
  socket.write(text);
  return { socket, holding };
}

/** The beginning of a record that announces 512 bytes, and nothing behind it. */
const halfHandshake = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);

function shakeHalf(): Holding {
  const socket = connect(frontend.httpsPort!, '127.0.0.1');
  socket.write(halfHandshake);
  return listenTo(socket);
}

async function status(token = 'admin'): Promise<string> {
  const bearer = `Authorization: Bearer ${token}\r\n`;
  const { holding } = await hold(`GET /api/v1/hibernation/status HTTP/1.1\r\n${host}${bearer}\r\n`);
  await expect.poll(() => holding.text || holding.cut, soon).toBeTruthy();
  return holding.text.split('\r\n', 1)[0]!;
}

const stands = (all: readonly Holding[]) => all.filter(({ cut }) => !cut).length;
const ok = 'HTTP/1.1 200 OK';

describe('attack 27: a siege of the frontend over TLS, where each connection costs several times as much', () => {
  it('of handshakes that are not finished has room for so many, and who means it is answered', async () => {
    await start();
    const most = Math.floor(connectionRooms.fresh / handshakeWeight);
    const half = Array.from({ length: 5 * most }, shakeHalf);
    await expect.poll(() => stands(half), soon).toBeLessThanOrEqual(most);
    expect(await status()).toBe(ok);
    expect(stands(half)).toBeGreaterThan(0);
  });

  it('of handshakes that are not finished ends when their time is over', async () => {
    await start({ requestTimeouts: { headersMs: 300, requestMs: 1_000, unreadMs: 1_000 } });
    const half = Array.from({ length: 10 }, shakeHalf);
    await expect.poll(() => stands(half), soon).toBe(0);
    expect(await status()).toBe(ok);
  });

  it('of half-sent heads costs those who sent them, and pushes out nobody who is shaking hands', async () => {
    await start();
    const handshake = shakeHalf();
    const heads: Holding[] = [];
    for (let index = 0; index < connectionRooms.fresh / secureWeight; index++) {
      heads.push((await hold(`GET /api/v1/x HTTP/1.1\r\n${host}X-Slow: `)).holding);
    }
    await expect.poll(() => stands(heads), soon).toBeLessThanOrEqual(connectionRooms.begun / secureWeight);
    expect(handshake.cut).toBe(false);
    expect(await status()).toBe(ok);
  });

  it('of idle connections has room for fewer of them', async () => {
    await start();
    const idle: Holding[] = [];
    const most = Math.floor(connectionRooms.idle / secureWeight);
    for (let index = 0; index < most + 20; index++) {
      idle.push((await hold(`GET /healthz HTTP/1.1\r\n${host}\r\n`)).holding);
    }
    await expect.poll(() => stands(idle), soon).toBe(most);
    expect(idle.at(-1)?.text).toContain(ok);
  });

  it('of streams gives one person a part, strangers together another, and an admin his own', async () => {
    await start();
    const { sockets: all, perSharer, kept } = laneSizes.stream;
    const own = Math.floor(perSharer / secureWeight);
    const ofStrangers = Math.floor((all - kept!.admins - kept!.company) / secureWeight);
    const open = async (token: string) => {
      const { holding } = await hold(`GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`);
      await expect.poll(() => holding.text, soon).not.toBe('');
      return holding.text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    };
    const answers: string[] = [];
    for (let index = 0; index <= own; index++) answers.push(await open('one'));
    expect(answers).toEqual([...Array.from({ length: own }, () => '200'), '503']);
    for (let index = own; index < ofStrangers; index++) expect(await open(`p${index}`)).toBe('200');
    expect([await open('another'), await open('admin')]).toEqual(['503', '200']);
    expect(await status()).toBe(ok);
  });
});

describe('who comes again over TLS', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('takes up his session with %s', async (maxVersion) => {
    await start();
    const shake = (session?: Buffer) => {
      const common = { port: frontend.httpsPort!, host: '127.0.0.1', rejectUnauthorized: false, maxVersion };
      const socket = connectSecurely({ ...common, ...(session === undefined ? {} : { session }) });
      listenTo(socket);
      return socket;
    };
    const first = shake();
    const tickets: Buffer[] = [];
    first.on('session', (ticket: Buffer) => tickets.push(ticket));
    await once(first, 'secureConnect');
    await expect.poll(() => tickets.length, soon).toBeGreaterThan(0);
    const again = shake(tickets.at(-1));
    await once(again, 'secureConnect');
    expect([first.isSessionReused(), again.isSessionReused()]).toEqual([false, true]);
  });
});
