import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { PartSizes } from '../../../src/state/parts/state-part.ts';
import {
  autoscaler,
  namespaceManifest,
  scaledObject,
  scaledObjectDefinition,
  serviceManifest,
  type WorkloadParts,
  workloadManifest,
} from '../../support/builders/manifests.ts';
import type { Actor } from '../actors/actor.ts';
import { databaseOwners } from '../actors/database-owners.ts';
import { dependents } from '../actors/dependents.ts';
import { neighbourOwners } from '../actors/neighbours.ts';
import { serviceOwners } from '../actors/service-owners.ts';
import { statePartMeddlers } from '../actors/state-parts.ts';
import type { Chance } from '../chance.ts';
import { drawNeighbourhood, type NeighbourhoodPlan, neighbourKinds } from './neighbourhood.ts';

/** How often each group of actors acts in a world, against the others. */
interface Temper {
  readonly users: number;
  readonly admins: number;
  readonly stops: number;
  readonly faults: number;
  /** What lasts for hours. */
  readonly lasting: number;
}

export interface WorldPlan {
  readonly name: string;
  readonly temper: Temper;
  /** Who else acts in it. */
  readonly others?: { readonly weight: number; readonly actors: readonly Actor[] };
  /** Names of its managed databases. */
  readonly cloud?: readonly string[];
  /** Smaller than in production: then a handful of workloads outgrows `svc-state`. */
  readonly partSizes?: PartSizes;
  /** How long after the last doing of anybody everything has converged; 50 minutes when left out. */
  readonly settleMs?: number;
  /** Controllers of others beside the cluster's own; drawn before the objects. */
  readonly neighbourhood?: (chance: Chance) => NeighbourhoodPlan;
  config(chance: Chance): Readonly<Record<string, unknown>>;
  objects(chance: Chance): readonly Manifest[];
}

const namespaces = ['shop', 'blog', 'data'];
const mixed: Temper = { users: 5, admins: 3, stops: 1, faults: 5, lasting: 2 };

function workloads(
  chance: Chance,
  counts: { deployments: number; statefulSets: number; cronJobs: number },
): Manifest[] {
  const parts: WorkloadParts[] = [];
  const place = (kind: WorkloadParts['kind'], index: number) => ({
    kind,
    namespace: chance.pick(namespaces),
    name: `${kind.slice(0, 1).toLowerCase()}${index}`,
  });
  for (let i = 0; i < counts.deployments; i++) {
    parts.push({
      ...place('Deployment', i),
      replicas: chance.pick([0, 1, 1, 2, 3]),
      labels: { tier: chance.pick(tiers) },
    });
  }
  for (let i = 0; i < counts.statefulSets; i++) {
    parts.push({ ...place('StatefulSet', i), replicas: chance.pick([1, 2]), labels: { tier: 'data' } });
  }
  for (let i = 0; i < counts.cronJobs; i++) {
    parts.push({ ...place('CronJob', i), suspended: chance.happens(0.3), schedule: '30 3 * * 0' });
  }
  return [...namespaces.map(namespaceManifest), ...parts.map(workloadManifest)];
}

const cloudNames = ['orders', 'stock'];
const tiers = ['web', 'backend', 'data'];
const tierOf = (name: string, timeout?: string) => ({
  name,
  select: [{ namespace: '*', labels: { tier: name } }],
  ...(timeout === undefined ? {} : { timeout }),
});

const timezones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];

/** Of some clusters the holidays are days off. */
const hours = (chance: Chance) => ({
  workingHours: { timezone: chance.pick(timezones) },
  ...(chance.happens(0.3) ? { holidays: { regions: ['DE-BY'], act: true } } : {}),
});

