import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { AnswerOf } from '../../../src/contract/operations.ts';
import { everythingElse } from '../../../src/domain/ordering/ordering.ts';
import type { LogLine } from '../../cluster/release/controller-life.ts';
import { customDefinition, customObject, definitionOf, neighbour } from '../../support/builders/neighbours.ts';
import { FakeRds } from '../harness/fake-rds.ts';
import { everyDay } from '../harness/hours.ts';
import { deployment, service as serviceManifest, statefulSet } from '../harness/manifests.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { Scalings } from '../harness/scalings.ts';
import { transitionTimeoutMs } from '../harness/until.ts';
import type { WiredService } from '../harness/wired-service.ts';
import type { Moment } from '../tables/evidence.ts';
import { keysThatSigned } from './external-wake.ts';
import { admin } from './sign-in.ts';

const quick = { behaviour: { 'start-seconds': '1', 'terminate-seconds': '1' }, patient: true } as const;
const slow = { behaviour: { 'start-seconds': '7', 'terminate-seconds': '7' }, patient: true } as const;

const at = (moment: Moment) => (moment === 'start' ? 'first' : 'second');

const pool = Array.from({ length: 24 }, (_, index) => `pool/w${index}`);

/** A kind that only the configuration knows. */
const pools = { kind: 'Pool', group: 'example.com', version: 'v1', plural: 'pools' };

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
  definitionOf('Kustomization'),
  neighbour('Kustomization', 'rules/apps'),
  customDefinition(pools),
  customObject(pools, 'rules/main', { spec: { replicas: 2 } }),
  deployment('rules/applied', {
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'rules' },
  }),
  // What tiers order: the first of each pair at the start, the second after the reload.
  ...['order-a/w', 'order-b/w', 'order/named-a', 'order/named-b', 'order/typed'].map((place) =>
    deployment(place, quick),
  ),
  statefulSet('order/typed', quick),
  ...['a', 'b'].map((letter) => deployment(`order/label-${letter}`, { ...quick, labels: { tier: letter } })),
  deployment('order/slow-own', slow),
  deployment('order/slow-fallback', slow),
  deployment('order-end/w', quick),
  // What others are held against.
  deployment('asks/w', { requests: { cpu: '1', memory: '1G' } }),
  // What comes too late.
  deployment('settle/never', { behaviour: { 'never-ready': 'true' } }),
  ...pool.map((place) => deployment(place)),
  // What satellites stand in for.
  ...['shop/web', 'shop/api', 'crm/web', 'crm/api'].flatMap((place) => [
    deployment(place),
    serviceManifest(place, place.split('/')[1] ?? ''),
  ]),
];

/** What the tiers select in either moment. */
const chosen = {
  start: { letter: 'a', type: 'StatefulSet' },
  reload: { letter: 'b', type: 'Deployment' },
} as const;

/** The tiers of either direction; `own` is the time-out that one of them sets. */
const tiers = (moment: Moment, own: string) => {
  const { letter, type } = chosen[moment];
  const selecting = [
    { name: 'by namespace', select: [{ namespace: `order-${letter}` }] },
    { name: 'by type', select: [{ namespace: 'order', name: 'typed', type }] },
    { name: `data ${moment}`, timeout: '1s', databases: [`orders-${at(moment)}`], select: [] },
    { name: 'by name', select: [{ namespace: 'order', name: `named-${letter}` }] },
    { name: 'by label', select: [{ namespace: 'order', labels: { tier: letter } }] },
  ];
  const slowOwn = { name: `own time-out ${moment}`, timeout: own, select: [{ namespace: 'order', name: 'slow-own' }] };
  const slowFallback = { name: `fallback ${moment}`, select: [{ namespace: 'order', name: 'slow-fallback' }] };
  const end = { name: 'end', select: [{ namespace: 'order-end' }] };
  // Longer than it takes to give up what never gets ready, since a tier comes after it.
  const settles = { name: 'settles', timeout: '20s', select: [{ namespace: 'settle' }] };
  return { tiers: [...selecting, slowOwn, slowFallback, end, settles] };
};

