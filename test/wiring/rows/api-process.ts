import { type Config, replaced } from '../harness/merged.ts';
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

const plain = 'http://plain.example.com';

/** Each process judges a configuration by itself. */
export function insecureRow(process: 'api' | 'controller'): Row {
  return {
    keys: { allowInsecureExternalUrl: { start: 'in force', reload: `"${plain}" is not https` } },
    in: process,
    seen: 'whether an own address that is not https is refused',
    start: { allowInsecureExternalUrl: true },
    reload: { alone: { allowInsecureExternalUrl: false } },
    async see({ service }) {
      const from = service.log[process].length;
      const refused = ({ msg }: { readonly msg: string }) => msg.startsWith('The changed configuration is refused');
      const insecure = { externalUrl: plain, auth: { webauthn: { enabled: false } } };
      service.writeConfig(JSON.stringify(replaced(service.config, insecure)));
      const told = (line: { readonly msg: string }) => line.msg === 'Configuration reloaded' || refused(line);
      const { error } = await service.says(process, told, from);
      const mark = service.log[process].length;
      service.writeConfig(JSON.stringify(service.config));
      const back = error === undefined ? 'Configuration reloaded' : 'The configuration is good again';
      await service.says(process, ({ msg }) => msg === back, mark);
      return {
        allowInsecureExternalUrl: error === undefined ? 'in force' : /"[^"]*" is not https/.exec(String(error))?.[0],
      };
    },
  };
}

/** What the API says of a test that did not come through. */
async function failedTest({ service, outside }: Looking, answer: Parameters<Looking['outside']['host']>[1]) {
  outside.host('chat.test', answer);
  try {
    const { message } = await (await service.as(admin)).testNotification({ body: { channel: 'teams' } });
    return message;
  } finally {
    outside.host('chat.test', (_request, response) => response.end());
  }
}

const testReaders = ['first@readers.example.com', 'second@readers.example.com'] as const;

