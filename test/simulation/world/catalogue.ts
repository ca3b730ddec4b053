import type { Manifest } from '../../../src/embedded/apply-objects.ts';
import type { Chance } from '../chance.ts';
import {
  autoscaler,
  namespaceManifest,
  scaledObject,
  scaledObjectDefinition,
  type WorkloadParts,
  workloadManifest,
} from './manifests.ts';

/** How often each group of actors acts in a world, against the others. */
export interface Temper {
  readonly users: number;
  readonly admins: number;
  readonly stops: number;
  readonly faults: number;
}

export interface WorldPlan {
  readonly name: string;
  readonly temper: Temper;
  config(chance: Chance): Readonly<Record<string, unknown>>;
  objects(chance: Chance): readonly Manifest[];
}

const namespaces = ['shop', 'blog', 'data'];
const mixed: Temper = { users: 5, admins: 3, stops: 1, faults: 5 };

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

const tiers = ['web', 'backend', 'data'];
const tierOf = (name: string, timeout?: string) => ({
  name,
  select: [{ namespace: '*', labels: { tier: name } }],
  ...(timeout === undefined ? {} : { timeout }),
});

export const timezones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];

const hours = (chance: Chance) => ({ workingHours: { timezone: chance.pick(timezones) } });

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
    temper: { users: 3, admins: 2, stops: 6, faults: 5 },
    config: (chance) => ({
      ...hours(chance),
      ...(chance.happens(0.5) ? { wakeOrdering: { tiers: [tierOf('data', '2m')] } } : {}),
    }),
    objects: (chance) => workloads(chance, { deployments: 7, statefulSets: 2, cronJobs: 4 }),
  },
];

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
