import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress } from '../../test/support/api-world.ts';
import { rawExchange } from '../../test/support/raw-exchange.ts';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { type RunningFrontend, startFrontend } from './frontend.ts';

let folder: string;
let world: ApiWorld;
let frontend: RunningFrontend;
let token: string;
/** Every request that the API took for one, and what it could not read. */
const reached: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
const unreadable: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smuggling-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  world = await ApiWorld.start({ port: 0, host: '127.0.0.1' });
  const { server } = world.running.api.server.app;
  server.prependListener('request', ({ method = '', url = '', headers }: IncomingMessage) => {
    reached.push({ method, url, headers });
  });
  server.prependListener('clientError', (error: Error) => void unreadable.push(error.message));
  token = await world.token(adminAddress);
  frontend = await startFrontend({
    webRoot: folder,
    apiUrl: world.running.url,
    externalUrl: 'https://svc.example.com',
    httpPort: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
  });
});

afterAll(async () => {
  await frontend.stop();
  await world.stop();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  reached.length = 0;
  unreadable.length = 0;
});

const post = '/api/v1/auth/request-otp';
const json = 'Content-Type: application/json\r\n';
/** What an attacker wants the API to take for the start of the next person's request. */
const swallow = 'POST /api/v1/hibernation/trigger HTTP/1.1\r\nX-Swallow: ';
const whole = 'POST /api/v1/hibernation/trigger HTTP/1.1\r\nHost: svc.example.com\r\nContent-Length: 0\r\n\r\n';

