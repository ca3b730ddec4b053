import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpawnedProcess, SpawnWorld } from '../../test/support/spawned-process.ts';
import { freePort } from '../../tools/cluster/free-ports.ts';
import { endpointIds, endpoints } from '../contract/endpoints.ts';

/** What a process knows and must never say, as it is and as it travels. */
const secrets = {
  JWT_SECRET: 'canary-jwt-0123456789abcdef0123456789',
  INTERNAL_API_SECRET: 'canary-internal-0123456789abcdef01234',
  SMTP_USER: 'canary-smtp-user',
  SMTP_PASSWORD: 'canary-smtp-password',
  AWS_ACCESS_KEY_ID: 'AKIACANARY0000000001',
  AWS_SECRET_ACCESS_KEY: 'canary/aws+secret/0123456789abcdef',
  AWS_SESSION_TOKEN: 'canary-aws-session-token',
};
const inConfig = { proxy: 'canary-proxy-word', webhook: 'canary-webhook-signature' };
const canaries = [...Object.values(secrets), ...Object.values(inConfig)].flatMap((text) => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -2),
  encodeURIComponent(text),
]);

function expectNone(...texts: readonly string[]): void {
  const everything = texts.join('\n');
  expect(canaries.filter((canary) => everything.includes(canary))).toEqual([]);
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const config = (logLevel: string) => ({
  // Asleep on whatever day this runs: what goes to sleep has something to say.
  workingHours: { schedule: Object.fromEntries(days.map((day) => [day, 'off'])) },
  operations: { logLevel, devMode: true, enableApiAccessLogs: true },
  auth: { adminUsers: ['ada@example.com'] },
  smtp: { host: '127.0.0.1', port: 1 },
  proxyURL: `http://user:${inConfig.proxy}@127.0.0.1:1`,
  awsCosts: { enabled: true, tagValue: 'test' },
  notifications: {
    enabled: true,
    channels: {
      teams: { enabled: true, webhooks: [{ name: 'ops', url: `https://hooks.example.com/x?sig=${inConfig.webhook}` }] },
    },
  },
  databases: { orders: { provider: 'aws', type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
});

let world: SpawnWorld;
beforeAll(async () => {
  world = await SpawnWorld.start();
});
afterAll(() => world.close());

const spawned: SpawnedProcess[] = [];
afterAll(async () => {
  for (const one of spawned) await one.stop();
});
function spawn(...parts: Parameters<SpawnWorld['spawn']>): SpawnedProcess {
  const one = world.spawn(...parts);
  spawned.push(one);
  return one;
}

describe('attack 25: secrets, through everything that a process says', () => {
  it('the API: every log level with devMode, error bodies, answers and metrics', async () => {
    world.configure(config('debug'));
    const metricsPort = String(await freePort());
    const api = spawn('api/main.ts', { ...secrets, METRICS_PORT: metricsPort });
    const url = (await api.says(/"url":"(http:[^"]+)"/))[1];
    const said: string[] = [];
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${url}${path}`, init);
      said.push(JSON.stringify([...answer.headers]), await answer.text());
      return answer.status;
    };
    for (const level of ['debug', 'info', 'warn', 'error']) {
      world.configure(config(level));
      // The secrets as credentials, on every route there is; only the internal one lets anybody in, and only inside.
      for (const id of endpointIds.filter((one) => one !== 'events')) {
        const { method } = endpoints[id];
        const path = endpoints[id].path.replace(/\{\w+\}/g, 'x');
        for (const secret of [secrets.JWT_SECRET, secrets.INTERNAL_API_SECRET]) {
          const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
          const body = method === 'GET' ? {} : { body: JSON.stringify({ secret, email: 'bob@example.com' }) };
          const status = await ask(path, { method, headers, ...body });
          expect([id, status]).not.toEqual([id, 500]);
        }
      }
      await ask('/api/v1/auth/request-otp', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `bob-${level}@example.com` }),
      });
    }
    await api.says(/A mail could not be sent/);
    said.push(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
    expect(said.at(-1)).toContain('svc_api_requests_total');
    await api.stop();
    expect(api.output()).toContain('"level":"debug"');
    const stored = world.cluster.store
      .list('configmaps', 'svc')
      .filter(({ metadata }) => metadata.name !== 'svc-config');
    expectNone(api.output(), ...said, JSON.stringify(stored));
  });

  const crash = (what: string) => ['--import', `data:text/javascript,process.on('SIGUSR2',()=>{${what}})`];
  const crashes = {
    'an exception that nobody caught': crash('throw new Error("boom")'),
    'a promise that nobody caught': crash('Promise.reject(new Error("boom"))'),
  };
  for (const main of ['api/main.ts', 'controller/main.ts']) {
    for (const [name, nodeArguments] of Object.entries(crashes)) {
      it(`${main}: a crash by ${name} ends it, and the trace holds none`, async () => {
        world.configure(config('debug'));
        const one = spawn(main, { ...secrets, API_URL: 'http://127.0.0.1:1' }, nodeArguments);
        await one.says(/(API|Controller) started/);
        one.signal('SIGUSR2');
        expect(await one.exited).not.toBe(0);
        expect(one.output()).toContain('boom');
        expectNone(one.output());
      });
    }
  }

  it('the controller: a life with devMode and an API that is away', async () => {
    world.configure(config('debug'));
    const controller = spawn('controller/main.ts', { ...secrets, API_URL: 'http://127.0.0.1:1' });
    await controller.says(/Controller started/);
    await controller.says(/"level":"debug"/);
    await controller.stop();
    expectNone(controller.output());
  });

  const refused: Readonly<Record<string, readonly [Record<string, string>, object, RegExp]>> = {
    'a secret that is too short': [
      { JWT_SECRET: 'canary-smtp-password' },
      {},
      /^secrets\.jwtSecret is shorter than 256 bits/m,
    ],
    'a configuration that is not valid': [
      {},
      { proxyURL: `ftp://user:${inConfig.proxy}@proxy`, workingHours: { schedule: { monday: '8' } } },
      /^invalid configuration/m,
    ],
    'a cluster that cannot be found': [{ KUBECONFIG: '/nowhere' }, {}, /nowhere/],
    'a port that is none': [{ PORT: 'http' }, {}, /^PORT must be a port number/m],
    'proxies that are none': [{ TRUSTED_PROXIES: 'all' }, {}, /^frontend\.trustedProxies: "all"/m],
    'an internal secret of one character': [
      { INTERNAL_API_SECRET: 'x' },
      {},
      /^INTERNAL_API_SECRET is shorter than 32 bytes/m,
    ],
    'a secret that is missing': [{ INTERNAL_API_SECRET: '' }, {}, /^The environment variable INTERNAL_API_SECRET/m],
  };
  for (const [name, [env, parts, words]] of Object.entries(refused)) {
    it(`a start refused for ${name} says why, and none of them`, async () => {
      world.configure({ ...config('debug'), ...parts });
      const api = spawn('api/main.ts', { ...secrets, ...env });
      expect(await api.exited).toBe(1);
      expect(api.output()).toMatch(words);
      expectNone(api.output());
    });
  }
});
