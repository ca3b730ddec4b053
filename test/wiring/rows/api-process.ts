import { expect } from 'vitest';
import { refusal } from '../harness/refused.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';
import { admin } from './sign-in.ts';

const check = async ({ service }: Looking, url: string) => (await service.as(admin)).urlReadiness({ query: { url } });

/** How many requests of the API reached the cluster within any so many milliseconds, and how long all of them took. */
async function burstOf({ service }: Looking, previews: number, windowMs: number) {
  const at: number[] = [];
  const forget = service.cluster.api.faults.onRequest(({ user }) => {
    if (user.endsWith(':svc-api')) at.push(performance.now());
  });
  const client = await service.as(admin);
  await Promise.all(Array.from({ length: previews }, () => client.preview({})));
  forget();
  const most = Math.max(...at.map((from) => at.filter((one) => one >= from && one < from + windowMs).length));
  return { most, tookMs: (at.at(-1) ?? 0) - (at[0] ?? 0), count: at.length };
}

export const apiProcessRows: readonly Row[] = [
  {
    keys: ['api.kubernetesQPS', 'api.kubernetesBurst'],
    seen: 'how fast the requests of twenty previews reach the cluster',
    start: { api: { kubernetesQPS: 20, kubernetesBurst: 10 } },
    reload: { api: { kubernetesQPS: 2000, kubernetesBurst: 400 } },
    async look(looking) {
      const { most, tookMs, count } = await burstOf(looking, 20, 200);
      expect(count).toBeGreaterThanOrEqual(40);
      if (looking.moment === 'start') {
        // The bucket holds 10 and gets 4 in 200 ms; the rest comes at 20 a second.
        expect(most).toBeLessThanOrEqual(16);
        expect(tookMs).toBeGreaterThan(((count - 10) / 20) * 1000 - 150);
      } else {
        expect(most).toBeGreaterThan(16);
        expect(tookMs).toBeLessThan(((count - 10) / 20) * 1000 - 150);
      }
    },
  },
  {
    keys: ['operations.logLevel'],
    seen: 'whether lines of level debug are in the log',
    start: { operations: { logLevel: 'debug' } },
    reload: { operations: { logLevel: 'info' } },
    async look(looking) {
      const { service, outside, moment } = looking;
      outside.host('down.ok.test', (_request, response) => response.destroy());
      const from = service.log.api.length;
      await check(looking, `http://down.ok.test/${moment}`);
      // The access log comes after what the request itself logs.
      await service.says('api', ({ msg, route }) => msg === 'Request' && route === 'urlReadiness', from);
      const debug = service.log.api.slice(from).filter(({ level }) => level === 'debug');
      expect(debug.some(({ msg }) => msg === 'A readiness check failed')).toBe(moment === 'start');
    },
  },
  {
    keys: ['operations.enableApiAccessLogs'],
    seen: 'a line in the log for a request',
    start: { operations: { enableApiAccessLogs: true } },
    reload: 'own',
    async look({ service, moment }) {
      const ask = async () => {
        const from = service.log.api.length;
        await fetch(`${service.apiUrl}/api/v1/branding`);
        return () => service.log.api.slice(from).some(({ msg, route }) => msg === 'Request' && route === 'branding');
      };
      if (moment === 'start') {
        const logged = await ask();
        await until('the access log', logged);
        return;
      }
      const logged = await service.with({ operations: { enableApiAccessLogs: false } }, ask);
      // The reload back is logged after whatever the request would have left.
      expect(logged()).toBe(false);
    },
  },
  {
    keys: ['urlReadinessCheck.intervalSeconds', 'urlReadinessCheck.consecutiveThreshold'],
    seen: 'after how many checks, and how long after each other, a URL is ready',
    start: { urlReadinessCheck: { intervalSeconds: 1, consecutiveThreshold: 2 } },
    reload: { urlReadinessCheck: { intervalSeconds: 60, consecutiveThreshold: 1 } },
    async look(looking) {
      const { outside, moment } = looking;
      const [host, url] = [`${moment}.ok.test`, `http://${moment}.ok.test/up`];
      const count = () => outside.requests(host).length + outside.otherRequests(host).length;
      const first = await check(looking, url);
      if (moment === 'start') {
        expect(first.ready).toBe(false);
        const { ready } = await until('two checks, a second apart', async () => {
          const again = await check(looking, url);
          return again.ready && again;
        });
        expect([ready, count()]).toEqual([true, 2]);
      } else {
        expect(first.ready).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 1_200));
        await check(looking, url);
        expect(count()).toBe(1);
      }
    },
  },
  {
    keys: ['urlReadinessCheck.whitelist'],
    seen: 'which hosts are refused',
    start: { urlReadinessCheck: { whitelist: ['*.ok.test', '*.first.test'] } },
    reload: { urlReadinessCheck: { whitelist: ['*.ok.test', '*.second.test'] } },
    async look(looking) {
      const ask = (host: string) => refusal(check(looking, `http://${host}/`));
      const seen = [await ask('a.first.test'), await ask('a.second.test')];
      expect(seen).toEqual(looking.moment === 'start' ? ['taken', 'invalid_request'] : ['invalid_request', 'taken']);
    },
  },
  {
    keys: ['urlReadinessCheck.proxyURL'],
    seen: 'which proxy the checks go through',
    start: ({ otherProxyUrl }) => ({ urlReadinessCheck: { proxyURL: otherProxyUrl } }),
    reload: ({ proxyUrl }) => ({ urlReadinessCheck: { proxyURL: proxyUrl } }),
    async look(looking) {
      const { outside, moment } = looking;
      const host = `proxied-${moment}.ok.test`;
      await check(looking, `http://${host}/`);
      const seen = [outside.otherRequests(host).length, outside.requests(host).length];
      expect(seen).toEqual(moment === 'start' ? [1, 0] : [0, 1]);
    },
  },
  {
    keys: ['urlReadinessCheck.enabled'],
    seen: 'whether URLs can be checked at all',
    start: { urlReadinessCheck: { enabled: true } },
    reload: 'own',
    async look(looking) {
      const { service, moment } = looking;
      const ask = () => refusal(check(looking, `http://enabled-${moment}.ok.test/`));
      if (moment === 'start') return expect(await ask()).toBe('taken');
      await service.with({ urlReadinessCheck: { enabled: false } }, async () => {
        expect(await ask()).toBe('feature_disabled');
      });
    },
  },
  {
    keys: ['proxyURL'],
    seen: 'which proxy a test notification goes through',
    start: ({ proxyUrl }) => ({ proxyURL: proxyUrl, ...testChannel }),
    reload: ({ otherProxyUrl }) => ({ proxyURL: otherProxyUrl, ...testChannel }),
    async look({ service, outside, moment }) {
      const count = () => [outside.requests('chat.test').length, outside.otherRequests('chat.test').length];
      const [before = 0, otherBefore = 0] = count();
      await (await service.as(admin)).testNotification({ body: { channel: 'teams' } });
      const [after = 0, otherAfter = 0] = count();
      expect([after - before, otherAfter - otherBefore]).toEqual(moment === 'start' ? [1, 0] : [0, 1]);
    },
  },
  {
    keys: ['allowInsecureExternalUrl'],
    seen: 'whether an own address that is not https is refused',
    start: { allowInsecureExternalUrl: true },
    reload: 'own',
    async look({ service, moment }) {
      const insecure = { externalUrl: 'http://plain.example.com' };
      if (moment === 'start')
        return service.with({ ...insecure, auth: { webauthn: { enabled: false } } }, async () => {});
      const from = service.log.api.length;
      const before = service.config;
      const parts = { ...insecure, allowInsecureExternalUrl: false };
      service.writeConfig(JSON.stringify({ ...before, ...parts }));
      const line = await service.says('api', ({ msg }) => msg.startsWith('The changed configuration is refused'), from);
      expect(line['error']).toContain('"http://plain.example.com" is not https');
      service.writeConfig(JSON.stringify(before));
    },
  },
];