export const apiProcessRows: readonly Row[] = [
  {
    keys: {
      'api.kubernetesQPS': { start: 'at most 20 a second', reload: 'faster' },
      'api.kubernetesBurst': { start: 'at most 10 at once', reload: 'more' },
    },
    in: 'api',
    seen: 'how fast the requests of forty previews reach the cluster',
    start: { api: { kubernetesQPS: 20, kubernetesBurst: 10 } },
    reload: { api: { kubernetesQPS: 2000, kubernetesBurst: 400 } },
    // On a busy machine the previews themselves are slow; a limit that is still in force would make each look so.
    withinMs: 40_000,
    async see(looking) {
      const { most, tookMs, count } = await burstOf(looking, 40, 200);
      if (count < 80) throw new Error(`Forty previews made ${count} requests; there is no pace in so few.`);
      return {
        'api.kubernetesQPS': tookMs > ((count - 10) / 20) * 1000 - 150 ? 'at most 20 a second' : 'faster',
        // The bucket holds 10 and gets 4 in 200 ms.
        'api.kubernetesBurst': most <= 16 ? 'at most 10 at once' : 'more',
      };
    },
  },
  {
    keys: { 'operations.logLevel': { start: true, reload: false } },
    in: 'api',
    seen: 'whether lines of level debug are in the log',
    start: { operations: { logLevel: 'debug' } },
    reload: { operations: { logLevel: 'info' } },
    async see(looking) {
      const { service, outside, look } = looking;
      outside.host('down.ok.test', (_request, response) => response.destroy());
      const from = service.log.api.length;
      await check(looking, `http://down.ok.test/${look}`);
      // The access log comes after what the request itself logs.
      await service.says('api', ({ msg, route }) => msg === 'Request' && route === 'urlReadiness', from);
      const debug = service.log.api.slice(from).filter(({ level }) => level === 'debug');
      return { 'operations.logLevel': debug.some(({ msg }) => msg === 'A readiness check failed') };
    },
  },
  {
    keys: { 'operations.enableApiAccessLogs': { start: true, reload: false } },
    in: 'api',
    seen: 'a line in the log for a request',
    start: { operations: { enableApiAccessLogs: true } },
    reload: { alone: { operations: { enableApiAccessLogs: false } } },
    async see({ service }) {
      const from = service.log.api.length;
      await fetch(`${service.apiUrl}/api/v1/branding`);
      // What a request that is refused leaves in the log comes after whatever the one before it left.
      await fetch(`${service.apiUrl}/api/v1/external-wake`, { method: 'POST' });
      await service.says('api', ({ msg }) => msg === 'A wake request of another cluster was refused', from);
      const lines = service.log.api.slice(from);
      return {
        'operations.enableApiAccessLogs': lines.some(({ msg, route }) => msg === 'Request' && route === 'branding'),
      };
    },
  },
  {
    keys: {
      'urlReadinessCheck.intervalSeconds': { start: 'checked again', reload: 'not checked again' },
      'urlReadinessCheck.consecutiveThreshold': { start: 'not after one check', reload: 'after one check' },
    },
    in: 'api',
    seen: 'after how many checks a URL is ready, and whether it is checked again within two seconds',
    start: { urlReadinessCheck: { intervalSeconds: 1, consecutiveThreshold: 2 } },
    reload: { urlReadinessCheck: { intervalSeconds: 60, consecutiveThreshold: 1 } },
    async see(looking) {
      const { outside, look } = looking;
      const [host, url] = [`${look}.ok.test`, `http://${look}.ok.test/up`];
      const count = () => outside.requests(host).length + outside.otherRequests(host).length;
      const first = await check(looking, url);
      // A check is made when somebody asks and the last is old enough, so the time itself is what is looked at.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      const second = await check(looking, url);
      if (!second.ready) throw new Error(`${url} is not ready after two checks.`);
      return {
        'urlReadinessCheck.intervalSeconds': count() === 2 ? 'checked again' : 'not checked again',
        'urlReadinessCheck.consecutiveThreshold': first.ready ? 'after one check' : 'not after one check',
      };
    },
  },
  {
    keys: {
      'urlReadinessCheck.whitelist': { start: ['taken', 'invalid_request'], reload: ['invalid_request', 'taken'] },
    },
    in: 'api',
    seen: 'which hosts are refused',
    start: { urlReadinessCheck: { whitelist: ['*.ok.test', '*.first.test'] } },
    reload: { urlReadinessCheck: { whitelist: ['*.ok.test', '*.second.test'] } },
    async see(looking) {
      const ask = (host: string) => refusal(check(looking, `http://${host}/`));
      return { 'urlReadinessCheck.whitelist': [await ask('a.first.test'), await ask('a.second.test')] };
    },
  },
  {
    keys: { 'urlReadinessCheck.proxyURL': { start: [0, 1], reload: [1, 0] } },
    in: 'api',
    seen: 'which proxy the checks go through',
    start: ({ otherProxyUrl }) => ({ urlReadinessCheck: { proxyURL: otherProxyUrl } }),
    reload: ({ proxyUrl }) => ({ urlReadinessCheck: { proxyURL: proxyUrl } }),
    async see(looking) {
      const { outside, look } = looking;
      const host = `proxied-${look}.ok.test`;
      await check(looking, `http://${host}/`);
      return { 'urlReadinessCheck.proxyURL': [outside.requests(host).length, outside.otherRequests(host).length] };
    },
  },
  {
    keys: { 'urlReadinessCheck.enabled': { start: 'taken', reload: 'feature_disabled' } },
    in: 'api',
    seen: 'whether URLs can be checked at all',
    start: { urlReadinessCheck: { enabled: true } },
    reload: { alone: { urlReadinessCheck: { enabled: false } } },
    see: async (looking) => ({
      'urlReadinessCheck.enabled': await refusal(check(looking, `http://enabled-${looking.look}.ok.test/`)),
    }),
  },
  {
    keys: { proxyURL: { start: [1, 0], reload: [0, 1] } },
    in: 'api',
    seen: 'which proxy a test notification goes through',
    start: ({ proxyUrl }) => ({ proxyURL: proxyUrl, ...testChannel('first') }),
    reload: ({ otherProxyUrl }) => ({ proxyURL: otherProxyUrl, ...testChannel('second') }),
    async see({ service, outside }) {
      const count = () => [outside.requests('chat.test').length, outside.otherRequests('chat.test').length];
      const before = count();
      await (await service.as(admin)).testNotification({ body: { channel: 'teams' } });
      return { proxyURL: count().map((after, index) => after - before[index]!) };
    },
  },
  {
    keys: {
      'notifications.channels.teams.webhooks[].url': { start: '/first', reload: '/second' },
    },
    in: 'api',
    seen: 'where a test notification arrives',
    start: {},
    reload: {},
    async see({ service, outside }) {
      await (await service.as(admin)).testNotification({ body: { channel: 'teams' } });
      const all = [...outside.requests('chat.test'), ...outside.otherRequests('chat.test')];
      return { 'notifications.channels.teams.webhooks[].url': new URL(all.at(-1)!.url).pathname };
    },
  },
  {
    keys: { 'notifications.channels.teams.webhooks[].name': { start: 'team-first', reload: 'team-second' } },
    in: 'api',
    seen: 'how a test notification that fails calls the destination',
    start: {},
    reload: {},
    see: async (looking) => ({
      'notifications.channels.teams.webhooks[].name': /team-\w+/.exec(
        await failedTest(looking, (_request, response) => response.writeHead(400).end()),
      )?.[0],
    }),
  },
  {
    keys: { 'notifications.retry.timeoutSeconds': { start: '1 s', reload: '2 s' } },
    in: 'api',
    seen: 'after how long a test notification is given up',
    start: { notifications: { retry: { timeoutSeconds: 1 } } },
    reload: { notifications: { retry: { timeoutSeconds: 2 } } },
    see: async (looking) => ({
      'notifications.retry.timeoutSeconds': /no answer within (\d+ s)/.exec(await failedTest(looking, () => {}))?.[1],
    }),
  },
  {
    keys: { 'notifications.channels.email.recipients[].address': { start: [1, 0], reload: [0, 1] } },
    in: 'api',
    seen: 'to whom a test notification is mailed',
    start: { notifications: { channels: { email: { enabled: true, recipients: [{ address: testReaders[0] }] } } } },
    reload: { notifications: { channels: { email: { enabled: true, recipients: [{ address: testReaders[1] }] } } } },
    async see({ service, outside }) {
      const count = () => testReaders.map((address) => outside.mailsTo(address).length);
      const before = count();
      await (await service.as(admin)).testNotification({ body: { channel: 'email' } });
      return {
        'notifications.channels.email.recipients[].address': count().map((after, index) => after - before[index]!),
      };
    },
  },
  {
    keys: { 'notifications.channels.email.enabled': { start: 'taken', reload: 'feature_disabled' } },
    in: 'api',
    seen: 'whether a test notification can be mailed',
    start: {},
    reload: { alone: { notifications: { channels: { email: { enabled: false } } } } },
    see: async ({ service }) => ({
      'notifications.channels.email.enabled': await refusal(
        (await service.as(admin)).testNotification({ body: { channel: 'email' } }),
      ),
    }),
  },
  ...['notifications.enabled', 'notifications.channels.teams.enabled'].map(
    (key): Row => ({
      keys: { [key]: { start: 'taken', reload: 'feature_disabled' } },
      in: 'api',
      seen: 'whether a test notification can be sent',
      start: {},
      reload: { alone: key.split('.').reduceRight<unknown>((value, part) => ({ [part]: value }), false) as Config },
      see: async ({ service }) => ({
        [key]: await refusal((await service.as(admin)).testNotification({ body: { channel: 'teams' } })),
      }),
    }),
  ),
  insecureRow('api'),
  {
    keys: {
      'serviceRedirection.enabled': { start: true, reload: false },
    },
    in: 'api',
    seen: 'whether the list of satellites says that there are any',
    start: { serviceRedirection: { enabled: true } },
    reload: { alone: { serviceRedirection: { enabled: false } } },
    see: async ({ service }) => ({
      'serviceRedirection.enabled': (await (await service.as(admin)).satellites()).enabled,
    }),
  },
];

