import { expect, vi } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { LogLine } from '../../cluster/release/controller-life.ts';
import { definitionOf, neighbour } from '../../support/builders/neighbours.ts';
import { FakeRds } from '../harness/fake-rds.ts';
import { everyDay } from '../harness/hours.ts';
import { deployment, service as serviceManifest, statefulSet } from '../harness/manifests.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { Scalings } from '../harness/scalings.ts';
import type { WiredService } from '../harness/wired-service.ts';
import type { Moment } from '../tables/evidence.ts';
import { keysThatSigned } from './external-wake.ts';
import { admin } from './sign-in.ts';

const quick = { behaviour: { 'start-seconds': '1', 'terminate-seconds': '1' }, patient: true } as const;
const slow = { behaviour: { 'start-seconds': '7', 'terminate-seconds': '7' }, patient: true } as const;

const pool = Array.from({ length: 24 }, (_, index) => `pool/w${index}`);

export const scalingObjects: readonly Manifest[] = [
  // What rules keep up.
  ...['rule-ns-a/w', 'rule-ns-b/w', 'rules/named-a', 'rules/named-b', 'rules/typed'].map((place) => deployment(place)),
  ...['exact-a/w', 'exact-b/w', 'pattern-a-1/w', 'pattern-b-1/w'].map((place) => deployment(place)),
  statefulSet('rules/typed'),
  ...['a', 'b'].flatMap((letter) => [
    deployment(`rules/label-${letter}`, { labels: { keep: letter } }),
    deployment(`rules/annotation-${letter}`, { annotations: { 'example.com/keep': letter } }),
  ]),
  // What sleeps only while it is named.
  definitionOf('ScaledObject'),
  neighbour('ScaledObject', 'rules/queue', { spec: { scaleTargetRef: { name: 'elsewhere' } } }),
  // What tiers order.
  deployment('order-namespace/w', quick),
  statefulSet('order/typed', quick),
  deployment('order/named', quick),
  deployment('order/labelled', { ...quick, labels: { tier: 'labelled' } }),
  deployment('order/slow-own', slow),
  deployment('order/slow-fallback', slow),
  deployment('order-end/w', quick),
  // What comes too late.
  deployment('settle/never', { behaviour: { 'never-ready': 'true' } }),
  ...pool.map((place) => deployment(place)),
  // What satellites stand in for.
  ...['shop/web', 'shop/api', 'crm/web'].flatMap((place) => [
    deployment(place),
    serviceManifest(place, place.split('/')[1] ?? ''),
  ]),
];

const dataTier = { name: 'data', timeout: '1s', databases: ['orders'], select: [] };

/** The tiers of either direction; `own` is the time-out that one of them sets. */
const tiers = (moment: Moment, own: string) => {
  const byNamespace = { name: 'by namespace', select: [{ namespace: 'order-namespace' }] };
  const byType = { name: 'by type', select: [{ namespace: 'order', type: 'StatefulSet' }] };
  const byName = { name: 'by name', select: [{ namespace: 'order', name: 'named' }] };
  const byLabel = { name: 'by label', select: [{ namespace: 'order', labels: { tier: 'labelled' } }] };
  const slowOwn = { name: `own time-out ${moment}`, timeout: own, select: [{ namespace: 'order', name: 'slow-own' }] };
  const slowFallback = { name: `fallback ${moment}`, select: [{ namespace: 'order', name: 'slow-fallback' }] };
  const end = { name: 'end', select: [{ namespace: 'order-end' }] };
  const selecting = [byNamespace, dataTier, byType, byName, byLabel];
  return { tiers: [...(moment === 'start' ? selecting : selecting.toReversed()), slowOwn, slowFallback, end] };
};

/** Orders of the members of the tiers above, as they are worked through. */
const inOrder = (moment: Moment) => {
  const places = ['order-namespace/w', 'order/typed (StatefulSet)', 'order/named', 'order/labelled'];
  return moment === 'start' ? places : places.toReversed();
};

