import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { resetConnections } from '../../test/support/resetting-stranger.ts';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { askJson } from './ask-json.ts';
import { callerOf } from './caller.ts';
import { optionsFrom } from './main.ts';
import { type RunningSatellite, type SatelliteOptions, startSatellite } from './satellite.ts';

const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
const monday = Date.UTC(2026, 0, 5, 3);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function withSatellite(options: Partial<SatelliteOptions>, use: (satellite: RunningSatellite) => Promise<void>) {
  const satellite = await startSatellite({
    clusterName: 'staging',
    namespace: 'shop',
    service: 'web',
    externalUrl: 'https://svc.example.com',
    ports: [0],
    host: '127.0.0.1',
    clock: systemClock,
    logger: silentLogger,
    ...options,
  });
  try {
    await use(satellite);
  } finally {
    await satellite.stop();
  }
}

function ask(
  satellite: RunningSatellite,
  headers: Record<string, string> = {},
  {
    path = '/',
    method = 'GET',
    body,
    port = satellite.ports[0]!,
  }: { path?: string; method?: string; body?: string; port?: number } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: { host: 'shop.example.com', ...headers },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.end(body);
  });
}

/** Answers the status question, and says when it was asked. */
function statusOf(...answers: (object | number)[]) {
  const asked: string[] = [];
  const ask = async (url: string): Promise<unknown> => {
    const next = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(url);
    if (typeof next === 'number') throw new Error(`the API answered ${next}`);
    return next;
  };
  return { ask, asked };
}

