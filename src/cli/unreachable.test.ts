import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { systemClock } from '../platform/system-clock.ts';
import type { Transport } from '../ports/transport.ts';
import { commands, runCli } from './cli.ts';
import { connectToApi } from './connection/api-connection.ts';
import { connectToCluster } from './connection/cluster-connection.ts';
import { SessionFile } from './connection/session-file.ts';
import type { Connection } from './terminal/command.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-cli-'));
});
afterEach(() => rm(home, { recursive: true }));

async function run(args: readonly string[], connect: () => Promise<Connection>) {
  const said = { out: '', err: '' };
  const terminal = {
    out(text: string) {
      said.out += text;
    },
    err(text: string) {
      said.err += text;
    },
  };
  const env = { XDG_CONFIG_HOME: home };
  const code = await runCli({ args, env, clock: systemClock, version: '1.2.3', terminal, connect });
  return { code, ...said };
}

const toApi = (server: string, send?: typeof fetch) => () =>
  connectToApi({
    server,
    sessions: new SessionFile({ XDG_CONFIG_HOME: home }),
    clock: systemClock,
    ...(send === undefined ? {} : { fetch: send }),
  });

async function withServer(answer: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** An address where nobody listens any more. */
async function deadUrl(): Promise<string> {
  let dead = '';
  await withServer(
    () => undefined,
    async (url) => {
      dead = url;
    },
  );
  return dead;
}

const hint = '\nCheck --server or SVC_SERVER, or go straight to the cluster with --kubeconfig.\n';

describe('svc, when the API cannot be reached', () => {
  // Those that ask nobody, or change files only, have their own tests.
  const asking: Readonly<Record<string, readonly string[]>> = {
    status: ['status'],
    why: ['why', 'Deployment', 'shop/web'],
    wake: ['wake', '--yes'],
    'keep-awake': ['keep-awake', '--for', '1h'],
    hibernate: ['hibernate', '--yes'],
    resume: ['resume'],
    'stand-down': ['stand-down', '--yes'],
    plan: ['plan'],
    resources: ['resources'],
    audit: ['audit'],
    state: ['state', 'verify'],
    doctor: ['doctor'],
  };

  it.each(Object.entries(asking))('%s says who cannot be reached and why, once, and ends with 1', async (_, args) => {
    const url = await deadUrl();
    const ran = await run(args, toApi(url));
    const { host } = new URL(url);
    expect(ran).toEqual({
      code: 1,
      out: '',
      err: `The service at ${url} cannot be reached: connect ECONNREFUSED ${host}.${hint}`,
    });
  });

  it('has a row for every command that asks', () => {
    const quiet = ['completion', 'license', 'login', 'logout'];
    expect([...Object.keys(asking), ...quiet].toSorted()).toEqual(Object.keys(commands).toSorted());
  });

  it('says it for programs on standard error too, so that their input stays JSON or nothing', async () => {
    const ran = await run(['status', '-o', 'json'], toApi(await deadUrl()));
    expect([ran.code, ran.out]).toEqual([1, '']);
  });

  it('says it at a sign-in', async () => {
    const url = await deadUrl();
    const ran = await run(['login', '--server', url, '--email', 'ada@example.com'], toApi(url));
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`The service at ${url} cannot be reached: `)]);
  });

  it('names the innermost cause', async () => {
    const cause = new AggregateError([new Error('getaddrinfo ENOTFOUND svc.example.com')], '');
    const failing = (() => Promise.reject(new TypeError('fetch failed', { cause }))) as typeof fetch;
    const ran = await run(['status'], toApi('https://svc.example.com', failing));
    expect(ran.err).toBe(
      `The service at https://svc.example.com cannot be reached: getaddrinfo ENOTFOUND svc.example.com.${hint}`,
    );
  });

  it('says that the answer broke off', async () => {
    await withServer(
      (request) => void request.socket.destroy(),
      async (url) => {
        const ran = await run(['status'], toApi(url));
        expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`The service at ${url} cannot be reached: `)]);
      },
    );
  });

  it('says that a web page is not the API', async () => {
    await withServer(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
      async (url) => {
        const ran = await run(['status'], toApi(url));
        expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`${url} answers with a web page: `)]);
      },
    );
  });

  it('passes on what a proxy says in its place', async () => {
    const body = { code: 'api_unavailable', message: 'The API cannot be reached.' };
    await withServer(
      (_request, response) =>
        void response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      async (url) => {
        expect(await run(['status'], toApi(url))).toEqual({ code: 1, out: '', err: 'The API cannot be reached.\n' });
      },
    );
  });
});

describe('svc with a kubeconfig, when the cluster cannot be reached', () => {
  const through = (transport: Transport, clock: VirtualClock) => () =>
    connectToCluster({
      transport,
      clock,
      random: seededRandom(1),
      namespace: 'svc',
      where: 'https://10.0.0.1:6443',
      warn() {},
    });
  const beginning =
    'The configuration of the service, ConfigMap svc-config in namespace svc of https://10.0.0.1:6443, cannot be read: ';

  it.each(['status', 'resources', 'doctor'])('%s says so and ends with 1', async (command) => {
    const clock = new VirtualClock(0);
    const refused: Transport = { send: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:6443')) };
    let ended = false;
    const running = run([command], through(refused, clock)).finally(() => {
      ended = true;
    });
    while (!ended) await clock.advance(1_000);
    expect(await running).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`^${beginning.replace(/[.]/g, '\\$&')}.*ECONNREFUSED 10\\.0\\.0\\.1:6443`)),
    });
  });

  it('does not wait for ever for one that says nothing', async () => {
    const clock = new VirtualClock(0);
    const silent: Transport = {
      send: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    };
    let ended = false;
    const running = run(['status'], through(silent, clock)).finally(() => {
      ended = true;
    });
    while (!ended && clock.now() < 60_000) await clock.advance(1_000);
    expect(ended).toBe(true);
    expect((await running).code).toBe(1);
    expect((await running).err).toContain(beginning);
  });
});