const neverScale = (letter: 'a' | 'b'): Config => ({
  resourceRules: {
    neverScale: [
      { namespace: `rule-ns-${letter}` },
      { namespace: 'rules', name: 'typed', type: letter === 'a' ? 'StatefulSet' : 'Deployment' },
      { namespace: 'rules', name: `named-${letter}`, reason: `kept for ${letter}` },
      { namespace: 'rules', labels: { keep: letter } },
      { namespace: 'rules', annotations: { 'example.com/keep': letter } },
    ],
  },
});

const database = (moment: Moment, outside: Outside) =>
  moment === 'start'
    ? {
        provider: 'aws',
        type: 'instance',
        identifier: 'orders-first',
        region: 'eu-central-1',
        endpoint: 'http://rds-first.test',
        profile: 'first',
        proxyURL: outside.otherProxyUrl,
      }
    : {
        provider: 'aws',
        type: 'cluster',
        identifier: 'orders-second',
        region: 'eu-west-1',
        endpoint: 'http://rds-second.test',
        profile: 'second',
        proxyURL: outside.proxyUrl,
      };

const hub = (moment: Moment, { proxyUrl }: Outside) => ({
  externalDependencies: [
    moment === 'start'
      ? {
          cluster: 'hub-first',
          url: `${proxyUrl}/first`,
          secretRef: { name: 'keys-a', key: 'one' },
          resources: [{ namespace: 'n1', type: 'Deployment', name: 'a*' }],
        }
      : {
          cluster: 'hub-second',
          url: `${proxyUrl}/second`,
          secretRef: { name: 'keys-b', key: 'two' },
          resources: [{ namespace: 'n2', type: 'StatefulSet', name: 'b*' }],
        },
  ],
});

/** What the last hibernation and the last wake were seen to do. */
interface Seen {
  lowered: ReadonlyMap<string, number>;
  raised: ReadonlyMap<string, number>;
  hibernation: LogLine;
  wakeStarted: LogLine;
  wake: LogLine;
  /** Requests of the controller while it took the pool down. */
  requests: readonly number[];
  mostAtOnce: number;
  redirected: readonly string[];
  saved: { readonly cores: number; readonly memory: number };
}

const rds = new FakeRds();
let seen: Seen;
let scalings: Scalings;
let requests: number[] = [];

/** From before the first pass on, which already hibernates. */
export function observeScalings(service: WiredService): void {
  scalings = new Scalings(service);
  service.cluster.api.faults.onRequest(({ user }) => {
    if (user.endsWith(':svc-controller')) requests.push(performance.now());
  });
}

/** Hibernates and wakes once, under the configuration of the moment. */
export async function hibernateAndWake({ service, outside, moment }: Looking): Promise<void> {
  const client = await service.as(admin);
  if (moment === 'reload') {
    scalings.forget();
    requests = [];
  }
  for (const host of ['rds-first.test', 'rds-second.test']) outside.host(host, rds.answer);
  outside.host('127.0.0.1', (_request, response) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    response.end(JSON.stringify({ session: { expiresAt }, ready: true }));
  });
  const before = await savedHours(service);
  const from = moment === 'start' ? 0 : service.log.controller.length;
  if (moment === 'reload') await client.resumeSchedule();
  const finished = (msg: string) => service.says('controller', (line) => line.msg === msg, from, 60_000);
  const hibernation = await finished('Hibernation finished');
  const asked = [...requests];
  const redirected = service.cluster.store
    .list('services', undefined)
    .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const [mostAtOnce, wakeFrom] = await countAtOnce(service, async () => {
    const mark = service.log.controller.length;
    await client.wakeUp({ body: { duration: '1h' } });
    await service.says('controller', ({ msg }) => msg === 'Wake finished', mark, 60_000);
    return mark;
  });
  const line = (msg: string) => service.log.controller.slice(wakeFrom).find((one) => one.msg === msg)!;
  const after = await savedHours(service);
  seen = {
    lowered: new Map(scalings.lowered),
    raised: new Map(scalings.raised),
    hibernation,
    wakeStarted: line('Wake started'),
    wake: line('Wake finished'),
    requests: asked,
    mostAtOnce,
    redirected: redirected.toSorted(),
    saved: { cores: after.cores - before.cores, memory: after.memory - before.memory },
  };
}

