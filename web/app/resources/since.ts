import type { AuditEntry } from '../data/queries.ts';
import { clockTime, isoDate } from '../parts/time-text.ts';
import type { Row } from './filters.ts';
import { beginsWith, keyOf } from './workload-name.ts';

/** The newest wake, and whom it did not bring up. */
export interface LastWake {
  readonly began: number;
  readonly left: ReadonlySet<string>;
}

/** Entries are newest first. */
export function lastWake(entries: readonly AuditEntry[]): LastWake | undefined {
  const entry = entries.find(({ kind, durationMs }) => kind.startsWith('wake') && durationMs !== undefined);
  if (entry === undefined) return undefined;
  const starting = entry.details?.['still_starting'];
  const lines = [...(entry.workloads_failed_detail ?? []), ...(Array.isArray(starting) ? starting.map(String) : [])];
  const left = lines.flatMap((line) => {
    const found = beginsWith(line);
    return found === undefined ? [] : [keyOf(found.workload)];
  });
  return { began: Date.parse(entry.at) - (entry.durationMs ?? 0), left: new Set(left) };
}

/** As its record or the cluster tells; else it has not been up since the wake that did not bring it up began. */
export function notUpSince({ key, state, managed }: Row, wake: LastWake | undefined): number | undefined {
  if (managed?.since !== undefined) return Date.parse(managed.since);
  return state === 'starting' && wake?.left.has(key) ? wake.began : undefined;
}

/** `since 08:03`, with the day where it is not today: `since 2 Nov 20:00`. */
export function sinceText(at: number, zone: string, today: string): string {
  const clock = clockTime(at, zone);
  if (isoDate(at, zone) === today) return `since ${clock}`;
  const [, month = '01', day = ''] = isoDate(at, zone).split('-');
  return `since ${Number(day)} ${months[Number(month) - 1]} ${clock}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
