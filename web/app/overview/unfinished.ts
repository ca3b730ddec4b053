import { concerns, endOf, namedIn } from '../data/ends.ts';
import type { AuditEntry, Resource } from '../data/queries.ts';
import { beginsWith, keyOf } from '../resources/workload-name.ts';

/** A workload that did not end where a transition was to bring it, in the words of the newest entry about it. */
export interface Casualty {
  readonly sentence: string;
  readonly entry: AuditEntry;
}

/** How the last transition ended, when it did not end well and nobody has seen to it. */
export interface Unfinished {
  readonly entry: AuditEntry;
  /** What is said of each workload that is still not up. */
  readonly failed: readonly string[];
  /** What ends it for them. */
  readonly until: 'up' | 'asleep' | 'seen to';
}

/**
 * What the last transition of the whole cluster left, and what wakes of single workloads made of it since: a try of one
 * of them says nothing of the others. Entries are newest first.
 */
export function casualtiesOf(entries: readonly AuditEntry[]): readonly Casualty[] {
  const whole = entries.findIndex((entry) => endOf(entry) === 'whole');
  const ends = entries.slice(0, whole === -1 ? undefined : whole + 1).filter((entry) => endOf(entry) !== undefined);
  return ends
    .toReversed()
    .reduce<readonly Casualty[]>(
      (open, entry) => [
        ...open.filter(({ sentence }) => !isToldAnew(sentence, entry)),
        ...(entry.workloads_failed_detail ?? []).map((sentence) => ({ sentence, entry })),
      ],
      [],
    );
}

/** A try that went on without it says nothing of how it ended. */
function isToldAnew(sentence: string, entry: AuditEntry): boolean {
  const found = beginsWith(sentence);
  if (found === undefined || !concerns(entry, found.workload)) return false;
  return !namedIn(entry.details?.['still_starting'], beginsWith).has(keyOf(found.workload));
}

/** A casualty of a wake is seen to when it is up, one of a hibernation when it is down. */
export function unfinishedOf(casualties: readonly Casualty[], resources: readonly Resource[]): Unfinished | undefined {
  const states = new Map(resources.map((resource) => [keyOf(resource), resource.state]));
  const open = casualties.filter(({ sentence, entry }) => {
    const found = beginsWith(sentence);
    // Whom it is about cannot be told, so it stays.
    if (found === undefined) return true;
    const state = states.get(keyOf(found.workload));
    // Gone, or no longer scaled by the service.
    if (state === undefined) return false;
    return isWake(entry) ? state !== 'up' : state === 'up' || state === 'starting';
  });
  return open.length === 0 ? undefined : unfinished(open);
}

/** What was left, while nobody can tell whom somebody has seen to. */
export function leftUnchecked(casualties: readonly Casualty[]): Unfinished | undefined {
  return casualties.length === 0 ? undefined : unfinished(casualties);
}

function unfinished(open: readonly Casualty[]): Unfinished {
  const wakes = open.filter(({ entry }) => isWake(entry)).length;
  return {
    entry: open[0]!.entry,
    failed: open.map(({ sentence }) => sentence),
    until: wakes === open.length ? 'up' : wakes === 0 ? 'asleep' : 'seen to',
  };
}

function isWake({ kind }: AuditEntry): boolean {
  return kind.startsWith('wake');
}