/** How many writes to the pool were under way at once, each of which takes a while here. */
async function countAtOnce<T>({ cluster }: WiredService, run: () => Promise<T>): Promise<[number, T]> {
  const ms = 150;
  const at: number[] = [];
  const matches = ({ verb, namespace }: { verb: string; namespace: string | undefined }) =>
    verb === 'patch' && namespace === 'pool';
  const forget = cluster.api.faults.onRequest((facts) => {
    if (matches(facts)) at.push(performance.now());
  });
  const disarm = cluster.api.faults.add({ match: matches, effect: { kind: 'delay', ms } });
  const result = await run();
  forget();
  disarm();
  return [Math.max(...at.map((from) => at.filter((one) => one >= from && one < from + ms).length)), result];
}

async function savedHours(service: WiredService): Promise<{ cores: number; memory: number }> {
  const { report } = await (await service.as(admin)).insights();
  const totals = report?.['totals'] as { saved: { coreHours: number; memoryGBHours: number } } | undefined;
  return { cores: totals?.saved.coreHours ?? 0, memory: totals?.saved.memoryGBHours ?? 0 };
}

const wasLowered = (place: string) => seen.lowered.has(place);
const gapSeconds = (times: ReadonlyMap<string, number>, first: string, second: string) =>
  ((times.get(second) ?? Number.NaN) - (times.get(first) ?? Number.NaN)) / 1000;

/** A rule that keeps the first of two up at the start and the second after the reload. */
const kept = (keys: readonly string[], first: string, second: string): Row => ({
  keys,
  seen: `which of two workloads a hibernation leaves up`,
  start: {},
  reload: {},
  async look({ moment }) {
    expect([wasLowered(first), wasLowered(second)]).toEqual(moment === 'start' ? [false, true] : [true, false]);
  },
});

const own = { start: '1s', reload: '3s' } as const;
const fallback = { start: '3s', reload: '1s' } as const;
const seconds = (text: string) => Number(text.slice(0, -1));

