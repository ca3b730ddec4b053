import type { AnswerOf, QueryOf } from '../../contract/operations.ts';
import { isReplicaRecord, type WorkloadRecord } from '../../domain/record/record.ts';
import { type EpochMs, isScalable } from '../../domain/workload.ts';
import { instant } from '../outlook/wire.ts';
import { type ListedWorkload, ownerOf, type WorkloadsSnapshot } from '../outlook/workloads-snapshot.ts';

export type ListQuery = QueryOf<'resources'>;
type Resource = AnswerOf<'resources'>['items'][number];

const pageSize = 100;

interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * One page of what passes the filter. `all` is in the order of namespace, kind and name, which stays the order of what
 * is equal otherwise: sorting is stable, so pages never overlap.
 */
export function page<T>(
  all: readonly T[],
  query: ListQuery,
  of: (item: T) => Named,
  sortKey: (item: T, sort: NonNullable<ListQuery['sort']>) => string | number,
): { readonly items: readonly T[]; readonly total: number; readonly next?: number } {
  const matching = filtered(all, query, of);
  const { sort = 'namespace', order = 'asc' } = query;
  const sign = order === 'desc' ? -1 : 1;
  const inOrder =
    sort === 'namespace' && order === 'asc'
      ? matching
      : matching.toSorted((a, b) => sign * compare(sortKey(a, sort), sortKey(b, sort)));
  const offset = query.offset ?? 0;
  const end = offset + (query.limit ?? pageSize);
  const items = inOrder.slice(offset, end);
  return { items, total: inOrder.length, ...(end < inOrder.length ? { next: end } : {}) };
}

function filtered<T>(all: readonly T[], query: ListQuery, of: (item: T) => Named): readonly T[] {
  const q = query.q?.toLowerCase();
  if (query.namespace === undefined && query.kind === undefined && q === undefined) return all;
  return all.filter((item) => {
    const { kind, namespace, name } = of(item);
    if (query.namespace !== undefined && namespace !== query.namespace) return false;
    if (query.kind !== undefined && kind !== query.kind) return false;
    return q === undefined || namespace.includes(q) || name.includes(q);
  });
}

export function resourcePage(workloads: WorkloadsSnapshot, query: ListQuery): AnswerOf<'resources'> {
  const managed =
    query.namespace === undefined ? workloads.managed : (namespacesOf(workloads).get(query.namespace) ?? []);
  const wanted = query.state === undefined ? managed : managed.filter((item) => item.state === query.state);
  const found = page(wanted, query, ({ workload }) => workload, sortKey);
  return { ...found, items: found.items.map(wireResource) };
}

const namespaces = new WeakMap<WorkloadsSnapshot, ReadonlyMap<string, readonly ListedWorkload[]>>();

/** Sorted out once for a snapshot: a page of one namespace need not look at thousands of others. */
function namespacesOf(workloads: WorkloadsSnapshot): ReadonlyMap<string, readonly ListedWorkload[]> {
  const known = namespaces.get(workloads) ?? Map.groupBy(workloads.managed, ({ workload }) => workload.namespace);
  namespaces.set(workloads, known);
  return known;
}

function sortKey({ workload, state }: ListedWorkload, sort: NonNullable<ListQuery['sort']>): string | number {
  if (sort === 'state') return state;
  if (sort === 'replicas') return isScalable(workload) ? workload.replicas : -1;
  return workload[sort];
}

export function wireResource(item: ListedWorkload): Resource {
  const { workload, state, record } = item;
  const { kind, namespace, name } = workload;
  const owner = ownerOf(workload);
  const since = sinceOf(item);
  return {
    kind,
    namespace,
    name,
    state,
    ...(isScalable(workload)
      ? { replicas: workload.replicas, readyReplicas: workload.readyReplicas }
      : { suspended: workload.suspended }),
    ...(since === undefined ? {} : { since: instant(since) }),
    recorded: wireRecord(record),
    ...(owner === undefined ? {} : { owner }),
  };
}

function sinceOf({ workload, state, record }: ListedWorkload): EpochMs | undefined {
  if (state === 'hibernated') return record?.at;
  return state === 'starting' && isScalable(workload) ? workload.unavailableSince : undefined;
}

export function wireRecord(record: WorkloadRecord | undefined): Resource['recorded'] {
  if (record === undefined) return null;
  const before = isReplicaRecord(record) ? { replicas: record.replicas } : { suspended: record.suspended };
  return { ...before, at: instant(record.at) };
}

type Tally = AnswerOf<'resourceStats'>['total'];

type Counted = Omit<AnswerOf<'resourceStats'>, 'excluded'>;
const counted = new WeakMap<WorkloadsSnapshot, Counted>();

/** Counted once for a snapshot, however many ask. */
export function resourceStats(workloads: WorkloadsSnapshot, excluded: number | null): AnswerOf<'resourceStats'> {
  const known = counted.get(workloads) ?? countsOf(workloads);
  counted.set(workloads, known);
  return { ...known, excluded };
}

function countsOf({ managed }: WorkloadsSnapshot): Counted {
  const total = emptyTally();
  const byKind = new Map<string, Tally>();
  const byNamespace = new Map<string, Tally>();
  for (const { workload, state } of managed) {
    for (const tally of [total, tallyOf(byKind, workload.kind), tallyOf(byNamespace, workload.namespace)]) {
      tally.managed++;
      tally[state]++;
    }
  }
  return { total, byKind: Object.fromEntries(byKind), byNamespace: Object.fromEntries(byNamespace) };
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
