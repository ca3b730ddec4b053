import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { type RunningFrontend, startFrontend } from './frontend.ts';
import { standardTimeouts } from './listeners.ts';

let folder: string;
let frontend: RunningFrontend;

const options = () => ({
  webRoot: folder,
  apiUrl: 'http://127.0.0.1:9',
  externalUrl: 'https://svc.example.com',
  httpPort: 0,
  host: '127.0.0.1',
  clock: systemClock,
  logger: silentLogger,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timeouts-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets', 'large-1a2b3c4d.js'), Buffer.alloc(16 * 1024 * 1024, 32));
  frontend = await startFrontend({
    ...options(),
    httpsPort: 0,
    requestTimeouts: { headersMs: 200, requestMs: 400, unreadMs: 600 },
  });
});

afterAll(async () => {
  await frontend.stop();
  await rm(folder, { recursive: true });
});

/** What comes back until the connection ends. */
function said(secure: boolean, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = secure
      ? connectSecurely({ port: frontend.httpsPort!, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(frontend.httpPort, '127.0.0.1');
    let heard = '';
    socket.on('data', (piece) => {
      heard += piece;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
    socket.write(text);
  });
}

const host = 'Host: svc.example.com\r\n';

describe.each([
  ['http', false],
  ['https', true],
] as const)('on %s', (_name, secure) => {
  it('a head that does not come to its end is answered 408', async () => {
    expect(await said(secure, `GET /api/v1/x HTTP/1.1\r\n${host}X-Slow: `)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('a body that does not come to its end is answered 408', async () => {
    const post = `POST /api/v1/x HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`;
    expect(await said(secure, post)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

it('an answer that nobody reads is given up', async () => {
  const socket = connect(frontend.httpPort, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`GET /assets/large-1a2b3c4d.js HTTP/1.1\r\n${host}\r\n`);
  // The kernel takes some of it; the rest waits for a reader. In steps, so that a busy machine that skips a second skips it for both.
  await new Promise((resolve) => socket.once('readable', resolve));
  for (let step = 0; step < 20; step++) await new Promise((resolve) => setTimeout(resolve, 100));
  let taken = 0;
  socket.on('data', (piece) => {
    taken += piece.length;
  });
  await closed;
  expect(taken).toBeLessThan(16 * 1024 * 1024);
});

it('gives an unread answer up after a minute and a half, unless told otherwise', () => {
  expect(standardTimeouts).toEqual({ headersMs: 10_000, requestMs: 30_000, unreadMs: 90_000 });
});

it('stops although a client holds a connection of each kind', async () => {
  const other = await startFrontend({ ...options(), httpsPort: 0 });
  const held = [
    connect(other.httpPort, '127.0.0.1'),
    connectSecurely({ port: other.httpsPort!, host: '127.0.0.1', rejectUnauthorized: false }),
  ];
  await Promise.all(
    held.map(
      (socket) =>
        new Promise((resolve) => {
          socket.on('error', () => {});
          socket.once('data', resolve);
          socket.write(`GET /healthz HTTP/1.1\r\n${host}\r\n`);
        }),
    ),
  );
  await other.stop();
});

it('says so when another process has the port', async () => {
  await expect(startFrontend({ ...options(), httpPort: frontend.httpPort })).rejects.toThrow(/EADDRINUSE/);
});