/** By the part of a selector that names it: the workload that its tier has at the start, and the one after the reload. */
const pairs = {
  'select[].namespace': ['order-a/w', 'order-b/w'],
  'select[].type': ['order/typed (StatefulSet)', 'order/typed'],
  'select[].name': ['order/named-a', 'order/named-b'],
  'select[].labels.<name>': ['order/label-a', 'order/label-b'],
} as const;

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

const exclude = (letter: 'a' | 'b'): Config => ({
  targeting: { namespaces: { exclude: [{ exact: `exact-${letter}` }, { pattern: `pattern-${letter}-*` }] } },
});

/** Services that satellites stand in for. */
const redirection = (...places: readonly string[]): Config => ({
  serviceRedirection: {
    enabled: true,
    services: places.map((place) => ({ namespace: place.split('/')[0], name: place.split('/')[1] })),
  },
});
const redirects = { start: ['crm/web', 'shop/api', 'shop/web'], reload: ['crm/api', 'crm/web', 'shop/api'] };

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
  /** What the pool saved, for each hour of the workload that asks for something. */
  saved: Saved;
  preview: AnswerOf<'preview'>;
}

interface Saved {
  readonly cores: number;
  readonly memory: number;
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
  const finished = (msg: string) => service.says('controller', (line) => line.msg === msg, from, transitionTimeoutMs);
  const hibernation = await finished('Hibernation finished');
  const asked = [...requests];
  const redirected = service.cluster.store
    .list('services', undefined)
    .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const [mostAtOnce, wakeFrom] = await countAtOnce(service, async () => {
    const mark = service.log.controller.length;
    await client.wakeUp({ body: { duration: '1h' } });
    await service.says('controller', ({ msg }) => msg === 'Wake finished', mark, transitionTimeoutMs);
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
    saved: ratio(difference(after.pool, before.pool), difference(after.asks, before.asks)),
    preview: await client.preview({}),
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

interface NamespaceReport {
  readonly namespace: string;
  readonly saved: { readonly coreHours: number; readonly memoryGBHours: number };
}

async function savedHours(service: WiredService): Promise<Readonly<Record<'pool' | 'asks', Saved>>> {
  const { report } = await (await service.as(admin)).insights();
  const all = (report?.['namespaces'] ?? []) as readonly NamespaceReport[];
  const of = (name: string): Saved => {
    const found = all.find(({ namespace }) => namespace === name)?.saved;
    return { cores: found?.coreHours ?? 0, memory: found?.memoryGBHours ?? 0 };
  };
  return { pool: of('pool'), asks: of('asks') };
}

const difference = (after: Saved, before: Saved): Saved => ({
  cores: after.cores - before.cores,
  memory: after.memory - before.memory,
});
const ratio = (one: Saved, other: Saved): Saved => ({
  cores: one.cores / other.cores,
  memory: one.memory / other.memory,
});

/** The one of them that it is within a quarter of, or the value itself. */
const nearest = (value: number, figures: readonly number[]) =>
  figures.find((figure) => Math.abs(value / figure - 1) < 0.25) ?? value;

const gapSeconds = (times: ReadonlyMap<string, number>, first: string, second: string) =>
  ((times.get(second) ?? Number.NaN) - (times.get(first) ?? Number.NaN)) / 1000;

/** A rule that keeps the first of two up at the start and the second after the reload. */
const kept = (key: string, first: string, second: string): readonly Row[] => [
  {
    keys: { [key]: { start: [second], reload: [first] } },
    in: 'controller',
    seen: 'which of two workloads a hibernation takes down',
    start: {},
    reload: {},
    see: async () => ({ [key]: [first, second].filter((place) => seen.lowered.has(place)) }),
  },
  {
    keys: { [key]: { start: [first], reload: [second] } },
    in: 'api',
    seen: 'which of two workloads the preview says are skipped',
    start: {},
    reload: {},
    see: async () => ({
      [key]: [first, second].filter((place) =>
        seen.preview.skipped.some(({ workload }) => workload === inWords(place)),
      ),
    }),
  },
];

/** As the API writes it. */
function inWords(place: string): string {
  const [, name, kind = 'Deployment'] = /^(\S+)(?: \((\w+)\))?$/.exec(place) ?? [];
  return `${kind} ${name}`;
}

const own = { start: '1s', reload: '3s' } as const;
const fallback = { start: '3s', reload: '1s' } as const;
const seconds = (text: string) => Number(text.slice(0, -1));

/** Rows about one direction: which workload follows which, and after how long. */
function orderRows(direction: 'hibernate' | 'wake', fallbackKey: string): readonly Row[] {
  const times = () => (direction === 'hibernate' ? seen.lowered : seen.raised);
  const key = (name: string) => `${direction}Ordering.tiers[].${name}`;
  const parts = Object.entries(pairs);
  return [
    {
      // Which of each pair is in its tier: so many steps after the first tier. The other is with all the rest.
      keys: Object.fromEntries(
        parts.map(([part], index) => [key(part), { start: [index, undefined], reload: [undefined, index] }]),
      ),
      in: 'controller',
      seen: 'that workloads follow each other in the order of the tiers that select them',
      start: { [`${direction}Ordering`]: tiers('start', own.start) },
      reload: { [`${direction}Ordering`]: tiers('reload', own.reload) },
      async see() {
        const slow = times().get('order/slow-own') ?? Number.NaN;
        const tierOf = tierSteps(Object.values(pairs), times(), slow, direction);
        return Object.fromEntries(parts.map(([part, pair]) => [key(part), pair.map((place) => tierOf.get(place))]));
      },
    },
    {
      keys: Object.fromEntries(
        parts.map(([part], index) => {
          const tier = ['by namespace', 'by type', 'by name', 'by label'][index];
          return [key(part), { start: [tier, everythingElse], reload: [everythingElse, tier] }];
        }),
      ),
      in: 'api',
      seen: 'the tiers that the preview has them in',
      start: {},
      reload: {},
      async see() {
        const all = direction === 'hibernate' ? seen.preview.tiers : seen.preview.wakeTiers;
        const tierOf = (place: string) => all.find(({ workloads }) => workloads.includes(inWords(place)))?.name;
        return Object.fromEntries(parts.map(([part, pair]) => [key(part), pair.map(tierOf)]));
      },
    },
    {
      keys: { [key('databases')]: { start: ['orders-first'], reload: ['orders-second'] } },
      in: 'controller',
      seen: 'which databases the cloud is called for between the tiers before and after',
      start: {},
      reload: {},
      async see({ moment }) {
        const index = moment === 'start' ? 0 : 1;
        const [before, after] = [pairs['select[].type'][index], pairs['select[].name'][index]];
        const [from, to] = [before, after].map((place) => times().get(place) ?? Number.NaN);
        const verb = direction === 'hibernate' ? 'Stop' : 'Start';
        const calls = { 'orders-first': rds.last(`${verb}DBInstance`), 'orders-second': rds.last(`${verb}DBCluster`) };
        const between = Object.entries(calls).filter(
          ([, call]) => call !== undefined && call.at > from! && call.at < to!,
        );
        return { [key('databases')]: between.map(([name]) => name) };
      },
    },
    {
      keys: { [key('name')]: { start: ['own time-out start'], reload: ['own time-out reload'] } },
      in: 'controller',
      seen: 'the names of tiers in the log',
      start: {},
      reload: {},
      async see() {
        const names = ['own time-out start', 'own time-out reload'];
        const told = (
          direction === 'hibernate' ? seen.hibernation['tiersTimedOut'] : seen.wakeStarted['tiers']
        ) as readonly string[];
        return { [key('name')]: names.filter((name) => told.some((one) => one.startsWith(name))) };
      },
    },
    {
      keys: { [key('name')]: { start: ['own time-out start'], reload: ['own time-out reload'] } },
      in: 'api',
      seen: 'the names of tiers in the preview',
      start: {},
      reload: {},
      async see() {
        const all = direction === 'hibernate' ? seen.preview.tiers : seen.preview.wakeTiers;
        return { [key('name')]: all.map(({ name }) => name).filter((name) => name.startsWith('own time-out')) };
      },
    },
    {
      keys: { [key('timeout')]: { start: seconds(own.start), reload: seconds(own.reload) } },
      in: 'controller',
      seen: 'how many seconds the next tier waits for one that is slow',
      start: {},
      reload: {},
      see: async () => ({ [key('timeout')]: Math.round(gapSeconds(times(), 'order/slow-own', 'order/slow-fallback')) }),
    },
    {
      keys: { [fallbackKey]: { start: seconds(fallback.start), reload: seconds(fallback.reload) } },
      in: 'controller',
      seen: 'how many seconds the next tier waits for one that is slow and sets no time-out',
      start: { controller: { [fallbackKey.slice('controller.'.length)]: fallback.start } },
      reload: { controller: { [fallbackKey.slice('controller.'.length)]: fallback.reload } },
      see: async () => ({ [fallbackKey]: Math.round(gapSeconds(times(), 'order/slow-fallback', 'order-end/w')) }),
    },
  ];
}

/** Of the pairs' places that come before the slow tier, and after all the rest on a hibernation: in how many steps each is reached. */
function tierSteps(
  all: readonly (readonly [string, string])[],
  times: ReadonlyMap<string, number>,
  slow: number,
  direction: 'hibernate' | 'wake',
): ReadonlyMap<string, number> {
  const timeOf = (place: string) => times.get(place) ?? Number.NaN;
  const rest = Math.max(...pool.map(timeOf));
  // The other one of its pair is with the rest: on a hibernation it, too, comes before.
  const isTiered = (place: string, other: string) =>
    timeOf(place) < slow && (direction === 'wake' || timeOf(place) > Math.max(rest, timeOf(other)) + 20);
  const tiered = all
    .flatMap(([one, other]) => [isTiered(one, other) ? [one] : [], isTiered(other, one) ? [other] : []].flat())
    .toSorted((one, other) => timeOf(one) - timeOf(other));
  // One of each pair has a tier of its own, so that the order is all there is to see, however fast or slow the machine is.
  return new Map(tiered.map((place, index) => [place, index]));
}

export const scalingRows: readonly Row[] = [
  {
    keys: {
      'targeting.kinds': {
        start: ['rules/apps (Kustomization)'],
        reload: ['rules/queue (ScaledObject)', 'rules/main (Pool)'],
      },
    },
    in: 'controller',
    seen: 'whether a ScaledObject, a Kustomization or a kind that is described is paused while the cluster sleeps',
    start: { targeting: { kinds: ['Kustomization'] } },
    reload: { targeting: { kinds: ['ScaledObject', { ...pools, scale: '/spec/replicas' }] } },
    see: async () => ({
      'targeting.kinds': ['rules/queue (ScaledObject)', 'rules/apps (Kustomization)', 'rules/main (Pool)'].filter(
        (place) => seen.lowered.has(place),
      ),
    }),
  },
  {
    keys: {
      'targeting.kinds': {
        start: ['Kustomization rules/apps'],
        reload: ['Pool rules/main', 'ScaledObject rules/queue'],
      },
    },
    in: 'api',
    seen: 'whether the preview names a ScaledObject, a Kustomization or a kind that is described',
    start: {},
    reload: {},
    async see() {
      const named = seen.preview.tiers.flatMap(({ workloads }) => workloads);
      return {
        'targeting.kinds': named
          .filter((workload) => /^(?:ScaledObject|Kustomization|Pool) /.test(workload))
          .toSorted(),
      };
    },
  },
  ...kept('targeting.namespaces.exclude[].exact', 'exact-a/w', 'exact-b/w').map((row) => ({
    ...row,
    ...(row.in === 'api' ? {} : { start: exclude('a'), reload: exclude('b') }),
  })),
  ...kept('targeting.namespaces.exclude[].pattern', 'pattern-a-1/w', 'pattern-b-1/w'),
  ...kept('resourceRules.neverScale[].namespace', 'rule-ns-a/w', 'rule-ns-b/w').map((row) => ({
    ...row,
    ...(row.in === 'api' ? {} : { start: neverScale('a'), reload: neverScale('b') }),
  })),
  ...kept('resourceRules.neverScale[].type', 'rules/typed (StatefulSet)', 'rules/typed'),
  ...kept('resourceRules.neverScale[].name', 'rules/named-a', 'rules/named-b'),
  ...kept('resourceRules.neverScale[].labels.<name>', 'rules/label-a', 'rules/label-b'),
  ...kept('resourceRules.neverScale[].annotations.<name>', 'rules/annotation-a', 'rules/annotation-b'),
  {
    keys: { 'resourceRules.neverScale[].reason': { start: ['kept for a'], reload: ['kept for b'] } },
    in: 'api',
    seen: 'the reason beside a workload that is left alone',
    start: {},
    reload: {},
    async see({ service }) {
      const { items } = await (await service.as(admin)).ignoredResources({});
      const named = JSON.stringify(items.filter(({ name }) => /^named-/.test(name)));
      return { 'resourceRules.neverScale[].reason': named.match(/kept for \w/g) };
    },
  },
  ...orderRows('hibernate', 'controller.hibernateTierTimeout'),
  ...orderRows('wake', 'controller.wakeBarrierTimeout'),
  {
    keys: {
      'controller.workloadSettleTimeout': {
        start: 'did not finish starting within the default 2 s',
        reload: 'did not finish starting within the default 4 s',
      },
    },
    in: 'controller',
    seen: 'the sentence about a workload that never gets ready',
    start: { controller: { workloadSettleTimeout: '2s' } },
    reload: { controller: { workloadSettleTimeout: '4s' } },
    async see() {
      const sentence = String(seen.wake['failed']);
      const known = /settle\/never (did not finish starting within the default \d+ s)/.exec(sentence)?.[1];
      return { 'controller.workloadSettleTimeout': known ?? sentence };
    },
  },
  {
    keys: {
      'controller.kubernetesQPS': { start: 'ten a second', reload: 'faster' },
      'controller.kubernetesBurst': { start: 'at most five saved up', reload: 'more' },
    },
    in: 'controller',
    seen: 'how fast the requests of a hibernation reach the cluster',
    start: { controller: { kubernetesQPS: 10, kubernetesBurst: 5 } },
    reload: { controller: { kubernetesQPS: 2000, kubernetesBurst: 400 } },
    async see() {
      const lowered = pool.map((place) => seen.lowered.get(place) ?? Number.NaN);
      const tookMs = Math.max(...lowered) - Math.min(...lowered);
      const within = (from: number) => seen.requests.filter((time) => time >= from && time < from + 200).length;
      return {
        // Two dozen writes at ten a second, five of which may be saved up: 1.9 s, and five and two in any 200 ms. A busy machine hears
        // some that were sent apart together, though not two dozen, which is what comes where more may be saved up.
        'controller.kubernetesQPS': tookMs > 1_850 ? 'ten a second' : 'faster',
        'controller.kubernetesBurst': Math.max(...seen.requests.map(within)) <= 14 ? 'at most five saved up' : 'more',
      };
    },
  },
  {
    keys: { 'controller.maxConcurrentOperations': { start: 'at most two', reload: 'more than five' } },
    in: 'controller',
    seen: 'how many workloads are written at once',
    start: { controller: { maxConcurrentOperations: 2 } },
    reload: { controller: { maxConcurrentOperations: 30 } },
    async see() {
      const { mostAtOnce: most } = seen;
      return { 'controller.maxConcurrentOperations': most <= 2 ? 'at most two' : most > 5 ? 'more than five' : most };
    },
  },
  {
    keys: {
      'databases.<name>.type': { start: 'instance', reload: 'cluster' },
      'databases.<name>.identifier': { start: 'orders-first', reload: 'orders-second' },
      'databases.<name>.region': { start: 'eu-central-1', reload: 'eu-west-1' },
      'databases.<name>.endpoint': { start: 'rds-first.test', reload: 'rds-second.test' },
      'databases.<name>.profile': { start: 'KEYOFFIRST', reload: 'KEYOFSECOND' },
      'databases.<name>.proxyURL': { start: 'the second proxy', reload: 'the general one' },
    },
    in: 'controller',
    seen: 'the calls that the cloud gets: their name, database, signature, address and way',
    start: (outside) => ({ databases: { 'orders-first': database('start', outside) } }),
    reload: (outside) => ({ databases: { 'orders-second': database('reload', outside) } }),
    async see({ outside }) {
      const { request } = rds.calls.findLast(({ action }) => action.startsWith('StopDB'))!;
      const [, key, region] = /Credential=([^/]+)\/\d+\/([^/]+)\/rds\//.exec(request.headers.authorization ?? '') ?? [];
      const [, type, identifier] = /DB(Instance|Cluster)Identifier=([\w-]+)/.exec(request.body) ?? [];
      return {
        'databases.<name>.type': type?.toLowerCase(),
        'databases.<name>.identifier': identifier,
        'databases.<name>.region': region,
        'databases.<name>.endpoint': new URL(request.url).hostname,
        'databases.<name>.profile': key,
        'databases.<name>.proxyURL': outside.internet.requests.includes(request)
          ? 'the general one'
          : 'the second proxy',
      };
    },
  },
  {
    keys: {
      'databases.<name>.type': { start: 'instance', reload: 'cluster' },
      'databases.<name>.identifier': { start: 'orders-first', reload: 'orders-second' },
      'databases.<name>.region': { start: 'eu-central-1', reload: 'eu-west-1' },
    },
    in: 'api',
    seen: 'the database in the list',
    start: {},
    reload: {},
    async see({ service }) {
      const { items } = await (await service.as(admin)).databases();
      const found = items.find(({ configured }) => configured);
      return {
        'databases.<name>.type': found?.type,
        'databases.<name>.identifier': found?.identifier,
        'databases.<name>.region': found?.region,
      };
    },
  },
  {
    // One goes with the reload, and another comes.
    keys: {
      'serviceRedirection.services[].namespace': redirects,
      'serviceRedirection.services[].name': redirects,
    },
    in: 'controller',
    seen: 'which Services point at a satellite while the cluster sleeps',
    start: redirection('shop/web', 'shop/api', 'crm/web'),
    reload: redirection('shop/api', 'crm/web', 'crm/api'),
    see: async () => ({
      'serviceRedirection.services[].namespace': seen.redirected,
      'serviceRedirection.services[].name': seen.redirected,
    }),
  },
  {
    keys: {
      'serviceRedirection.services[].namespace': redirects,
      'serviceRedirection.services[].name': redirects,
    },
    in: 'api',
    seen: 'which Services the list of satellites has',
    start: {},
    reload: {},
    async see({ service }) {
      const { items } = await (await service.as(admin)).satellites();
      const named = items.filter(({ configured }) => configured).map((one) => `${one.namespace}/${one.service}`);
      return {
        'serviceRedirection.services[].namespace': named.toSorted(),
        'serviceRedirection.services[].name': named.toSorted(),
      };
    },
  },
  {
    // By how much more they save than one that asks for one of each, which sleeps about as long.
    keys: {
      'insights.defaultCPUCores': { start: 1000, reload: 500 },
      'insights.defaultMemoryGB': { start: 5000, reload: 20_000 },
    },
    in: 'controller',
    seen: 'the savings of workloads that ask for nothing',
    start: { insights: { defaultCPUCores: 1000, defaultMemoryGB: 5000 } },
    reload: { insights: { defaultCPUCores: 500, defaultMemoryGB: 20_000 } },
    see: async () => ({
      'insights.defaultCPUCores': nearest(seen.saved.cores / pool.length, [1000, 500]),
      'insights.defaultMemoryGB': nearest(seen.saved.memory / pool.length, [5000, 20_000]),
    }),
  },
  {
    keys: {
      'operations.devMode': { start: true, reload: false },
    },
    in: 'controller',
    seen: 'requests to the cloud in the log',
    start: { operations: { logLevel: 'debug', devMode: true } },
    reload: { operations: { logLevel: 'debug', devMode: false } },
    async see({ service }) {
      const lines = service.linesInForce('controller');
      if (!lines.some(({ msg }) => msg === 'Database told to stop')) throw new Error('The cloud was not called.');
      return { 'operations.devMode': lines.some(({ msg }) => msg === 'Cloud request') };
    },
  },
  {
    keys: {
      'externalDependencies[].cluster': { start: 'hub-first', reload: 'hub-second' },
      'externalDependencies[].url': { start: '/first', reload: '/second' },
      'externalDependencies[].resources[].namespace': { start: 'n1', reload: 'n2' },
      'externalDependencies[].resources[].type': { start: 'Deployment', reload: 'StatefulSet' },
      'externalDependencies[].resources[].name': { start: 'a*', reload: 'b*' },
      'externalDependencies[].secretRef.name': { start: ['keys-a'], reload: ['keys-b'] },
      'externalDependencies[].secretRef.key': { start: ['one'], reload: ['two'] },
    },
    in: 'controller',
    seen: 'the request that a hosting cluster gets, and which of four keys it is signed with',
    start: (outside) => hub('start', outside),
    reload: (outside) => hub('reload', outside),
    async see({ outside }) {
      const request = lastWake(outside);
      const { host, resources } = JSON.parse(request.body) as {
        readonly host: string;
        readonly resources: readonly Readonly<Record<'namespace' | 'type' | 'name', string>>[];
      };
      const signed = await keysThatSigned({ ...request, url: `${outside.proxyUrl}${request.url}` });
      return {
        'externalDependencies[].cluster': host,
        'externalDependencies[].url': request.url.replace('/api/v1/external-wake', ''),
        'externalDependencies[].resources[].namespace': resources[0]?.namespace,
        'externalDependencies[].resources[].type': resources[0]?.type,
        'externalDependencies[].resources[].name': resources[0]?.name,
        'externalDependencies[].secretRef.name': signed.map((one) => one.split(' ')[0]),
        'externalDependencies[].secretRef.key': signed.map((one) => one.split(' ')[1]),
      };
    },
  },
  {
    keys: { 'externalDependencies[].cluster': { start: ['hub-first'], reload: ['hub-second'] } },
    in: 'api',
    seen: 'the hosting clusters of the preview',
    start: {},
    reload: {},
    see: async () => ({ 'externalDependencies[].cluster': seen.preview.hosts }),
  },
  {
    keys: { 'controller.reconcileInterval': { start: 'two or more', reload: 'fewer' } },
    in: 'controller',
    seen: 'how many passes a quiet controller makes in three seconds',
    start: { controller: { reconcileInterval: '1s' } },
    reload: { controller: { reconcileInterval: '1h' } },
    // What the rows before it began may still ask for a pass of its own.
    withinMs: 30_000,
    async see({ service }) {
      const passes = async () => {
        const text = await service.metrics('controller');
        return Number(/^svc_reconcile\w*_total\{[^}]*completed[^}]*\} (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
      };
      const before = await passes();
      await new Promise((resolve) => setTimeout(resolve, 3_200));
      return { 'controller.reconcileInterval': (await passes()) - before >= 2 ? 'two or more' : 'fewer' };
    },
  },
  {
    keys: { 'global.enabled': { start: 'acting', reload: 'stood down' } },
    in: 'controller',
    seen: 'whether the controller says that it stood down',
    start: { global: { enabled: true } },
    reload: { alone: { global: { enabled: false } } },
    withinMs: 20_000,
    async see({ service }) {
      const last = service.log.controller.findLast(({ msg }) => /^(?:Stood down:|Stand-down ended)/.test(msg));
      return { 'global.enabled': last?.msg.startsWith('Stood down:') === true ? 'stood down' : 'acting' };
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