const testChannel = {
  notifications: {
    enabled: true,
    channels: { teams: { enabled: true, webhooks: [{ name: 'team', url: 'http://chat.test/hook' }] } },
  },
};

/** Ends the process, so it is the last of its rows. */
export const shutdownRow: Row = {
  keys: ['api.shutdownTimeout'],
  seen: 'how long the API, told to stop, waits for a request that hangs',
  start: { api: { shutdownTimeout: '1s' } },
  reload: { api: { shutdownTimeout: '20s' } },
  async look(looking) {
    const { service, outside, moment } = looking;
    // The check itself gives up after five seconds.
    outside.host('hangs.ok.test', () => {});
    const client = await service.as(admin);
    const before = outside.requests('hangs.ok.test').length + outside.otherRequests('hangs.ok.test').length;
    const hanging = client.urlReadiness({ query: { url: `http://hangs.ok.test/${moment}` } }).catch(() => undefined);
    await until('the request hangs', () => {
      return outside.requests('hangs.ok.test').length + outside.otherRequests('hangs.ok.test').length > before;
    });
    const from = performance.now();
    await service.life('api').stop();
    const seconds = (performance.now() - from) / 1000;
    await hanging;
    if (moment === 'start') {
      expect(seconds).toBeLessThan(3.5);
      await service.start('api');
    } else {
      expect(seconds).toBeGreaterThan(3.5);
    }
  },
};
