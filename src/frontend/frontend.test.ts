import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { request as sendSecurely } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { acceptedToken, tokenHeader, tokenHeaderText } from '../platform/token-name.ts';
import { type FrontendOptions, type RunningFrontend, startFrontend } from './frontend.ts';
import { securityHeaders } from './http/security-headers.ts';
import { internalCertificate } from './internal-authority.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly certificate?: string;
}

interface Ask {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly secure?: boolean;
}

const index = `<!doctype html><html><head><title>t</title><script>go()</script><script type="module" src="./assets/index-BqX9a1_2.js"></script></head></html>`;
const script = 'export const a = 1;';
/** What the API says to the frontend alone, in every answer. */
const said = tokenHeaderText({ token: acceptedToken, person: 'person-of-the-test', rank: 'admin' });

let folder: string;
let api: Server;
let apiUrl: string;
const asked: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
const open = new Set<ServerResponse>();
let closedStreams = 0;
let onStreamClosed = () => {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontend-'));
  await mkdir(join(folder, 'web', 'assets'), { recursive: true });
  await writeFile(join(folder, 'web', 'index.html'), index);
  await writeFile(join(folder, 'web', 'assets', 'index-BqX9a1_2.js'), script);
  await writeFile(join(folder, 'web', 'assets', 'index-BqX9a1_2.js.br'), 'BROTLI');
  await writeFile(join(folder, 'web', 'assets', 'index-BqX9a1_2.js.gz'), 'GZIP');
  await writeFile(join(folder, 'web', 'favicon.svg'), '<svg/>');
  await mkdir(join(folder, 'web', 'help'));
  await writeFile(join(folder, 'web', 'help', 'start.html'), '<!doctype html><script>go()</script>');
  await writeFile(join(folder, 'secret.txt'), 'not for the web');
  api = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      asked.push({ url: request.url ?? '', headers: request.headers, body });
      if (request.url === '/api/v1/events') {
        open.add(response);
        response.on('close', () => {
          closedStreams += 1;
          onStreamClosed();
        });
        response.writeHead(200, { 'content-type': 'text/event-stream', [tokenHeader]: said }).write('data: first\n\n');
      } else if (request.url === '/api/v1/half') {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half of it');
      } else if (request.url !== '/api/v1/silent') {
        response
          .writeHead(201, {
            'content-type': 'application/json',
            'x-own': 'yes',
            connection: 'close',
            [tokenHeader]: said,
          })
          .end('{"a":1}');
      }
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});

afterAll(async () => {
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true });
});

async function withFrontend(options: Partial<FrontendOptions>, use: (frontend: RunningFrontend) => Promise<void>) {
  const frontend = await startFrontend({
    webRoot: join(folder, 'web'),
    apiUrl,
    externalUrl: 'https://svc.example.com',
    httpPort: 0,
    httpsPort: 0,
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
  try {
    await use(frontend);
  } finally {
    await frontend.stop();
  }
}

function ask(
  frontend: RunningFrontend,
  { path = '/', method = 'GET', headers = {}, body, secure }: Ask,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const common = { host: '127.0.0.1', path, method, headers: { host: 'svc.example.com', ...headers } };
    const request = secure
      ? sendSecurely({
          ...common,
          port: frontend.httpsPort,
          rejectUnauthorized: false,
          agent: false,
          servername: 'svc.internal',
        })
      : send({ ...common, port: frontend.httpPort, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      response.on('error', reject);
      const { socket } = response;
      const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate().subjectaltname : undefined;
      let text = '';
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
          ...(certificate === undefined ? {} : { certificate }),
        }),
      );
    });
    request.end(body);
  });
}

const page = { accept: 'text/html', 'sec-fetch-dest': 'document' };

