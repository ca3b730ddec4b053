import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOrigin } from '../../web/app/visitor/origin.ts';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { type RunningFrontend, startFrontend } from './frontend.ts';

const externalUrl = 'https://svc.example.com';
let folder: string;
let frontend: RunningFrontend;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontend-origin-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>t</title>');
  frontend = await startFrontend({
    webRoot: folder,
    apiUrl: 'http://127.0.0.1:1',
    externalUrl,
    httpPort: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
  });
});
afterAll(async () => {
  await frontend.stop();
  await rm(folder, { recursive: true });
});

interface Raw {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

/** Sends exactly these bytes, because a client library would tidy them up. */
async function exchange(target: string, headers: readonly string[]): Promise<Raw> {
  const socket = connect(frontend.httpPort, '127.0.0.1');
  socket.write([`GET ${target} HTTP/1.1`, ...headers, 'accept: text/html', 'connection: close', '', ''].join('\r\n'));
  let text = '';
  for await (const piece of socket) text += piece;
  const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  };
}

/** The address that the app is told, once it is sure that the visitor is sent to the own address and nowhere else. */
function originOf({ status, headers }: Raw): string {
  const locations = headers.filter(([name]) => name === 'location').map(([, value]) => value);
  expect([status, locations.length]).toEqual([302, 1]);
  const [location = ''] = locations;
  const start = `${externalUrl}#/?origin=`;
  expect(location.slice(0, start.length)).toBe(start);
  expect(location.slice(start.length)).toMatch(/^[\w%.!~*'()-]*$/);
  expect(new URL(location).origin).toBe(externalUrl);
  return decodeURIComponent(location.slice(start.length));
}

describe('attack 18: an address that lies about where a visitor came from', () => {
  const goodHosts: readonly (readonly [string, string, string])[] = [
    ['another host', 'evil.example', 'http://evil.example/'],
    ['a host that looks like the own', 'svc.example.com.evil.example', 'http://svc.example.com.evil.example/'],
    ['an address', '127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['a path that looks like a host', 'evil.example', 'http://evil.example//other.example/'],
  ];
  for (const [name, host, expected] of goodHosts) {
    it(`${name} is named as it is, and the visitor lands on the own address`, async () => {
      const path = expected.slice(`http://${host}`.length);
      const origin = originOf(await exchange(path, [`host: ${host}`]));
      expect(origin).toBe(expected);
      expect(parseOrigin(origin)).toMatchObject({ ok: true, host });
    });
  }

  const lyingHeaders: readonly (readonly [string, string])[] = [
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Proto', 'https://svc.example.com/#'],
    ['X-Forwarded-Host', 'svc.example.com'],
    ['X-Forwarded-Port', '443'],
    ['Forwarded', 'host=svc.example.com;proto=https'],
    ['X-Original-URL', '/admin'],
    ['X-Rewrite-URL', 'https://svc.example.com/'],
    ['X-Host', 'svc.example.com'],
  ];
  it.each(lyingHeaders)('%s: %s of a peer that is not trusted changes nothing', async (name, value) => {
    const origin = originOf(await exchange('/cart', ['host: shop.example.com', `${name}: ${value}`]));
    expect(origin).toBe('http://shop.example.com/cart');
  });

  const refusedHosts = [
    'user@evil.example',
    'user:word@evil.example',
    'svc.example.com@evil.example',
    'evil.example\\@svc.example.com',
    'svc.example.com/..//evil.example',
    'svc.example.com?x',
    'svc.example.com#',
    'svc.example.com evil.example',
    'svc.example.com:443:80',
    'svc.example.com:evil',
    '[::1',
    '',
  ];
  it.each(refusedHosts)('the host %j is refused before anything is said of it', async (host) => {
    const { status, headers } = await exchange('/', [`host: ${host}`]);
    expect([host, status]).toEqual([host, 400]);
    expect(headers.some(([name]) => name === 'location')).toBe(false);
  });

  it('two hosts, and none, are refused', async () => {
    expect((await exchange('/', ['host: svc.example.com', 'host: evil.example'])).status).toBe(400);
    expect((await exchange('/', [])).status).toBe(400);
  });

  it('a target that names the own host beats the header, and one that names another is foreign', async () => {
    expect((await exchange('https://svc.example.com/', ['host: evil.example'])).status).toBe(200);
    const origin = originOf(await exchange('http://evil.example/', ['host: svc.example.com']));
    expect(origin).toBe('http://evil.example/');
    expect((await exchange('http://user@evil.example/', ['host: svc.example.com'])).status).toBe(400);
  });

  const paths = [
    '/%0d%0aLocation:%20https://evil.example/',
    '/%5c%5cevil.example',
    '/\\evil.example',
    '//evil.example/%2e%2e',
    '/#/?origin=javascript:alert(1)',
    '/?origin=javascript:alert(1)',
    '/?a=1&origin=https://evil.example#/admin',
    "/'%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    '/%00',
    '/%E0%A4%A',
    `/${'x'.repeat(4000)}`,
  ];
  it.each(paths)('the path %s stays inside its parameter, or is refused', async (path) => {
    const answer = await exchange(path, ['host: shop.example.com']);
    if (answer.status === 400) return;
    const origin = originOf(answer);
    expect(origin).toBe(`http://shop.example.com${path}`);
    const parsed = parseOrigin(origin);
    if (parsed.ok) expect([parsed.host, new URL(parsed.url).protocol]).toEqual(['shop.example.com', 'http:']);
  });

  const written = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://svc.example.com/x',
    'about:blank',
    '//evil.example',
    '///evil.example',
    '\\\\evil.example',
    'https:\\\\evil.example',
    'https:/\\evil.example',
    'http:evil.example',
    'https://svc.example.com@evil.example/',
    'https://svc.example.com%40evil.example@x/',
    'https://svc.example.com\\@evil.example',
    'https://svc.example.com\r\nSet-Cookie: a=b',
    'https://svc.example.com/\u0000',
    'https://svc.example.com\t.evil.example',
    'https://',
    'https://?x',
    'https://#x',
  ];
  it.each(written)('the app takes nobody to #/?origin=%j', (origin) => {
    // As a link that somebody sends: the app reads the parameter back exactly as it was written.
    const params = new URLSearchParams(new URL(`${externalUrl}#/?origin=${encodeURIComponent(origin)}`).hash.slice(3));
    expect(params.get('origin')).toBe(origin);
    expect(parseOrigin(params.get('origin') ?? '')).toMatchObject({ ok: false });
  });
});
