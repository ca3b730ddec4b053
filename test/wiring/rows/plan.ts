import { configMaps } from '../../../src/domain/names.ts';
import { namespace } from '../harness/chart-release.ts';
import { holidaysAhead, weekdayOf } from '../harness/holidays-ahead.ts';
import { everyDay } from '../harness/hours.ts';
import { deployment } from '../harness/manifests.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';
import { insecureRow } from './api-process.ts';
import { admin } from './sign-in.ts';

// What the controller decides, as a dry run tells it: no day has to come, and nothing has to go down, for it to be seen.

const [first, second] = await holidaysAhead(Temporal.Now.plainDateISO('UTC').toString());
/** When the cluster would be up on either of the two days; on all others it sleeps. */
const opens = { first: '08:00', second: '12:00' } as const;

const places = ['closed-first/w', 'closed-second/w'] as const;
const sessions = [
  {
    id: 'edge-1',
    cluster: 'edge',
    resources: places.map((place) => ({ namespace: place.split('/')[0] })),
    startedAt: '2026-01-01T00:00:00Z',
    expiresAt: '2099-01-01T00:00:00Z',
  },
];

/** What another cluster keeps up, and what a rule does. */
export const planObjects = [
  ...places.map((place) => deployment(place)),
  deployment('ruled/w'),
  // What others are held against.
  deployment('asks/w', { requests: { cpu: '1', memory: '1Gi' } }),
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: configMaps.state, namespace },
    data: { external_wake_sessions: JSON.stringify(sessions) },
  },
];

interface Plan {
  readonly reason: string;
  readonly hibernate: readonly { readonly workloads: readonly string[] }[];
  readonly skipped: readonly { readonly workload: string; readonly reason: string }[];
}

/** What the controller said last that it would do, under the configuration in force. */
async function planOf({ service }: Looking): Promise<Plan> {
  const line = await until('the plan of a dry run', () =>
    service.linesInForce('controller').findLast(({ msg }) => msg === 'Dry run: nothing is changed'),
  );
  return line as unknown as Plan; // A line holds anything; these fields are the plan's own.
}

/** The hour at which the cluster would be up next. */
const opening = async (looking: Looking) => /until .*?(\d\d:\d\d)/.exec((await planOf(looking)).reason)?.[1];

const cardsOf = ({ outside }: Looking) => outside.requests('hooks.test').map(({ body }) => body);

/** Those that were there when the configuration was last edited by hand; at the start there were none. */
const cardsBefore = (looking: Looking) => (looking.look === 'start' ? 0 : sizeCards);
let sizeCards = 0;

/** As the api notes how large the statistics are that it stored under a tag. */
function noteSize({ service: { cluster } }: Looking, tag: string): void {
  const stored = cluster.store.get('configmaps', namespace, configMaps.state);
  const parameter_size = JSON.stringify({ parameter: `/svc/${tag}/statistics`, bytes: 8000 });
  const data = { ...(stored?.['data'] as object | undefined), parameter_size };
  cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMaps.state, namespace }, data }]);
}

const tierOf = (database: string): Config => ({
  wakeOrdering: { tiers: [{ name: 'data', databases: [database], select: [] }] },
});

const rule = (reason: string): Config => ({ resourceRules: { neverScale: [{ namespace: 'ruled', reason }] } });