/** Rows about one direction: which workload follows which, and after how long. */
function orderRows(direction: 'hibernate' | 'wake', fallbackKey: string): readonly Row[] {
  const at = () => (direction === 'hibernate' ? seen.lowered : seen.raised);
  const key = (name: string) => `${direction}Ordering.tiers[].${name}`;
  return [
    {
      keys: [key('select[].namespace'), key('select[].type'), key('select[].name'), key('select[].labels.<name>')],
      seen: 'that workloads follow each other a second apart, in the order of the tiers that select them',
      start: { [`${direction}Ordering`]: tiers('start', own.start) },
      reload: { [`${direction}Ordering`]: tiers('reload', own.reload) },
      async look({ moment }) {
        const order = inOrder(moment);
        for (const [index, place] of order.slice(1).entries()) {
          expect(gapSeconds(at(), order[index]!, place), `${order[index]} → ${place}`).toBeGreaterThan(0.5);
        }
      },
    },
    {
      keys: [key('databases')],
      seen: 'that the cloud is called between the tiers before and after',
      start: {},
      reload: {},
      async look({ moment }) {
        const verb = direction === 'hibernate' ? 'Stop' : 'Start';
        const call = rds.last(`${verb}DB${moment === 'start' ? 'Instance' : 'Cluster'}`);
        const [before, after] =
          moment === 'start'
            ? ['order-namespace/w', 'order/typed (StatefulSet)']
            : ['order/typed (StatefulSet)', 'order-namespace/w'];
        expect(call?.at).toBeGreaterThan(at().get(before) ?? Number.NaN);
        expect(call?.at).toBeLessThan(at().get(after) ?? Number.NaN);
      },
    },
    {
      keys: [key('name')],
      seen: 'the names of tiers in the log',
      start: {},
      reload: {},
      async look({ moment }) {
        if (direction === 'hibernate') {
          expect(seen.hibernation['tiersTimedOut']).toEqual(
            expect.arrayContaining([`own time-out ${moment}`, `fallback ${moment}`]),
          );
        } else {
          expect(seen.wakeStarted['tiers']).toEqual(expect.arrayContaining([`own time-out ${moment}: 1`]));
        }
      },
    },
    {
      keys: [key('timeout')],
      seen: 'how long the next tier waits for one that is slow',
      start: {},
      reload: {},
      async look({ moment }) {
        const gap = gapSeconds(at(), 'order/slow-own', 'order/slow-fallback');
        expect(Math.abs(gap - seconds(own[moment]))).toBeLessThan(0.9);
      },
    },
    {
      keys: [fallbackKey],
      seen: 'how long the next tier waits for one that is slow and sets no time-out',
      start: { controller: { [fallbackKey.slice('controller.'.length)]: fallback.start } },
      reload: { controller: { [fallbackKey.slice('controller.'.length)]: fallback.reload } },
      async look({ moment }) {
        const gap = gapSeconds(at(), 'order/slow-fallback', 'order-end/w');
        expect(Math.abs(gap - seconds(fallback[moment]))).toBeLessThan(0.9);
      },
    },
  ];
}

