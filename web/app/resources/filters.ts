import { kindNames } from '../../../src/domain/kinds/kinds.ts';
import { isOfKubernetes } from '../../../src/domain/kinds/kinds-of-kubernetes.ts';
import type { Ignored, Resource } from '../data/queries.ts';

/** What the table shows, kept in the address so that a link shows the same. */
export interface Filters {
  readonly q: string;
  readonly kind: string;
  readonly state: string;
  readonly namespace: string;
  readonly sort: SortKey;
  readonly order: 'asc' | 'desc';
}

const sortKeys = ['namespace', 'name', 'kind', 'state', 'replicas'] as const;
export type SortKey = (typeof sortKeys)[number];

/** `not-up` is whatever the service scales and is not up, for whoever asks which six. */
export const states = ['up', 'not-up', 'starting', 'down', 'hibernated', 'excluded'] as const;

/** The kinds that the service knows, and those among the rows that the configuration describes. */
export function kindsAmong(rows: readonly Row[]): readonly string[] {
  return [...new Set<string>([...kindNames, ...rows.map(({ kind }) => kind)])];
}

/** A managed workload, or one that is left alone. */
export interface Row {
  readonly key: string;
  readonly kind: Resource['kind'];
  readonly namespace: string;
  readonly name: string;
  readonly state: Resource['state'] | 'excluded';
  readonly managed?: Resource;
  /** Why it is left alone. */
  readonly reason?: string;
}

export function rowsOf(managed: readonly Resource[], ignored: readonly Ignored[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { kind, namespace, name, reason } of ignored) {
    const key = `${kind}/${namespace}/${name}`;
    rows.set(key, { key, kind, namespace, name, state: 'excluded', reason });
  }
  for (const resource of managed) {
    const { kind, namespace, name, state } = resource;
    const key = `${kind}/${namespace}/${name}`;
    const left = rows.get(key)?.reason;
    rows.set(key, {
      key,
      kind,
      namespace,
      name,
      state,
      managed: resource,
      ...(left === undefined ? {} : { reason: left }),
    });
  }
  return [...rows.values()];
}

export function readFilters(search: string): Filters {
  const query = new URLSearchParams(search);
  const sort = sortKeys.find((key) => key === query.get('sort')) ?? 'namespace';
  return {
    q: query.get('q') ?? '',
    kind: kindIn(query.get('kind')),
    state: oneOf(query.get('state'), states),
    namespace: query.get('namespace') ?? '',
    sort,
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
  };
}

/** Only what differs from the usual is in the address. */
export function writeFilters(filters: Filters): string {
  const query = new URLSearchParams();
  for (const name of ['q', 'kind', 'state', 'namespace'] as const)
    if (filters[name] !== '') query.set(name, filters[name]);
  if (filters.sort !== 'namespace') query.set('sort', filters.sort);
  if (filters.order !== 'asc') query.set('order', filters.order);
  return query.toString();
}

/** Keeps the order of the rows, so that they are sorted once and not with every letter that is typed. */
export function filterRows(rows: readonly Row[], filters: Filters): readonly Row[] {
  const q = filters.q.trim().toLowerCase();
  if (q === '' && filters.kind === '' && filters.state === '' && filters.namespace === '') return rows;
  return rows.filter(
    (row) =>
      (filters.kind === '' || row.kind === filters.kind) &&
      (filters.state === '' || row.state === filters.state || (filters.state === 'not-up' && isNotUp(row))) &&
      (filters.namespace === '' || row.namespace === filters.namespace) &&
      (q === '' || row.name.includes(q) || row.namespace.includes(q) || `${row.namespace}/${row.name}`.includes(q)),
  );
}

function isNotUp({ state }: Row): boolean {
  return state !== 'up' && state !== 'excluded';
}

export function sortRows(rows: readonly Row[], { sort, order }: Pick<Filters, 'sort' | 'order'>): readonly Row[] {
  const sign = order === 'desc' ? -1 : 1;
  return rows.toSorted(
    (a, b) =>
      sign * compare(sortValue(a, sort), sortValue(b, sort)) ||
      compare(a.namespace, b.namespace) ||
      compare(a.name, b.name) ||
      compare(a.kind, b.kind),
  );
}

function sortValue(row: Row, key: SortKey): string | number {
  return key === 'replicas' ? (row.managed?.replicas ?? -1) : row[key];
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** One that the configuration describes has any name but those of what is never a workload of ours. */
function kindIn(value: string | null): string {
  return value !== null && /^[A-Za-z][A-Za-z0-9]*$/.test(value) && !isOfKubernetes(value) ? value : '';
}

function oneOf(value: string | null, allowed: readonly string[]): string {
  return value !== null && allowed.includes(value) ? value : '';
}