describe('the satellite', () => {
  it('gives people a page of 503 that is not kept, with the way to wake the service', () =>
    withSatellite({}, async (satellite) => {
      const answer = await ask(satellite, { accept: browser, 'x-forwarded-proto': 'https' }, { path: '/cart?a=1&b="' });
      expect(answer.status).toBe(503);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
        'retry-after': '60',
        'svc-satellite': '1',
      });
      expect(answer.body).toContain('<title>web is asleep</title>');
      expect(answer.body).toContain('The cluster staging hibernates, and shop/web with it.');
      expect(answer.body).toContain(
        'href="https://svc.example.com#/?origin=https%3A%2F%2Fshop.example.com%2Fcart%3Fa%3D1%26b%3D%22"',
      );
      expect(Buffer.byteLength(answer.body)).toBeLessThan(20_000);
      expect(answer.body).not.toMatch(/(?:src|href)="(?!https:\/\/svc\.example\.com#)/);
    }));

  it('gives programs JSON, never HTML', () =>
    withSatellite({}, async (satellite) => {
      for (const accept of ['application/json', '*/*', '']) {
        const answer = await ask(satellite, { accept }, { path: '/api' });
        expect(answer.status).toBe(503);
        expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '60' });
        expect(JSON.parse(answer.body)).toEqual({
          code: 'hibernated',
          message: 'The cluster staging hibernates, and shop/web with it. When it wakes is not known at the moment.',
          title: 'web is asleep',
          cluster: 'staging',
          namespace: 'shop',
          service: 'web',
          state: 'unknown',
          retryAfterSeconds: 60,
          wakeUrl: 'https://svc.example.com#/?origin=http%3A%2F%2Fshop.example.com%2Fapi',
        });
      }
    }));

  it('answers HEAD and posts without a body of either kind being read', () =>
    withSatellite({}, async (satellite) => {
      const head = await ask(satellite, { accept: browser }, { method: 'HEAD' });
      expect([head.status, head.body, Number(head.headers['content-length']) > 1000]).toEqual([503, '', true]);
      const posted = await ask(
        satellite,
        { accept: browser },
        { method: 'POST', path: '/order', body: 'x'.repeat(1000) },
      );
      expect([posted.status, posted.headers.connection]).toEqual([503, 'close']);
      expect(posted.body).toContain('origin=http%3A%2F%2Fshop.example.com%2F"');
    }));

  it('lets run and paint only what the page holds, by the hashes of its policy', () =>
    withSatellite({}, async (satellite) => {
      const { headers, body } = await ask(satellite, { accept: browser });
      const hashOf = (tag: string) => {
        const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body)?.[1] ?? '';
        return `${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`;
      };
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toContain(hashOf('script'));
      expect(policy).toContain(hashOf('style'));
    }));

  it('listens on every port it is given', () =>
    withSatellite({ ports: [0, 0] }, async (satellite) => {
      expect(new Set(satellite.ports).size).toBe(2);
      for (const port of satellite.ports) expect((await ask(satellite, {}, { port })).status).toBe(503);
    }));

  it.each([
    ['TLS', Buffer.from('1603010005010000010303', 'hex')],
    ['HTTP/2 without asking', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
  ])('refuses whoever speaks %s at once, with a closed connection', (_, opening) =>
    withSatellite({}, async ({ ports }) => {
      const heard = await new Promise<string>((resolve, reject) => {
        const parts: Buffer[] = [];
        const socket = connect(ports[0]!, '127.0.0.1', () => socket.write(opening));
        socket.on('data', (part: Buffer) => parts.push(part));
        socket.on('error', reject);
        socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
      });
      expect(heard).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    }),
  );

  it('answers whoever would rather speak HTTP/2 in HTTP/1.1', () =>
    withSatellite({}, async (satellite) => {
      const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' };
      expect((await ask(satellite, headers)).status).toBe(503);
    }));

  it('escapes hostile names and hosts', () =>
    withSatellite({ service: '<script>x</script>', clusterName: '"><img src=x>' }, async (satellite) => {
      const answer = await ask(satellite, { accept: browser, host: 'a"><script>' }, { path: "/'><script>" });
      expect(answer.body).not.toContain('<script>x');
      expect(answer.body).not.toContain('<img');
      expect(answer.body).toContain('origin=http%3A%2F%2Flocalhost%2F%27%3E%3Cscript%3E"');
    }));

  it('sends names of any script whole', () =>
    withSatellite({ clusterName: 'Köln 🌙' }, async (satellite) => {
      const answer = await ask(satellite, { accept: browser });
      expect(answer.body).toContain('The cluster K&#246;ln &#127769; hibernates');
      expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.body));
      expect(JSON.parse((await ask(satellite)).body).cluster).toBe('Köln 🌙');
    }));

  it('is well for whoever asks about the pod, and counts neither them nor checks by path', async () => {
    const said: unknown[] = [];
    const clock = new VirtualClock(monday);
    const logger = { ...silentLogger, info: (message: string, fields: unknown) => void said.push([message, fields]) };
    await withSatellite({ clock, logger }, async (satellite) => {
      expect((await ask(satellite, { 'user-agent': 'kube-probe/1.36' })).status).toBe(200);
      expect((await ask(satellite, { 'user-agent': 'ELB-HealthChecker/2.0' })).status).toBe(200);
      const check = await ask(satellite, { accept: browser }, { path: '/healthz' });
      expect([check.status, check.headers['content-type']]).toEqual([503, 'application/json']);
      await clock.advance(60_000);
      expect(said).toEqual([]);
      await ask(satellite, { accept: browser });
      await ask(satellite);
      await clock.advance(60_000);
      expect(said).toEqual([['The sleeping service was asked for', { people: 1, programs: 1 }]]);
    });
  });

  it('says until when, and asks for the status only now and then', async () => {
    const clock = new VirtualClock(monday);
    const { ask: askStatus, asked } = statusOf({
      state: 'hibernated',
      timezone: 'Europe/Berlin',
      nextChangeAt: '2026-01-05T07:00:00Z',
    });
    await withSatellite({ clock, ask: askStatus, statusUrl: 'http://svc-app.svc.svc:80' }, async (satellite) => {
      await clock.advance(0);
      expect(asked).toEqual(['http://svc-app.svc.svc:80/api/v1/public/hibernation-status']);
      const answer = await ask(satellite, { accept: browser });
      expect(answer.body).toContain(
        'It is expected back on <strong>Monday 5 January at 08:00 (Europe/Berlin)</strong>.',
      );
      expect(answer.headers['retry-after']).toBe('3600');
      expect(JSON.parse((await ask(satellite)).body)).toMatchObject({
        until: '2026-01-05T07:00:00.000Z',
        expectedBack: 'Monday 5 January at 08:00 (Europe/Berlin)',
      });
      for (let index = 0; index < 20; index++) await ask(satellite);
      expect(asked).toHaveLength(1);
      await clock.advance(10_000);
      expect(asked.length).toBeLessThanOrEqual(6);
    });
  });

  it('follows a wake, and says so when the API goes away', async () => {
    const clock = new VirtualClock(monday);
    const waking = { state: 'waking', timezone: 'UTC', progress: { up: 3, total: 9 } };
    const { ask: askStatus } = statusOf(waking, 503);
    await withSatellite({ clock, ask: askStatus, statusUrl: 'http://svc-app' }, async (satellite) => {
      await clock.advance(0);
      const answer = await ask(satellite, { accept: 'application/json' }, { path: '/.well-known/svc-satellite' });
      expect(JSON.parse(answer.body)).toMatchObject({
        state: 'waking',
        title: 'web is waking up',
        message: 'The cluster staging is waking up, and shop/web with it. 3 of 9 workloads are up.',
        progress: { up: 3, total: 9 },
        retryAfterSeconds: 5,
      });
      await clock.advance(5_000);
      expect(JSON.parse((await ask(satellite)).body)).toMatchObject({ state: 'unknown' });
    });
  });
});

