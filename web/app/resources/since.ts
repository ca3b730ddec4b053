import { endOf } from '../data/ends.ts';
import type { AuditEntry } from '../data/queries.ts';
import { clockTime, isoDate } from '../parts/time-text.ts';
import type { Row } from './filters.ts';
import { beginsWith, keyOf } from './workload-name.ts';

/** The newest wake of the whole cluster, and whom it did not bring up. */
export interface LastWake {
  readonly began: number;
  readonly ended: number;
  readonly left: ReadonlySet<string>;
}

/** Entries are newest first. */
export function lastWake(entries: readonly AuditEntry[]): LastWake | undefined {
  const entry = entries.find(
    (one) => endOf(one) === 'whole' && one.kind.startsWith('wake') && one.durationMs !== undefined,
  );
  if (entry === undefined) return undefined;
  const starting = entry.details?.['still_starting'];
  const lines = [...(entry.workloads_failed_detail ?? []), ...(Array.isArray(starting) ? starting.map(String) : [])];
  const left = lines.flatMap((line) => {
    const found = beginsWith(line);
    return found === undefined ? [] : [keyOf(found.workload)];
  });
  const ended = Date.parse(entry.at);
  return { began: ended - (entry.durationMs ?? 0), ended, left: new Set(left) };
}

/** Since when a workload is not up, in a few letters, and what they mean. */
export interface Since {
  readonly text: string;
  readonly means?: string;
}

/** Each that is not up has an answer, if only that nobody wrote the time down. */
export function sinceOf(
  row: Row,
  wake: LastWake | undefined,
  { zone, today }: { readonly zone: string; readonly today: string },
): Since | undefined {
  if (row.state === 'up' || row.state === 'excluded') return undefined;
  const at = notUpSince(row, wake);
  if (at !== undefined) return { text: sinceText(at, zone, today) };
  if (row.state === 'down') {
    return {
      text: 'by its owner, time not recorded',
      means: 'Its owner keeps it down: the service did not take it down, so it has no record of since when.',
    };
  }
  if (wake === undefined) return { text: 'time not recorded', means: 'The log has no wake that it could have missed.' };
  return {
    text: sinceText(wake.ended, zone, today).replace('since', 'after'),
    means: 'The last wake of the cluster did not name it; it fell over, or was made, after that.',
  };
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