export const planRows: readonly Row[] = [
  {
    // The day of the region that is configured is off, so the cluster sleeps until the other one.
    keys: { 'holidays.regions': { start: opens.second, reload: opens.first } },
    in: 'controller',
    seen: 'until when the controller wants the cluster asleep, on a day that is a holiday somewhere',
    start: { holidays: { regions: [first.region], act: true } },
    reload: { holidays: { regions: [second.region], act: true } },
    withinMs: 20_000,
    see: async (looking) => ({ 'holidays.regions': await opening(looking) }),
  },
  {
    keys: { 'holidays.act': { start: 'asleep on a holiday', reload: 'up on a holiday' } },
    in: 'controller',
    seen: 'whether the controller wants the cluster up on a holiday of the configured regions',
    start: {},
    reload: { alone: { holidays: { regions: [first.region, second.region], act: false } } },
    withinMs: 20_000,
    async see(looking) {
      const { regions } = looking.service.config['holidays'] as { readonly regions: readonly string[] };
      const hour = await opening(looking);
      const off = regions.map((region) => (region === first.region ? opens.first : opens.second));
      return { 'holidays.act': off.some((one) => one === hour) ? 'up on a holiday' : 'asleep on a holiday' };
    },
  },
  {
    keys: {
      'externalWake.excludedNamespaces': {
        start: ['Deployment closed-first/w'],
        reload: ['Deployment closed-second/w'],
      },
    },
    in: 'controller',
    seen: 'which of two workloads goes down although another cluster asked for both',
    start: { externalWake: { excludedNamespaces: ['closed-first*'] } },
    reload: { externalWake: { excludedNamespaces: ['closed-second*'] } },
    withinMs: 20_000,
    see: async (looking) => ({
      'externalWake.excludedNamespaces': (await planOf(looking)).hibernate
        .flatMap(({ workloads }) => workloads)
        .filter((workload) => workload.includes('closed')),
    }),
  },
  {
    keys: { 'resourceRules.neverScale[].reason': { start: 'kept for the first', reload: 'kept for the second' } },
    in: 'controller',
    seen: 'why the controller leaves a workload alone',
    start: rule('kept for the first'),
    reload: rule('kept for the second'),
    withinMs: 20_000,
    async see(looking) {
      const { skipped } = await planOf(looking);
      const reason = skipped.find(({ workload }) => workload === 'Deployment ruled/w')?.reason ?? '';
      return { 'resourceRules.neverScale[].reason': /kept for the \w+/.exec(reason)?.[0] };
    },
  },
  {
    keys: { 'awsCosts.tagValue': { start: [true, false], reload: [false, true] } },
    in: 'controller',
    seen: 'the size of which statistics the controller tells of',
    start: { awsCosts: { enabled: true, tagValue: 'first' } },
    reload: { awsCosts: { enabled: true, tagValue: 'second' } },
    async see(looking) {
      const seen: boolean[] = [];
      // The one that is not to be told of comes first: the card of the other is then later than any of its own.
      const tags = looking.moment === 'start' ? ['second', 'first'] : ['first', 'second'];
      const from = cardsOf(looking).length;
      for (const tag of tags) noteSize(looking, tag);
      await until('a card about the size', () => cardsOf(looking).length > from);
      sizeCards = cardsOf(looking).length;
      const fresh = cardsOf(looking).slice(from).join('\n');
      for (const tag of ['first', 'second']) seen.push(fresh.includes(`/svc/${tag}/statistics`));
      return { 'awsCosts.tagValue': seen };
    },
  },
  {
    keys: { 'awsCosts.enabled': { start: 'told', reload: 'not told' } },
    in: 'controller',
    seen: 'whether the controller tells of the size of statistics',
    start: {},
    reload: { alone: { awsCosts: { enabled: false } } },
    async see(looking) {
      // Switched off, the condition ends; on again it is told anew. One that should come has longer.
      const ms = looking.moment === 'start' ? 20_000 : 2_500;
      const came = await until('a card', () => cardsOf(looking).length > cardsBefore(looking), ms).catch(() => false);
      return { 'awsCosts.enabled': came ? 'told' : 'not told' };
    },
  },
  insecureRow('controller'),
  {
    keys: { 'wakeOrdering.tiers[].databases': { start: ['second'], reload: ['first'] } },
    in: 'api',
    seen: 'which database the preview stops although another cluster keeps workloads up',
    start: tierOf('first'),
    reload: tierOf('second'),
    // The row before it changes the configuration and back, and waits for the controller alone.
    withinMs: 10_000,
    see: async ({ service }) => ({
      'wakeOrdering.tiers[].databases': (await (await service.as(admin)).preview({})).databases,
    }),
  },
  {
    // By how much more one that asks for nothing would save than one that asks for one of each.
    keys: {
      'insights.defaultCPUCores': { start: 2, reload: 6 },
      'insights.defaultMemoryGB': { start: 3, reload: 9 },
    },
    in: 'api',
    seen: 'what the coming week would save of a workload that asks for nothing',
    start: { insights: { enabled: true, defaultCPUCores: 2, defaultMemoryGB: 3 } },
    reload: { insights: { enabled: true, defaultCPUCores: 6, defaultMemoryGB: 9 } },
    withinMs: 10_000,
    async see({ service }) {
      const { projection } = await (await service.as(admin)).fleet();
      const all = (projection?.['namespaces'] ?? []) as readonly PlannedNamespace[];
      const of = (name: string) => all.find((one) => one.namespace === name)?.planned;
      const [asks, plain] = [of('asks'), of('closed-first')];
      const ratio = (part: 'coreHours' | 'memoryGBHours') => Math.round((plain?.[part] ?? 0) / (asks?.[part] ?? 0));
      return { 'insights.defaultCPUCores': ratio('coreHours'), 'insights.defaultMemoryGB': ratio('memoryGBHours') };
    },
  },
];

interface PlannedNamespace {
  readonly namespace: string;
  readonly planned: { readonly coreHours: number; readonly memoryGBHours: number };
}

export const planBase = ({ mailPort, proxyUrl }: Outside): Config => ({
  clusterName: 'wired',
  externalUrl: 'https://svc.example.com',
  smtp: { host: '127.0.0.1', port: mailPort },
  operations: { dryRun: true },
  proxyURL: proxyUrl,
  notifications: {
    enabled: true,
    channels: { teams: { enabled: true, webhooks: [{ url: 'http://hooks.test/plan' }] } },
    events: { confirmationWindowSeconds: 0 },
    deduplication: { windowSeconds: 0 },
  },
  auth: { adminUsers: [admin] },
  databases: Object.fromEntries(
    ['first', 'second'].map((name) => [name, { type: 'instance', identifier: name, region: 'eu-central-1' }]),
  ),
  workingHours: {
    timezone: 'UTC',
    schedule: {
      ...everyDay('off').workingHours.schedule,
      [weekdayOf(first.date)]: `${opens.first}-23:00`,
      [weekdayOf(second.date)]: `${opens.second}-23:00`,
    },
  },
});
