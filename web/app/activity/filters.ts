import { auditTitles } from '../../../src/domain/audit/titles.ts';

/** What the log shows, kept in the address: a link to it shows the same to the next person. */
export interface ActivityFilters {
  readonly kind: string;
  readonly result: string;
  readonly actor: string;
  readonly q: string;
  readonly from: string;
  readonly to: string;
}

export const kindChoices = Object.entries(auditTitles).map(([kind, title]) => [kind, title] as const);
export const results = ['success', 'incomplete', 'failed'] as const;

const names = ['kind', 'result', 'actor', 'q', 'from', 'to'] as const;

export function readActivityFilters(search: string): ActivityFilters {
  const query = new URLSearchParams(search);
  const text = (name: (typeof names)[number]) => query.get(name) ?? '';
  const date = (name: 'from' | 'to') => (/^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? text(name) : '');
  return {
    kind: text('kind') in auditTitles ? text('kind') : '',
    result: (results as readonly string[]).includes(text('result')) ? text('result') : '',
    actor: text('actor').slice(0, 320),
    q: text('q').slice(0, 200),
    from: date('from'),
    to: date('to'),
  };
}

export function writeActivityFilters(filters: ActivityFilters): string {
  const query = new URLSearchParams();
  for (const name of names) if (filters[name] !== '') query.set(name, filters[name]);
  return query.toString();
}

/** The query of the API: whole days become instants, by the clock of the zone. */
export function auditQuery(
  filters: ActivityFilters,
  instantOf: (local: string) => number | undefined,
): Readonly<Record<string, string>> {
  const query: Record<string, string> = {};
  for (const name of ['kind', 'result', 'actor', 'q'] as const) if (filters[name] !== '') query[name] = filters[name];
  const from = filters.from === '' ? undefined : instantOf(`${filters.from}T00:00`);
  const to = filters.to === '' ? undefined : instantOf(`${filters.to}T23:59`);
  if (from !== undefined) query['from'] = new Date(from).toISOString();
  if (to !== undefined) query['to'] = new Date(to + 59_999).toISOString();
  return query;
}