describe('asking for the status', () => {
  const serving = (status: number, body: string, ...pieces: readonly string[]) =>
    asking((response) => {
      response.writeHead(status).write(body);
      for (const piece of pieces) response.write(piece);
      response.end();
    });
  const asking = async (answer: (response: ServerResponse) => void, signal = new AbortController().signal) => {
    const server = createServer((_request, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      return await askJson(url, signal);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  it('reads JSON, and nothing else', async () => {
    expect(await serving(200, '{"state":"waking"}')).toEqual({ state: 'waking' });
    await expect(serving(503, '{}')).rejects.toThrow('the API answered 503');
    await expect(serving(200, '<html>')).rejects.toThrow();
    await expect(serving(200, `"${'x'.repeat(70_000)}"`)).rejects.toThrow('the answer of the API is too long');
  });

  it('takes an answer in pieces and one of a told length, in any script', async () => {
    expect(await serving(200, '{"a":"K', 'öl', 'n 🌙"}')).toEqual({ a: 'Köln 🌙' });
    expect(await asking((response) => response.end('{"a":"Köln"}'))).toEqual({ a: 'Köln' });
  });

  it('takes nothing that was cut off', async () => {
    for (const head of ['content-length: 12', 'transfer-encoding: chunked']) {
      const text = `HTTP/1.1 200 OK\r\n${head}\r\n\r\n7\r\n{"a":1`;
      await expect(asking((response) => response.socket?.end(text))).rejects.toThrow('aborted');
    }
    await expect(asking((response) => response.socket?.end('hello'))).rejects.toThrow('Parse Error');
  });

  it('says what is wrong with an address, and when nobody is there', async () => {
    const { signal } = new AbortController();
    await expect(askJson('https://svc-app', signal)).rejects.toThrow('Protocol "https:" not supported');
    await expect(askJson('http://127.0.0.1:1/', signal)).rejects.toThrow('ECONNREFUSED');
    await expect(asking(() => undefined, AbortSignal.timeout(20))).rejects.toThrow('aborted');
  });
});

describe('a connection that is reset, whatever was said on it', () => {
  it('is nothing to a satellite', async () => {
    await withSatellite({}, async (satellite) => {
      expect(await resetConnections(satellite.ports[0]!)).toEqual([]);
      expect(await ask(satellite, { accept: browser })).toMatchObject({ status: expect.any(Number) });
    });
  });
});

describe('who asks', () => {
  const rows: [string, Parameters<typeof callerOf>[0], string][] = [
    ['a browser', { path: '/', accept: browser, userAgent: 'Mozilla/5.0' }, 'person'],
    ['a program', { path: '/', accept: '*/*', userAgent: 'curl/8' }, 'program'],
    ['a program that does not say', { path: '/', accept: undefined, userAgent: undefined }, 'program'],
    ['the kubelet', { path: '/', accept: '*/*', userAgent: 'kube-probe/1.36' }, 'load-balancer'],
    ['a load balancer', { path: '/x', accept: undefined, userAgent: 'GoogleHC/1.0' }, 'load-balancer'],
    ['a check by path', { path: '/readyz', accept: browser, userAgent: 'x' }, 'probe'],
    ['a path that only begins like one', { path: '/healthy-food', accept: browser, userAgent: 'x' }, 'person'],
  ];
  it.each(rows)('%s', (_, traits, caller) => {
    expect(callerOf(traits)).toBe(caller);
  });
});

describe('the environment', () => {
  const good = { SERVICE_NAMESPACE: 'a', SERVICE_NAME: 'b', EXTERNAL_URL: 'https://c', PORTS: '80, 8080,80' };
  it('is read', () => {
    expect(optionsFrom({ ...good, STATUS_URL: 'http://s/' })).toEqual({
      clusterName: '',
      namespace: 'a',
      service: 'b',
      externalUrl: 'https://c',
      ports: [80, 8080],
      statusUrl: 'http://s',
    });
  });
  it.each([
    [{ ...good, SERVICE_NAME: '' }, 'SERVICE_NAME is not set; it is the name of the service'],
    [{ ...good, PORTS: 'http' }, 'PORTS must be port numbers with commas between them, such as 8080,8443, not "http"'],
    [
      { ...good, PORTS: '70000' },
      'PORTS must be port numbers with commas between them, such as 8080,8443, not "70000"',
    ],
  ])('%j stops the start', (env, message) => {
    expect(() => optionsFrom(env)).toThrow(message);
  });
});
