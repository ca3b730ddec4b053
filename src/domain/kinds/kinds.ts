import type { KindRow } from './kind-row.ts';

/** Every kind that the service can put to sleep, one row each. The first three are those of every cluster. */
export const kinds = {
  Deployment: {
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    sleep: { by: 'scale', pointer: '/spec/replicas' },
    runs: { pods: { through: 'ReplicaSet', hashLabel: 'pod-template-hash' } },
  },
  StatefulSet: {
    group: 'apps',
    version: 'v1',
    plural: 'statefulsets',
    sleep: { by: 'scale', pointer: '/spec/replicas' },
    runs: { pods: { through: 'itself' } },
  },
  CronJob: {
    group: 'batch',
    version: 'v1',
    plural: 'cronjobs',
    sleep: { by: 'field', pointer: '/spec/suspend', value: true, filledIn: false },
    runs: 'jobs',
  },
} as const satisfies Readonly<Record<string, KindRow>>;

type Kinds = typeof kinds;

export type WorkloadKind = keyof Kinds;

/** Kinds that sleep by a count. */
export type ScalableKind = {
  [K in WorkloadKind]: Kinds[K]['sleep']['by'] extends 'scale' ? K : never;
}[WorkloadKind];

/** Kinds that sleep by a value at a place: on or off, with nothing between. */
export type SwitchedKind = Exclude<WorkloadKind, ScalableKind>;

/** In the order of the table, which is the order in which people read them. */
export const kindNames = Object.keys(kinds) as [WorkloadKind, ...WorkloadKind[]];

export function rowOf(kind: WorkloadKind): KindRow {
  return kinds[kind];
}

export function isScalableKind(kind: WorkloadKind): kind is ScalableKind {
  return rowOf(kind).sleep.by === 'scale';
}

/** What an object of the kind runs. A name from elsewhere may be no kind of the table: that runs nothing that we know of. */
export function runsOf(kind: string): KindRow['runs'] {
  return Object.hasOwn(kinds, kind) ? rowOf(kind as WorkloadKind).runs : undefined;
}

/** Whether objects of the kind have pods of their own, which tell when they are up. */
export function runsPods(kind: string): boolean {
  return typeof runsOf(kind) === 'object';
}

/** `Deployment, StatefulSet or CronJob`, for sentences that say what would be right. */
export function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

export const kindsListed = listed(kindNames);