const testChannel = (path: string) => ({
  notifications: {
    enabled: true,
    channels: { teams: { enabled: true, webhooks: [{ name: `team-${path}`, url: `http://chat.test/${path}` }] } },
  },
});

export const shutdownRow: Row = {
  keys: { 'api.shutdownTimeout': { start: 'not for so long', reload: 'until it is answered' } },
  in: 'api',
  seen: 'how long the API, told to stop, waits for a request that hangs',
  start: { api: { shutdownTimeout: '1s' } },
  reload: { api: { shutdownTimeout: '20s' } },
  endsProcess: 'how long a process takes to stop is seen when it stops; the second one is started before the reload',
  async see({ service, outside, look }) {
    // The check itself gives up after five seconds.
    outside.host('hangs.ok.test', () => {});
    const client = await service.as(admin);
    const count = () => outside.requests('hangs.ok.test').length + outside.otherRequests('hangs.ok.test').length;
    const before = count();
    const hanging = client.urlReadiness({ query: { url: `http://hangs.ok.test/${look}` } }).catch(() => undefined);
    await until('the request hangs', () => count() > before);
    const from = performance.now();
    await service.life('api').stop();
    const seconds = (performance.now() - from) / 1000;
    await hanging;
    if (look === 'start') await service.start('api');
    return { 'api.shutdownTimeout': seconds < 3.5 ? 'not for so long' : 'until it is answered' };
  },
};