export const scalingRows: readonly Row[] = [
  {
    keys: ['targeting.kinds'],
    seen: 'whether a ScaledObject is paused while the cluster sleeps',
    start: { targeting: { kinds: ['ScaledObject'] } },
    reload: { targeting: { kinds: [] } },
    async look({ moment }) {
      expect(wasLowered('rules/queue (ScaledObject)')).toBe(moment === 'start');
    },
  },
  {
    ...kept(['targeting.namespaces.exclude[].exact'], 'exact-a/w', 'exact-b/w'),
    start: { targeting: { namespaces: { exclude: [{ exact: 'exact-a' }, { pattern: 'pattern-a-*' }] } } },
    reload: { targeting: { namespaces: { exclude: [{ exact: 'exact-b' }, { pattern: 'pattern-b-*' }] } } },
  },
  kept(['targeting.namespaces.exclude[].pattern'], 'pattern-a-1/w', 'pattern-b-1/w'),
  {
    ...kept(['resourceRules.neverScale[].namespace'], 'rule-ns-a/w', 'rule-ns-b/w'),
    start: neverScale('a'),
    reload: neverScale('b'),
  },
  kept(['resourceRules.neverScale[].type'], 'rules/typed (StatefulSet)', 'rules/typed'),
  kept(['resourceRules.neverScale[].name'], 'rules/named-a', 'rules/named-b'),
  kept(['resourceRules.neverScale[].labels.<name>'], 'rules/label-a', 'rules/label-b'),
  kept(['resourceRules.neverScale[].annotations.<name>'], 'rules/annotation-a', 'rules/annotation-b'),
  {
    keys: ['resourceRules.neverScale[].reason'],
    seen: 'the reason beside a workload that is left alone',
    start: {},
    reload: {},
    async look({ service, moment }) {
      const letter = moment === 'start' ? 'a' : 'b';
      const { items } = await (await service.as(admin)).ignoredResources({});
      const named = items.find(({ name }) => name === `named-${letter}`);
      expect(JSON.stringify(named)).toContain(`kept for ${letter}`);
    },
  },
  ...orderRows('hibernate', 'controller.hibernateTierTimeout'),
  ...orderRows('wake', 'controller.wakeBarrierTimeout'),
  {
    keys: ['controller.workloadSettleTimeout'],
    seen: 'the sentence about a workload that never gets ready',
    start: { controller: { workloadSettleTimeout: '2s' } },
    reload: { controller: { workloadSettleTimeout: '4s' } },
    async look({ moment }) {
      const figure = moment === 'start' ? '2' : '4';
      expect(seen.wake['failed']).toEqual([
        expect.stringMatching(new RegExp(`settle/never did not finish starting within the default ${figure} s`)),
      ]);
    },
  },
  {
    keys: ['controller.kubernetesQPS', 'controller.kubernetesBurst'],
    seen: 'how fast the requests of a hibernation reach the cluster',
    start: { controller: { kubernetesQPS: 10, kubernetesBurst: 5 } },
    reload: { controller: { kubernetesQPS: 2000, kubernetesBurst: 400 } },
    async look({ moment }) {
      const lowered = pool.map((place) => seen.lowered.get(place) ?? Number.NaN);
      const tookMs = Math.max(...lowered) - Math.min(...lowered);
      const within = (from: number) => seen.requests.filter((at) => at >= from && at < from + 200).length;
      const most = Math.max(...seen.requests.map(within));
      // Two dozen writes at ten a second, five of which may be saved up; five and two in any 200 ms.
      if (moment === 'start') expect([tookMs > 1_400, most <= 9], `${tookMs} ms, ${most}`).toEqual([true, true]);
      else expect([tookMs < 1_400, most > 9], `${tookMs} ms, ${most}`).toEqual([true, true]);
    },
  },
  {
    keys: ['controller.maxConcurrentOperations'],
    seen: 'how many workloads are written at once',
    start: { controller: { maxConcurrentOperations: 2 } },
    reload: { controller: { maxConcurrentOperations: 30 } },
    async look({ moment }) {
      if (moment === 'start') expect(seen.mostAtOnce).toBeLessThanOrEqual(2);
      else expect(seen.mostAtOnce).toBeGreaterThan(5);
    },
  },
  {
    keys: [
      'databases.<name>.type',
      'databases.<name>.identifier',
      'databases.<name>.region',
      'databases.<name>.endpoint',
      'databases.<name>.profile',
      'databases.<name>.proxyURL',
    ],
    seen: 'the calls that the cloud gets: their name, database, signature, address and way',
    start: (outside) => ({ databases: { orders: database('start', outside) } }),
    reload: (outside) => ({ databases: { orders: database('reload', outside) } }),
    async look({ outside, moment }) {
      const { proxyURL, ...wanted } = database(moment, outside);
      const call = rds.last(moment === 'start' ? 'StopDBInstance' : 'StopDBCluster');
      expect(call?.request.body).toContain(`Identifier=${wanted.identifier}`);
      const { authorization = '' } = call?.request.headers ?? {};
      expect(authorization).toContain(`Credential=KEYOF${wanted.profile.toUpperCase()}/`);
      expect(authorization).toContain(`/${wanted.region}/rds/`);
      const host = new URL(wanted.endpoint).hostname;
      const ways = [outside.otherRequests(host).length > 0, outside.requests(host).length > 0];
      expect(ways).toEqual(proxyURL === outside.otherProxyUrl ? [true, false] : [false, true]);
    },
  },
  {
    keys: [
      'serviceRedirection.enabled',
      'serviceRedirection.services[].namespace',
      'serviceRedirection.services[].name',
    ],
    seen: 'which Services point at a satellite while the cluster sleeps',
    start: {
      serviceRedirection: {
        enabled: true,
        services: [
          { namespace: 'shop', name: 'web' },
          { namespace: 'shop', name: 'api' },
          { namespace: 'crm', name: 'web' },
        ],
      },
    },
    reload: { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'api' }] } },
    async look({ moment }) {
      expect(seen.redirected).toEqual(moment === 'start' ? ['crm/web', 'shop/api', 'shop/web'] : ['shop/api']);
    },
  },
  {
    keys: ['insights.defaultCPUCores', 'insights.defaultMemoryGB'],
    seen: 'the savings of workloads that ask for nothing',
    start: { insights: { defaultCPUCores: 1000, defaultMemoryGB: 5000 } },
    reload: { insights: { defaultCPUCores: 500, defaultMemoryGB: 20_000 } },
    async look({ moment }) {
      expect(seen.saved.cores).toBeGreaterThan(1);
      expect(seen.saved.memory / seen.saved.cores).toBeCloseTo(moment === 'start' ? 5 : 40, 0);
    },
  },
  {
    keys: [
      'externalDependencies[].cluster',
      'externalDependencies[].url',
      'externalDependencies[].resources[].namespace',
      'externalDependencies[].resources[].type',
      'externalDependencies[].resources[].name',
    ],
    seen: 'the request that a hosting cluster gets',
    start: (outside) => hub('start', outside),
    reload: (outside) => hub('reload', outside),
    async look({ outside, moment }) {
      const { cluster, resources } = hub(moment, outside).externalDependencies[0]!;
      const request = lastWake(outside);
      expect(request.url).toBe(`/${moment === 'start' ? 'first' : 'second'}/api/v1/external-wake`);
      expect(JSON.parse(request.body)).toMatchObject({ host: cluster, resources });
    },
  },
  {
    keys: ['externalDependencies[].secretRef.name', 'externalDependencies[].secretRef.key'],
    seen: 'which of four keys the request of a hosting cluster is signed with',
    start: {},
    reload: {},
    async look({ outside, moment }) {
      const request = lastWake(outside);
      const good = moment === 'start' ? 'keys-a one' : 'keys-b two';
      expect(await keysThatSigned({ ...request, url: `${outside.proxyUrl}${request.url}` })).toEqual([good]);
    },
  },
  {
    keys: ['controller.reconcileInterval'],
    seen: 'how many passes a quiet controller makes in three seconds',
    start: { controller: { reconcileInterval: '1s' } },
    reload: { controller: { reconcileInterval: '1h' } },
    async look({ service, moment }) {
      const passes = async () => {
        const text = await service.metrics('controller');
        return Number(/^svc_reconcile\w*_total\{[^}]*completed[^}]*\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
      };
      const made = async () => {
        const before = await passes();
        await new Promise((resolve) => setTimeout(resolve, 3_200));
        return (await passes()) - before;
      };
      if (moment === 'start') expect(await made()).toBeGreaterThanOrEqual(2);
      // What the rows before it began may still ask for a pass of its own.
      else await vi.waitFor(async () => expect(await made()).toBeLessThan(2), { timeout: 30_000 });
    },
  },
  {
    keys: ['global.enabled'],
    seen: 'the line `Stood down: ...` of the controller, and no hibernation',
    start: { global: { enabled: true } },
    reload: 'own',
    async look({ service, moment }) {
      if (moment === 'start') return expect(seen.hibernation.msg).toBe('Hibernation finished');
      const from = service.log.controller.length;
      await service.with({ global: { enabled: false } }, async () => {
        await service.says('controller', ({ msg }) => msg.startsWith('Stood down:'), from);
      });
      await service.says('controller', ({ msg }) => msg.startsWith('Stand-down ended'), from);
    },
  },
];

const lastWake = ({ internet }: Outside) =>
  internet.requests.findLast(({ method, url }) => method === 'POST' && url.endsWith('/api/v1/external-wake'))!;

export const scalingBase = ({ mailPort }: Outside): Config => ({
  clusterName: 'wired',
  externalUrl: 'https://svc.example.com',
  allowInsecureExternalUrl: true,
  auth: { adminUsers: [admin] },
  smtp: { host: '127.0.0.1', port: mailPort },
  ...everyDay('off'),
});