describe('the frontend server', () => {
  it('serves the page uncached, with the hash of its inline script in the policy', () =>
    withFrontend({}, async (frontend) => {
      const answer = await ask(frontend, { headers: page });
      expect(answer.status).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers['content-security-policy']).toContain(
        "script-src 'self' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='",
      );
      expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(answer.body).toContain('src="/assets/index-BqX9a1_2.js"');
      expect(answer.body).toContain('<meta name="base-path" content="/">');
    }));

  it('serves page, files and API below a path prefix', () =>
    withFrontend({ externalUrl: 'https://svc.example.com/hibernate' }, async (frontend) => {
      const answer = await ask(frontend, { path: '/hibernate', headers: page });
      expect(answer.body).toContain('src="/hibernate/assets/index-BqX9a1_2.js"');
      expect(answer.body).toContain('<meta name="base-path" content="/hibernate/">');
      expect(await ask(frontend, { path: '/hibernate/assets/index-BqX9a1_2.js' })).toMatchObject({ body: script });
      expect(await ask(frontend, { path: '/hibernate/api/v1/x?y=1' })).toMatchObject({ status: 201 });
      expect(asked.at(-1)?.url).toBe('/api/v1/x?y=1');
    }));

  it('serves hashed files for ever and others only after a question', () =>
    withFrontend({}, async (frontend) => {
      const path = '/assets/index-BqX9a1_2.js';
      const plain = await ask(frontend, { path });
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
        vary: 'Accept-Encoding',
      });
      const br = await ask(frontend, { path, headers: { 'accept-encoding': 'gzip, br' } });
      expect([br.headers['content-encoding'], br.body]).toEqual(['br', 'BROTLI']);
      const gzip = await ask(frontend, { path, headers: { 'accept-encoding': 'gzip, br;q=0' } });
      expect([gzip.headers['content-encoding'], gzip.body]).toEqual(['gzip', 'GZIP']);
      const icon = await ask(frontend, { path: '/favicon.svg' });
      expect(icon.headers['cache-control']).toBe('no-cache');
      const again = await ask(frontend, { path: '/favicon.svg', headers: { 'if-none-match': icon.headers.etag! } });
      expect([again.status, again.body]).toEqual([304, '']);
      for (const known of [`W/${icon.headers.etag}`, `"other", ${icon.headers.etag}`, '*']) {
        const { status } = await ask(frontend, { path: '/favicon.svg', headers: { 'if-none-match': known } });
        expect([known, status]).toEqual([known, 304]);
      }
      const head = await ask(frontend, { path, method: 'HEAD' });
      expect([head.headers['content-length'], head.body]).toEqual([String(script.length), '']);
    }));

  it('sends a visitor of another host away, also where the app has a file of that name', () =>
    withFrontend({}, async (frontend) => {
      const visit = async (host: string, headers: Record<string, string>) => {
        const { status, headers: answered } = await ask(frontend, {
          path: '/favicon.svg',
          headers: { host, ...headers },
        });
        return [status, answered.location];
      };
      const away = [302, 'https://svc.example.com#/?origin=http%3A%2F%2Fshop.example.com%2Ffavicon.svg'];
      expect(await visit('shop.example.com', page)).toEqual(away);
      expect(await visit('shop.example.com', { accept: 'text/html' })).toEqual(away);
      // The satellite's page and a port-forward get the files that they name.
      expect(await visit('shop.example.com', { 'sec-fetch-dest': 'image' })).toEqual([200, undefined]);
      expect(await visit('svc.example.com', { 'sec-fetch-dest': 'image' })).toEqual([200, undefined]);
      // On the own host too the app is one page: any other is somebody else's, whatever files the app has.
      expect(await visit('svc.example.com', page)).toEqual([
        302,
        'https://svc.example.com#/?origin=http%3A%2F%2Fsvc.example.com%2Ffavicon.svg',
      ]);
    }));

  it('opens nothing outside the folder', () =>
    withFrontend({}, async (frontend) => {
      for (const path of ['/../secret.txt', '/assets/..%2f..%2fsecret.txt', '/%2e%2e/secret.txt', '/assets/%00']) {
        const answer = await ask(frontend, { path, headers: { accept: 'text/plain' } });
        expect([path, answer.status, answer.body.includes('not for the web')]).toEqual([path, 404, false]);
      }
    }));

  it('sends other hosts to the external address, on both listeners, but not health checks or the API', () =>
    withFrontend({}, async (frontend) => {
      const headers = { ...page, host: 'shop.example.com' };
      const answer = await ask(frontend, { path: '/cart?a=1', headers });
      expect([answer.status, answer.headers.location]).toEqual([
        302,
        'https://svc.example.com#/?origin=http%3A%2F%2Fshop.example.com%2Fcart%3Fa%3D1',
      ]);
      const secure = await ask(frontend, { headers, secure: true });
      expect(secure.headers.location).toBe('https://svc.example.com#/?origin=https%3A%2F%2Fshop.example.com%2F');
      for (const path of ['/healthz', '/readyz']) {
        for (const isSecure of [false, true]) {
          expect((await ask(frontend, { path, headers, secure: isSecure })).status).toBe(200);
        }
      }
      expect((await ask(frontend, { path: '/api/v1/x', headers: { host: 'localhost:9999' } })).status).toBe(201);
    }));

  it('answers a request that it cannot place', () =>
    withFrontend({}, async (frontend) => {
      expect((await ask(frontend, { headers: { host: 'a b' } })).status).toBe(400);
      expect((await ask(frontend, { path: '/none.js' })).status).toBe(404);
      expect((await ask(frontend, { path: '/none', method: 'POST', body: 'x' })).status).toBe(405);
      const raw = await rawAnswer(frontend.httpPort, 'GET / HTTP/1.1\r\nHost: svc.example.com\r\nHost: b\r\n\r\n');
      expect(raw).toMatch(/^HTTP\/1\.1 400 /);
      const broken = await rawAnswer(frontend.httpPort, 'NONSENSE\r\n\r\n');
      expect(broken).toMatch(/^HTTP\/1\.1 400 [\s\S]*frame-ancestors 'none'/);
    }));

  it.each(['/healthz', '/readyz', '/healthz?from=balancer'])('answers %s without a host in HTTP/1.0', (path) =>
    withFrontend({}, async (frontend) => {
      expect(await rawAnswer(frontend.httpPort, `GET ${path} HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
      // Whoever speaks HTTP/1.1 names one, and so does who wants anything else.
      expect(await rawAnswer(frontend.httpPort, `GET ${path} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
      expect(await rawAnswer(frontend.httpPort, 'GET /api/v1/x HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
      const length = 'Content-Length: 5\r\n\r\nhello';
      expect(await rawAnswer(frontend.httpPort, `GET ${path} HTTP/1.0\r\n${length}`)).toMatch(/^HTTP\/1\.1 400 /);
    }),
  );

  it('puts the security headers on every answer', () =>
    withFrontend({}, async (frontend) => {
      const asks: Ask[] = [
        { headers: page },
        { path: '/x', headers: page },
        { path: '/none.js' },
        { path: '/none', method: 'POST' },
        { headers: { host: 'a b' } },
        { path: '/healthz' },
        { path: '/favicon.svg' },
        { path: '/api/v1/x' },
      ];
      for (const one of asks) {
        const { headers } = await ask(frontend, one);
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cross-origin-opener-policy': 'same-origin',
          'x-frame-options': 'DENY',
        });
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      }
    }));

  it('puts them on a file that the browser has already', () =>
    withFrontend({}, async (frontend) => {
      for (const path of ['/favicon.svg', '/assets/index-BqX9a1_2.js']) {
        const { etag = '' } = (await ask(frontend, { path })).headers;
        const { status, headers } = await ask(frontend, { path, headers: { 'if-none-match': etag } });
        expect([path, status]).toEqual([path, 304]);
        expect(headers).toMatchObject({ ...securityHeaders, 'strict-transport-security': 'max-age=31536000' });
      }
    }));

  it('lets nothing run in a file that is a page by itself', () =>
    withFrontend({}, async (frontend) => {
      const headers = { 'sec-fetch-dest': 'empty' };
      const answer = await ask(frontend, { path: '/help/start.html', headers });
      expect([answer.status, answer.headers['content-security-policy']]).toEqual([
        200,
        securityHeaders['content-security-policy'],
      ]);
      expect(securityHeaders['content-security-policy']).toMatch(/^default-src 'none';/);
    }));

  it('tells browsers to stay on https only where an own address is https', () =>
    withFrontend({ internalUrl: 'http://svc.internal' }, async (frontend) => {
      const hsts = async (host: string) =>
        (await ask(frontend, { headers: { host } })).headers['strict-transport-security'];
      expect(await hsts('svc.example.com')).toBe('max-age=31536000');
      expect(await hsts('svc.internal')).toBeUndefined();
      expect(await hsts('shop.example.com')).toBeUndefined();
    }));
});

