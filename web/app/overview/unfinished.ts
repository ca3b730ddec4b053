import type { AuditEntry, Resource } from '../data/queries.ts';
import { beginsWith, keyOf } from '../resources/workload-name.ts';

/** How the last transition ended, when it did not end well and nobody has seen to it. */
export interface Unfinished {
  readonly entry: AuditEntry;
  /** What it said of each workload that is still not up. */
  readonly failed: readonly string[];
}

const ends: ReadonlySet<string> = new Set(['wake', 'wake-failed', 'hibernation', 'hibernation-failed']);

/** The newest end of a wake or a hibernation, if it named casualties. Entries are newest first. */
export function lastCasualties(entries: readonly AuditEntry[]): AuditEntry | undefined {
  const last = entries.find(({ kind }) => ends.has(kind));
  return last !== undefined && (last.workloads_failed_detail ?? []).length > 0 ? last : undefined;
}

/** A casualty of a wake is seen to when it is up, one of a hibernation when it is down. */
export function unfinishedOf(entry: AuditEntry, resources: readonly Resource[]): Unfinished | undefined {
  const states = new Map(resources.map((resource) => [keyOf(resource), resource.state]));
  const wake = entry.kind.startsWith('wake');
  const failed = (entry.workloads_failed_detail ?? []).filter((sentence) => {
    const found = beginsWith(sentence);
    // Whom it is about cannot be told, so it stays.
    if (found === undefined) return true;
    const state = states.get(keyOf(found.workload));
    // Gone, or no longer scaled by the service.
    if (state === undefined) return false;
    return wake ? state !== 'up' : state === 'up' || state === 'starting';
  });
  return failed.length === 0 ? undefined : { entry, failed };
}