/** A request to the API: its line, `Host`, these headers and this body. */
const ask = (line: string, headers = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: svc.example.com\r\n${headers}\r\n${body}`;
const get = (headers = '', body = '') => ask('GET /api/v1/branding', headers, body);
const send = (headers = '', body = '') => ask(`POST ${post}`, `${json}${headers}`, body);
const length = (body: string) => `Content-Length: ${body.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';
const chunk = (body: string, extension = '') => `${body.length.toString(16)}${extension}\r\n${body}\r\n0\r\n\r\n`;
const mail = '{"email":"x"}';

/** By what was tried: the bytes, and the status that comes back; `once` is a request that the API sees exactly once. */
const attempts: Readonly<
  Record<string, { readonly bytes: string; readonly refused?: number; readonly once?: number }>
> = {
  // Bodies where no route takes one.
  'GET with a body': { bytes: get(length(swallow), swallow), refused: 400 },
  'GET with a body, its length hidden by Connection': {
    bytes: get(`Connection: content-length\r\n${length(swallow)}`, swallow),
    refused: 400,
  },
  'GET with a chunked body': { bytes: get(chunked, chunk(swallow)), refused: 400 },
  'GET with a chunked body, hidden by Connection': {
    bytes: get(`Connection: transfer-encoding\r\n${chunked}`, chunk(swallow)),
    refused: 400,
  },
  'DELETE with a body': { bytes: ask('DELETE /api/v1/stand-down', length(swallow), swallow), refused: 400 },
  'DELETE with a body, its length hidden by Connection': {
    bytes: ask('DELETE /api/v1/stand-down', `Connection: keep-alive, Content-Length\r\n${length(swallow)}`, swallow),
    refused: 400,
  },
  'DELETE with a chunked body': { bytes: ask('DELETE /api/v1/stand-down', chunked, chunk(whole)), refused: 400 },
  'HEAD with a body': { bytes: ask('HEAD /api/v1/branding', length(whole), whole), refused: 400 },
  'HEAD with a chunked body': { bytes: ask('HEAD /api/v1/branding', chunked, chunk(whole)), refused: 400 },
  'OPTIONS with a body': { bytes: ask('OPTIONS /api/v1/branding', length(whole), whole), refused: 400 },
  'TRACE with a body': { bytes: ask('TRACE /api/v1/branding', length(whole), whole), refused: 400 },
  'GET with a length of nothing': { bytes: get('Content-Length: 0\r\n'), once: 200 },
  'GET with a body shorter than its length': { bytes: get('Content-Length: 500\r\n', swallow), refused: 400 },

  // Two lengths.
  'Transfer-Encoding and Content-Length together': {
    bytes: send(`${chunked}${length(mail)}`, chunk(mail)),
    refused: 400,
  },
  'Content-Length before Transfer-Encoding, with a request in the body': {
    bytes: send(`Content-Length: 4\r\n${chunked}`, `5c\r\n${whole}\r\n0\r\n\r\n`),
    refused: 400,
  },
  'both, the coding hidden by Connection': {
    bytes: send(`Connection: transfer-encoding\r\n${chunked}${length(mail)}`, chunk(mail)),
    refused: 400,
  },
  'Content-Length twice, the same': { bytes: send(`${length(mail)}${length(mail)}`, mail), refused: 400 },
  'Content-Length twice, different': { bytes: send(`Content-Length: 0\r\n${length(mail)}`, mail), refused: 400 },
  'Content-Length as a list': { bytes: send('Content-Length: 13, 13\r\n', mail), refused: 400 },
  'Content-Length with a sign': { bytes: send('Content-Length: +13\r\n', mail), refused: 400 },
  'Content-Length below zero': { bytes: send('Content-Length: -1\r\n', mail), refused: 400 },
  'Content-Length in hexadecimal': { bytes: send('Content-Length: 0xd\r\n', mail), refused: 400 },
  'Content-Length with a space inside': { bytes: send('Content-Length: 1 3\r\n', mail), refused: 400 },
  'Content-Length of nothing at all': { bytes: send('Content-Length:\r\n', mail), refused: 400 },
  'Content-Length past every number': { bytes: send(`Content-Length: ${'9'.repeat(30)}\r\n`, mail), refused: 400 },
  'Content-Length larger than any body': { bytes: send('Content-Length: 65537\r\n', mail), refused: 413 },
  'Content-Length with a space before the colon': { bytes: send('Content-Length : 13\r\n', mail), refused: 400 },
  'Content-Length behind a vertical tab': { bytes: send('Content-Length:\x0b13\r\n', mail), refused: 400 },
  'Content-Length hidden by Connection': {
    bytes: send(`Connection: Content-Length\r\n${length(mail)}`, mail),
    refused: 400,
  },
  'an underscore for the hyphen of Content-Length': { bytes: send('Content_Length: 13\r\n', ''), once: 400 },

  // Codings.
  'a coding that is not chunked': { bytes: send('Transfer-Encoding: identity\r\n', mail), refused: 400 },
  'a coding before chunked': { bytes: send('Transfer-Encoding: gzip, chunked\r\n', chunk(mail)), refused: 400 },
  'chunked twice in one line': { bytes: send('Transfer-Encoding: chunked, chunked\r\n', chunk(mail)), refused: 400 },
  'chunked twice in two lines': { bytes: send(`${chunked}${chunked}`, chunk(mail)), refused: 400 },
  'chunked and then something': { bytes: send('Transfer-Encoding: chunked, identity\r\n', mail), refused: 400 },
  'chunked behind a vertical tab': { bytes: send('Transfer-Encoding:\x0bchunked\r\n', chunk(mail)), refused: 400 },
  'chunked in quotes': { bytes: send('Transfer-Encoding: "chunked"\r\n', chunk(mail)), refused: 400 },
  xchunked: { bytes: send('Transfer-Encoding: xchunked\r\n', chunk(mail)), refused: 400 },
  'chunked with a space before the colon': {
    bytes: send('Transfer-Encoding : chunked\r\n', chunk(mail)),
    refused: 400,
  },
  'chunked in a folded line': { bytes: send('Transfer-Encoding:\r\n chunked\r\n', chunk(mail)), refused: 400 },
  'chunked in HTTP/1.0': {
    bytes: `POST ${post} HTTP/1.0\r\nHost: svc.example.com\r\n${json}${chunked}\r\n${chunk(mail)}`,
    refused: 400,
  },
  'CHUNKED in capitals': { bytes: send('Transfer-Encoding: CHUNKED\r\n', chunk(mail)), once: 400 },

  // Chunks.
  'an honest chunked body': { bytes: send(chunked, chunk(mail)), once: 400 },
  'a chunk extension': { bytes: send(chunked, chunk(mail, ';a=b')), once: 400 },
  'a chunk extension with a line feed in it': { bytes: send(chunked, `d;a\nb\r\n${mail}\r\n0\r\n\r\n`), refused: 400 },
  'a chunk extension of many kilobytes': { bytes: send(chunked, chunk(mail, `;${'a'.repeat(40_000)}`)), refused: 413 },
  'a chunk length in 0x': { bytes: send(chunked, `0xd\r\n${mail}\r\n0\r\n\r\n`), refused: 400 },
  'a chunk length below zero': { bytes: send(chunked, `-d\r\n${mail}\r\n0\r\n\r\n`), refused: 400 },
  'a chunk length that overflows': { bytes: send(chunked, `10000000000000000d\r\n${mail}\r\n0\r\n\r\n`), refused: 400 },
  'a chunk length that is none': { bytes: send(chunked, `zz\r\n${mail}\r\n0\r\n\r\n`), refused: 400 },
  'a chunk without its line end': { bytes: send(chunked, `d\r\n${mail}0\r\n\r\n`), refused: 400 },
  'chunks that end in bare line feeds': { bytes: send(chunked, `d\n${mail}\n0\n\n`), refused: 400 },
  'a chunk length behind a space': { bytes: send(chunked, ` d\r\n${mail}\r\n0\r\n\r\n`), refused: 400 },
  'a trailer that names a length': {
    bytes: send(chunked, `d\r\n${mail}\r\n0\r\nContent-Length: 500\r\n\r\n`),
    refused: 400,
  },
  'a trailer that names a caller': {
    bytes: send(chunked, `d\r\n${mail}\r\n0\r\nX-Forwarded-For: 6.6.6.6\r\nAuthorization: Bearer x\r\n\r\n`),
    once: 400,
  },
  // Lines.
  'bare line feeds': { bytes: 'GET /api/v1/branding HTTP/1.1\nHost: svc.example.com\n\n', refused: 400 },
  'a bare carriage return in a header': { bytes: get('X-A: b\rX-B: c\r\n'), refused: 400 },
  'a zero byte in a header': { bytes: get('X-A: b\0c\r\n'), refused: 400 },
  'a folded line': { bytes: get('X-A: b\r\n Content-Length: 500\r\n'), refused: 400 },
  'a folded line first': {
    bytes: 'GET /api/v1/branding HTTP/1.1\r\n Host: svc.example.com\r\nHost: svc.example.com\r\n\r\n',
    refused: 400,
  },
  'a header without a name': { bytes: get(': value\r\n'), refused: 400 },
  'a header without a colon': { bytes: get('Content-Length 13\r\n'), refused: 400 },
  'more headers than are counted, and then a length': {
    bytes: get(`${'a:\r\n'.repeat(2_500)}${length(swallow)}`, swallow),
    refused: 431,
  },
  'a head of many kilobytes': { bytes: get(`X-A: ${'a'.repeat(20_000)}\r\n`), refused: 431 },
  'an empty line first': { bytes: `\r\n${get()}`, once: 200 },
  'two spaces in the request line': { bytes: 'GET  /api/v1/branding HTTP/1.1\r\nHost: a\r\n\r\n', once: 200 },
  'another version': { bytes: 'GET /api/v1/branding HTTP/1.2\r\nHost: a\r\n\r\n', refused: 400 },
  'no version': { bytes: 'GET /api/v1/branding\r\n\r\n', refused: 400 },
  'the preface of HTTP/2': { bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', refused: 400 },

  // Who is asked, and by whom.
  'no Host': { bytes: 'GET /api/v1/branding HTTP/1.1\r\n\r\n', refused: 400 },
  'two Hosts': { bytes: get('Host: other.example.com\r\n'), refused: 400 },
  'an absolute target': {
    bytes: 'GET http://svc.example.com/api/v1/branding HTTP/1.1\r\nHost: svc.example.com\r\n\r\n',
    once: 200,
  },
  'an absolute target of another host': {
    bytes: 'GET http://other.example.com/api/v1/branding HTTP/1.1\r\nHost: svc.example.com\r\n\r\n',
    once: 200,
  },
  'an absolute target of another scheme': { bytes: ask('GET file:///api/v1/branding'), refused: 400 },
  'an authority for a target': { bytes: ask('GET svc.example.com:80'), refused: 400 },
  'a star for a target': { bytes: ask('OPTIONS *'), refused: 400 },
  'a fragment in the target': { bytes: ask('GET /api/v1/branding#x'), refused: 400 },
  'a line end in the target': { bytes: ask('GET /api/v1/branding\r\nX-A: b'), refused: 400 },
  'a tunnel': { bytes: 'CONNECT svc.example.com:80 HTTP/1.1\r\nHost: svc.example.com:80\r\n\r\n', refused: 405 },
  'Authorization twice': { bytes: get('Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'), refused: 400 },
  'Authorization hidden by Connection': {
    bytes: get('Connection: authorization\r\nAuthorization: Bearer a\r\n'),
    refused: 400,
  },
  'X-Forwarded-For hidden by Connection': {
    bytes: get('Connection: x-forwarded-for\r\nX-Forwarded-For: 6.6.6.6\r\n'),
    refused: 400,
  },
  'the internal frames': { bytes: ask('POST /api/v1/internal/frames', length(mail), mail), refused: 404 },

  // Connections that should become something else.
  'an upgrade to a WebSocket': { bytes: get('Connection: upgrade\r\nUpgrade: websocket\r\n'), once: 200 },
  'an upgrade to HTTP/2 in the clear': {
    bytes: get('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
    once: 200,
  },
  'an upgrade with a body': {
    bytes: get(`Connection: upgrade\r\nUpgrade: websocket\r\n${length(whole)}`, whole),
    refused: 400,
  },
  'an upgrade with a request behind it': {
    bytes: get('Connection: close, upgrade\r\nUpgrade: x\r\n', whole),
    once: 200,
  },
  'Expect: 100-continue': { bytes: send(`Expect: 100-continue\r\n${length(mail)}`, mail), once: 400 },
  'Expect on GET': { bytes: get('Expect: 100-continue\r\n'), once: 200 },
  'Expect of something else': { bytes: send(`Expect: 200-ok\r\n${length(mail)}`, mail), refused: 417 },
  'Expect of something else, with a request in the body': {
    bytes: get(`Expect: x\r\n${length(whole)}`, whole),
    refused: 417,
  },
  'a request behind Connection: close': { bytes: get('Connection: close\r\n', whole), once: 200 },
  'Keep-Alive, Proxy-Connection, TE and Trailer': {
    bytes: get('Keep-Alive: timeout=999\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nTrailer: Host\r\n'),
    once: 200,
  },
};

describe('attack 26: requests that can be read in two ways', () => {
  it('are more than sixty', () => {
    expect(Object.keys(attempts).length).toBeGreaterThan(60);
  });

  it.each(Object.entries(attempts))('%s', async (_name, { bytes, refused, once }) => {
    const { status, body } = await rawExchange(frontend.httpPort, bytes);
    expect([status, reached.length]).toEqual([refused ?? once, once === undefined ? 0 : 1]);
    if (status !== 200 && !bytes.startsWith('HEAD')) {
      expect(JSON.parse(body)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    }
    await isServed();
    expect(reached).toHaveLength(once === undefined ? 1 : 2);
    expect(reached.filter(({ url, headers }) => url.includes('trigger') || 'x-swallow' in headers)).toEqual([]);
    expect(unreadable).toEqual([]);
  });
});

/** Whoever comes next gets an answer to what they asked, and to nothing else. */
async function isServed(): Promise<void> {
  const request = ask('GET /api/v1/auth/me', `Authorization: Bearer ${token}\r\n`);
  const { status, body } = await world.settle(rawExchange(frontend.httpPort, request));
  expect([status, body]).toEqual([200, expect.stringContaining(adminAddress)]);
  expect(reached.at(-1)).toMatchObject({ method: 'GET', url: '/api/v1/auth/me' });
}

describe('attack 26: a stranger before a signed-in admin', () => {
  it.each([
    ['GET', get(`Connection: content-length\r\n${length(swallow)}`, swallow)],
    ['DELETE', ask('DELETE /api/v1/stand-down', `Connection: content-length\r\n${length(swallow)}`, swallow)],
    ['a chunked GET', get(chunked, chunk(swallow))],
  ])('never acts as them, with %s', async (_name, bytes) => {
    for (let turn = 0; turn < 4; turn++) await rawExchange(frontend.httpPort, bytes);
    await isServed();
    expect(world.stateData()?.['manual_hibernation']).toBeUndefined();
    expect(reached.filter(({ url }) => url.includes('trigger'))).toEqual([]);
  });
});

describe('what the API is told of a request', () => {
  it('is the client and the host of this request, whatever it claims', async () => {
    await rawExchange(
      frontend.httpPort,
      get(
        'X-Forwarded-For: 6.6.6.6\r\nForwarded: for=6.6.6.6\r\nX-Real-IP: 6.6.6.6\r\nX-Anything: else\r\nAccept: a/b\r\n',
      ),
    );
    const { host, accept, ...rest } = reached[0]!.headers;
    expect([host, accept]).toEqual(['svc.example.com', 'a/b']);
    expect(rest).toEqual({
      connection: 'keep-alive',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'svc.example.com',
    });
  });
});