describe('the way to the API', () => {
  it('passes method, body and host on, and replaces what an untrusted peer claims', () =>
    withFrontend({}, async (frontend) => {
      const answer = await ask(frontend, {
        path: '/api/v1/wake/up?a=%20b',
        method: 'POST',
        body: '{"duration":"4h"}',
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer t',
          'x-forwarded-for': '1.2.3.4',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'evil',
          'x-real-ip': '1.2.3.4',
          forwarded: 'for=1.2.3.4',
          te: 'trailers',
        },
      });
      expect(answer).toMatchObject({ status: 201, body: '{"a":1}', headers: { 'x-own': 'yes' } });
      const { url, headers, body } = asked.at(-1)!;
      expect([url, body]).toEqual(['/api/v1/wake/up?a=%20b', '{"duration":"4h"}']);
      expect(headers).toMatchObject({
        host: 'svc.example.com',
        authorization: 'Bearer t',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'svc.example.com',
      });
      for (const name of ['x-forwarded-proto', 'x-real-ip', 'forwarded', 'te']) expect(headers[name]).toBeUndefined();
    }));

  it.each(['/api/v1/x', '/api/v1/events'])('keeps to itself what the API says to it of a token, at %s', (path) =>
    withFrontend({}, async (frontend) => {
      const headers = { host: 'svc.example.com', authorization: 'Bearer t' };
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = send({ host: '127.0.0.1', port: frontend.httpPort, path, headers, agent: false });
        request.on('error', reject).on('response', resolve).end();
      });
      const all = answer.rawHeaders.join('\n');
      answer.destroy();
      expect(answer.headers['content-type']).toBeDefined();
      expect(all.toLowerCase()).not.toContain(tokenHeader);
      expect(all).not.toContain('person-of-the-test');
    }),
  );

  it('appends to what a trusted peer says', () =>
    withFrontend({ trustedProxies: ['private_ranges'] }, async (frontend) => {
      const headers = { 'x-forwarded-for': '1.2.3.4, 10.0.0.1', 'x-forwarded-proto': 'https' };
      await ask(frontend, { path: '/api/v1/x', headers });
      expect(asked.at(-1)?.headers).toMatchObject({
        'x-forwarded-for': '1.2.3.4, 10.0.0.1, 127.0.0.1',
        'x-forwarded-proto': 'https',
      });
    }));

  it.each(['/api/v1/internal/frames', '/api/v1/%69nternal/frames', '/api//v1/INTERNAL/x', '/api/v1/x/../internal/x'])(
    'does not let %s through',
    (path) =>
      withFrontend({}, async (frontend) => {
        const before = asked.length;
        const { status, body } = await ask(frontend, { path, method: 'POST' });
        expect([status, JSON.parse(body)]).toEqual([404, { code: 'not_found', message: 'There is nothing here.' }]);
        expect(asked.length).toBe(before);
      }),
  );

  it('hands events on as they come, and hangs up when the reader does', () =>
    withFrontend({}, async (frontend) => {
      const closed = new Promise<void>((resolve) => {
        onStreamClosed = resolve;
      });
      const before = closedStreams;
      await new Promise<void>((resolve, reject) => {
        const request = send({
          host: '127.0.0.1',
          port: frontend.httpPort,
          path: '/api/v1/events',
          headers: { host: 'a' },
        });
        request.on('error', reject);
        request.on('response', (response) => {
          const pieces: string[] = [];
          response.on('data', (piece) => {
            pieces.push(String(piece));
            if (pieces.length === 1) for (const stream of open) stream.write('data: second\n\n');
            else {
              expect(pieces).toEqual(['data: first\n\n', 'data: second\n\n']);
              response.destroy();
              resolve();
            }
          });
        });
        request.end();
      });
      await closed;
      expect(closedStreams).toBe(before + 1);
    }));

  it('says so when the API is silent or away', async () => {
    await withFrontend({ apiSilenceMs: 50 }, async (frontend) => {
      const answer = await ask(frontend, { path: '/api/v1/silent' });
      expect([answer.status, answer.body]).toEqual([
        504,
        '{"code":"api_unavailable","message":"The API did not answer in time."}',
      ]);
    });
    await withFrontend({ apiSilenceMs: 50 }, async (frontend) => {
      await expect(ask(frontend, { path: '/api/v1/half' })).rejects.toThrow('aborted');
    });
    await withFrontend({ apiUrl: 'http://127.0.0.1:1' }, async (frontend) => {
      const answer = await ask(frontend, { path: '/api/v1/x' });
      expect([answer.status, answer.body]).toEqual([
        502,
        '{"code":"api_unavailable","message":"The API cannot be reached; it may be starting."}',
      ]);
    });
  });
});