export const plans: readonly WorldPlan[] = [
  {
    name: 'plain',
    temper: mixed,
    config: hours,
    objects: (chance) => workloads(chance, { deployments: 8, statefulSets: 2, cronJobs: 0 }),
  },
  {
    name: 'tiered',
    temper: mixed,
    config: (chance) => ({
      ...hours(chance),
      wakeOrdering: { tiers: [tierOf('data', '2m'), tierOf('backend')] },
      hibernateOrdering: { tiers: [tierOf('backend', '1m'), tierOf('data')] },
    }),
    objects: (chance) => workloads(chance, { deployments: 8, statefulSets: 3, cronJobs: 1 }),
  },
  {
    name: 'cronjobs',
    temper: { ...mixed, users: 7 },
    config: hours,
    objects: (chance) => workloads(chance, { deployments: 3, statefulSets: 1, cronJobs: 14 }),
  },
  {
    name: 'crowded',
    temper: { ...mixed, users: 7 },
    config: (chance) => ({
      ...hours(chance),
      resourceRules: { neverScale: [{ namespace: 'shop', name: 'never', reason: 'the till' }] },
    }),
    objects: crowded,
  },
  {
    name: 'stops',
    temper: { users: 3, admins: 2, stops: 6, faults: 5, lasting: 2 },
    config: (chance) => ({
      ...hours(chance),
      ...(chance.happens(0.5) ? { wakeOrdering: { tiers: [tierOf('data', '2m')] } } : {}),
    }),
    objects: (chance) => workloads(chance, { deployments: 7, statefulSets: 2, cronJobs: 4 }),
  },
  {
    // Every few records need a ConfigMap of their own.
    name: 'outgrown',
    temper: mixed,
    others: { weight: 3, actors: statePartMeddlers },
    partSizes: { state: 700, part: 500, value: 300 },
    config: (chance) => ({
      ...hours(chance),
      ...(chance.happens(0.5) ? { hibernateOrdering: { tiers: [tierOf('backend', '1m'), tierOf('data')] } } : {}),
    }),
    objects: (chance) => workloads(chance, { deployments: 14, statefulSets: 5, cronJobs: 5 }),
  },
  {
    name: 'redirected',
    temper: mixed,
    others: { weight: 5, actors: serviceOwners },
    // No watch tells of Services: the pass of every hour looks at them.
    settleMs: 75 * 60_000,
    config: (chance) => ({ ...hours(chance), serviceRedirection: { enabled: true, services: fronts } }),
    objects: redirected,
  },
  {
    name: 'hosting',
    temper: mixed,
    others: { weight: 5, actors: dependents },
    config: (chance) => ({
      ...hours(chance),
      externalWake: {
        enabled: true,
        localClusterName: 'test',
        clusters: [{ name: 'hub', secretRef: { name: 'hub', key: 'hmac' } }],
        excludedNamespaces: ['data'],
        quotas: { maxWakesPerHour: 100 },
      },
      ...(chance.happens(0.5) ? { wakeOrdering: { tiers: [tierOf('data', '2m')] } } : {}),
    }),
    objects: (chance) => workloads(chance, { deployments: 7, statefulSets: 2, cronJobs: 3 }),
  },
  {
    name: 'databases',
    temper: mixed,
    others: { weight: 4, actors: databaseOwners },
    cloud: cloudNames,
    // The cloud tells nobody what happens to a database: the pass of every hour asks.
    settleMs: 75 * 60_000,
    config: (chance) => ({
      ...hours(chance),
      databases: Object.fromEntries(cloudNames.map((name) => [name, managedDatabase(name)])),
      ...(chance.happens(0.5) ? { wakeOrdering: { tiers: [{ ...tierOf('data', '2m'), databases: ['orders'] }] } } : {}),
      ...(chance.happens(0.5) ? { hibernateOrdering: { tiers: [tierOf('backend', '1m'), tierOf('data')] } } : {}),
    }),
    objects: (chance) => workloads(chance, { deployments: 5, statefulSets: 2, cronJobs: 1 }),
  },
];

