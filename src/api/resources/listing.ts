import type { AnswerOf, QueryOf } from '../../contract/operations.ts';
import { isReplicaRecord, type WorkloadRecord } from '../../domain/record/record.ts';
import { isScalable } from '../../domain/workload.ts';
import { instant } from '../status/wire.ts';
import { ownerOf, type SceneItem } from './scene.ts';

export type ListQuery = QueryOf<'resources'>;
type Resource = AnswerOf<'resources'>['items'][number];

const pageSize = 100;

interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One page of what passes the filter, in order. Ties are broken by namespace, kind and name, so pages never overlap. */
export function page<T>(
  all: readonly T[],
  query: ListQuery,
  of: (item: T) => Named,
  sortKey: (item: T, sort: NonNullable<ListQuery['sort']>) => string | number,
): { readonly items: readonly T[]; readonly total: number; readonly next?: number } {
  const q = query.q?.toLowerCase();
  const matching = all.filter((item) => {
    const { kind, namespace, name } = of(item);
    if (query.namespace !== undefined && namespace !== query.namespace) return false;
    if (query.kind !== undefined && kind !== query.kind) return false;
    return q === undefined || namespace.includes(q) || name.includes(q);
  });
  const sort = query.sort ?? 'namespace';
  const sign = query.order === 'desc' ? -1 : 1;
  const keyed = matching.map((item) => {
    const { kind, namespace, name } = of(item);
    return { item, key: sortKey(item, sort), tie: `${namespace} ${kind} ${name}` };
  });
  keyed.sort((a, b) => sign * compare(a.key, b.key) || compare(a.tie, b.tie));
  const offset = query.offset ?? 0;
  const end = offset + (query.limit ?? pageSize);
  const items = keyed.slice(offset, end).map(({ item }) => item);
  return { items, total: keyed.length, ...(end < keyed.length ? { next: end } : {}) };
}

export function resourcePage(items: readonly SceneItem[], query: ListQuery): AnswerOf<'resources'> {
  const managed = items.filter((item) => item.managed && (query.state === undefined || item.state === query.state));
  const found = page(managed, query, ({ workload }) => workload, sortKey);
  return { ...found, items: found.items.map(wireResource) };
}

function sortKey({ workload, state }: SceneItem, sort: NonNullable<ListQuery['sort']>): string | number {
  if (sort === 'state') return state;
  if (sort === 'replicas') return isScalable(workload) ? workload.replicas : -1;
  return workload[sort];
}

function wireResource(item: SceneItem): Resource {
  const { workload, state, record } = item;
  const { kind, namespace, name } = workload;
  const owner = ownerOf(workload);
  return {
    kind,
    namespace,
    name,
    state,
    ...(isScalable(workload)
      ? { replicas: workload.replicas, readyReplicas: workload.readyReplicas }
      : { suspended: workload.suspended }),
    recorded: wireRecord(record),
    ...(owner === undefined ? {} : { owner }),
  };
}

export function wireRecord(record: WorkloadRecord | undefined): Resource['recorded'] {
  if (record === undefined) return null;
  const before = isReplicaRecord(record) ? { replicas: record.replicas } : { suspended: record.suspended };
  return { ...before, at: instant(record.at) };
}

type Tally = AnswerOf<'resourceStats'>['total'];

export function resourceStats(items: readonly SceneItem[], excluded: number | null): AnswerOf<'resourceStats'> {
  const total = emptyTally();
  const byKind = new Map<string, Tally>();
  const byNamespace = new Map<string, Tally>();
  for (const { workload, state, managed } of items) {
    if (!managed) continue;
    for (const tally of [total, tallyOf(byKind, workload.kind), tallyOf(byNamespace, workload.namespace)]) {
      tally.managed++;
      tally[state]++;
    }
  }
  return { total, excluded, byKind: Object.fromEntries(byKind), byNamespace: Object.fromEntries(byNamespace) };
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key) ?? emptyTally();
  tallies.set(key, known);
  return known;
}

function emptyTally(): Tally {
  return { managed: 0, up: 0, starting: 0, down: 0, hibernated: 0 };
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