describe('certificates', () => {
  it('makes one for svc.internal when none is mounted', () =>
    withFrontend({}, async (frontend) => {
      const answer = await ask(frontend, { path: '/healthz', secure: true });
      expect([answer.status, answer.certificate]).toEqual([200, 'DNS:svc.internal']);
    }));

  it('serves the mounted one, and the renewed one after it; a broken one is refused', async () => {
    const mounted = join(folder, 'tls');
    await mkdir(mounted, { recursive: true });
    const write = async (pair: { cert: string; key: string }) => {
      await writeFile(join(mounted, 'tls.crt'), pair.cert);
      await writeFile(join(mounted, 'tls.key'), pair.key);
    };
    await write(await internalCertificate(Date.now()));
    const problems: string[] = [];
    let renewed = () => {};
    const logger = {
      ...silentLogger,
      info: (message: string) => void (message === 'Certificate renewed' && renewed()),
      error: (message: string) => void problems.push(message),
    };
    await withFrontend({ tlsFolder: mounted, lookEveryMs: 10, logger }, async (frontend) => {
      const serial = () =>
        new Promise<string>((resolve, reject) => {
          const options = { port: frontend.httpsPort!, host: '127.0.0.1', rejectUnauthorized: false };
          const socket = connectSecurely(options, () => {
            resolve(socket.getPeerCertificate().serialNumber);
            socket.destroy();
          });
          socket.on('error', reject);
        });
      const first = await serial();
      const done = new Promise<void>((resolve) => {
        renewed = resolve;
      });
      await write(await internalCertificate(Date.now()));
      await done;
      const second = await serial();
      expect(second).not.toBe(first);
      // As a file looks that is being written.
      await write({ cert: '', key: '' });
      await expect.poll(() => problems).toContain('The renewed certificate cannot be used; the last good one stays');
      expect(await serial()).toBe(second);
      problems.length = 0;
      await write({ cert: 'broken', key: 'broken' });
      await expect.poll(() => problems).toContain('The renewed certificate cannot be used; the last good one stays');
      expect(await serial()).toBe(second);
    });
  });
});

describe('a start', () => {
  it('does not start without the app', async () => {
    await expect(withFrontend({ webRoot: join(folder, 'none') }, async () => {})).rejects.toThrow(
      'holds no index.html; build the web app, or name the folder it is in',
    );
  });
});

function rawAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('error', reject);
    socket.once('data', (piece) => {
      resolve(String(piece));
      socket.destroy();
    });
  });
}