/** Worlds that no seed draws by itself: they are asked for by name. */
const plansByName: readonly WorldPlan[] = [
  {
    name: 'neighbours',
    temper: mixed,
    others: { weight: 6, actors: neighbourOwners },
    neighbourhood: drawNeighbourhood,
    config: (chance) => ({
      ...hours(chance),
      targeting: { kinds: neighbourKinds },
      ...(chance.happens(0.5) ? { wakeOrdering: { tiers: [tierOf('data', '2m')] } } : {}),
      ...(chance.happens(0.3) ? { hibernateOrdering: { tiers: [tierOf('backend', '1m'), tierOf('data')] } } : {}),
    }),
    objects: (chance) => workloads(chance, { deployments: 3, statefulSets: 1, cronJobs: 1 }),
  },
];

export const everyPlan: readonly WorldPlan[] = [...plans, ...plansByName];
export const worldNames: readonly string[] = everyPlan.map(({ name }) => name);

function managedDatabase(identifier: string) {
  return { provider: 'aws', type: 'instance', identifier, region: 'eu-central-1' };
}

const fronts = ['web', 'shop', 'feed'].map((name) => ({ namespace: 'shop', name }));

/** Services in front of Deployments, one of them in front of two, one that is not redirected. */
function redirected(chance: Chance): readonly Manifest[] {
  const parts = [0, 1, 2, 3].map((index): WorkloadParts => {
    const replicas = chance.pick([0, 1, 1, 2]);
    return { kind: 'Deployment', namespace: 'shop', name: `d${index}`, replicas };
  });
  return [
    ...['shop', 'blog', 'data'].map(namespaceManifest),
    ...parts.map(workloadManifest),
    workloadManifest({ kind: 'StatefulSet', namespace: 'shop', name: 'd3', replicas: 1 }),
    workloadManifest({ kind: 'CronJob', namespace: 'data', name: 'c0' }),
    ...fronts.map(({ namespace, name }, index) => serviceManifest(namespace, name, `d${index + 1}`)),
    serviceManifest('shop', 'plain', 'd0'),
  ];
}

/** Autoscalers, operators and everything that is not ours. */
function crowded(chance: Chance): readonly Manifest[] {
  const apart: WorkloadParts[] = [
    { kind: 'Deployment', namespace: 'shop', name: 'never', replicas: 2 },
    { kind: 'Deployment', namespace: 'kube-system', name: 'dns', replicas: 2 },
    { kind: 'Deployment', namespace: 'svc', name: 'svc-app', replicas: 1 },
    { kind: 'Deployment', namespace: 'shop', name: 'excluded', replicas: 1, annotations: { 'svc.io/exclude': 'true' } },
    { kind: 'Deployment', namespace: 'shop', name: 'autoscaled', replicas: 2 },
    { kind: 'Deployment', namespace: 'shop', name: 'from-zero', replicas: 1 },
    { kind: 'Deployment', namespace: 'blog', name: 'keda', replicas: 1 },
    { kind: 'StatefulSet', namespace: 'data', name: 'precious', replicas: 1, deletesVolumes: true },
  ];
  const operator = { apiVersion: 'search.example.com/v1', kind: 'SearchCluster', name: 'search', uid: '' };
  return [
    ...workloads(chance, { deployments: 4, statefulSets: 1, cronJobs: 2 }),
    namespaceManifest('kube-system'),
    scaledObjectDefinition(),
    searchClusterDefinition,
    { apiVersion: operator.apiVersion, kind: operator.kind, metadata: { name: 'search', namespace: 'data' }, spec: {} },
    ...apart.map(workloadManifest),
    workloadManifest({ kind: 'StatefulSet', namespace: 'data', name: 'operated', replicas: 1, owner: operator }),
    autoscaler('shop', 'autoscaled', 2),
    autoscaler('shop', 'from-zero', 0),
    scaledObject('blog', 'keda'),
  ];
}

const searchClusterDefinition: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'searchclusters.search.example.com' },
  spec: {
    group: 'search.example.com',
    scope: 'Namespaced',
    names: { plural: 'searchclusters', singular: 'searchcluster', kind: 'SearchCluster' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
