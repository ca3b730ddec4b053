import type { EpochMs } from '../workload.ts';
import type { AuditEntry } from './entry.ts';

export interface AuditQuery {
  /** Inclusive. */
  readonly from?: EpochMs;
  /** Exclusive. */
  readonly to?: EpochMs;
  /** Any of these. */
  readonly kinds?: readonly string[];
  readonly result?: string;
  /** Part of the actor, in any case. */
  readonly actor?: string;
  /** Part of any text that an entry holds, in any case. */
  readonly text?: string;
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** How many there are on all pages. */
  readonly total: number;
  readonly next?: string;
}

/** Pages by the place of an entry and not by a number, so that entries which arrive meanwhile shift nothing. */
export function filterAudit(entries: readonly AuditEntry[], query: AuditQuery): AuditPage {
  const newestFirst = entries.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const matching = newestFirst.filter((entry) => matches(entry, query));
  const left = matching.filter((entry) => isAfter(entry, query.after));
  const page = left.slice(0, Math.max(1, query.limit));
  const last = page.at(-1);
  return {
    entries: page,
    total: matching.length,
    ...(last !== undefined && left.length > page.length ? { next: placeOf(last) } : {}),
  };
}

function matches(entry: AuditEntry, query: AuditQuery): boolean {
  if (query.from !== undefined && entry.at < query.from) return false;
  if (query.to !== undefined && entry.at >= query.to) return false;
  if (query.kinds !== undefined && !query.kinds.includes(entry.kind)) return false;
  if (query.result !== undefined && entry.result !== query.result) return false;
  if (query.actor !== undefined && !includes(entry.actor, query.actor)) return false;
  return query.text === undefined || includes(textOf(entry), query.text);
}

function textOf(entry: AuditEntry): string {
  const { title, actor, trigger, reason, workloads_failed_detail, workloads_recovered_detail, details } = entry;
  const lists = [workloads_failed_detail, workloads_recovered_detail, Object.values(details ?? {})].flat(2);
  return [title, actor, trigger, reason, ...lists].join('\n');
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function placeOf(entry: AuditEntry): string {
  return `${entry.at}-${entry.id}`;
}

function isAfter(entry: AuditEntry, place: string | undefined): boolean {
  if (place === undefined) return true;
  const dash = place.indexOf('-', 1);
  const at = Number(place.slice(0, dash));
  return entry.at < at || (entry.at === at && entry.id < place.slice(dash + 1));
}
