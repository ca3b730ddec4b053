import { fieldManager } from '../names.ts';
import { ownMark, setBy } from '../record/mark.ts';
import {
  isPlausibleCount,
  isReplicaRecord,
  type ReplicaRecord,
  type SuspendRecord,
  type WorkloadRecord,
} from '../record/record.ts';
import type { Scalable, Switched, Workload } from '../workload.ts';
import { isScalable } from '../workload.ts';

export type Restore =
  | { readonly act: 'raise'; readonly workload: Scalable; readonly count: number; readonly disagreement?: Disagreement }
  /** `before`: what stood at the place, as JSON; absent when nothing did. */
  | { readonly act: 'resume'; readonly workload: Switched; readonly before?: string }
  /** Its owner raised or resumed it: only our mark is to go. */
  | { readonly act: 'disown'; readonly workload: Workload }
  /** The cache cannot tell whose zero it is, or does not show it: a fresh read can. */
  | { readonly act: 'read-first' }
  /** Down by us, and no count that could be raised to: the record stays, and a person has to look. */
  | { readonly act: 'refuse'; readonly workload: Scalable; readonly count: number }
  /** Nothing to do; the record has served. */
  | { readonly act: 'none'; readonly reason: NoRestoreReason };

interface Disagreement {
  readonly recorded: number;
  readonly annotated: number;
}

type NoRestoreReason =
  | 'gone'
  | 'being-deleted'
  | 'recreated'
  | 'up'
  | 'recorded-at-zero'
  | 'zeroed-by-its-owner'
  | 'suspended-by-its-owner';

/**
 * What brings one recorded workload back. Raises only what we lowered: the same object (uid), still at our zero, and
 * marked by us or, where the mark was removed, with our field manager as the owner of `spec.replicas` (`spec.suspend`). The mark is
 * atomic with the lowering, so where record and mark disagree the mark wins and the disagreement is reported.
 */
export function decideRestore(record: WorkloadRecord, workload: Workload | undefined): Restore {
  if (workload === undefined) return none('gone');
  if (workload.uid !== record.uid) return none('recreated');
  if (workload.deleting) return none('being-deleted');
  if (isReplicaRecord(record)) return isScalable(workload) ? restoreReplicas(record, workload) : none('recreated');
  return isScalable(workload) ? none('recreated') : restoreSwitched(record, workload);
}

function restoreReplicas(record: ReplicaRecord, workload: Scalable): Restore {
  const mark = ownMark(workload, true);
  if (workload.replicas > 0) return mark === undefined ? none('up') : { act: 'disown', workload };
  if (mark === undefined) return restoreUnmarked(record, workload);
  const count = mark.count ?? record.replicas;
  if (!isPlausibleCount(count)) return { act: 'refuse', workload, count };
  if (count === 0) return { act: 'disown', workload };
  if (mark.count === undefined || mark.count === record.replicas) return { act: 'raise', workload, count };
  return { act: 'raise', workload, count, disagreement: { recorded: record.replicas, annotated: mark.count } };
}

/** At zero without our mark: its owner's zero, unless the managed fields say that the zero is ours. */
function restoreUnmarked(record: ReplicaRecord, workload: Scalable): Restore {
  if (record.replicas === 0) return none('recorded-at-zero');
  const owner = setBy(workload);
  if (owner === undefined) return { act: 'read-first' };
  if (owner !== fieldManager) return none('zeroed-by-its-owner');
  const count = record.replicas;
  return isPlausibleCount(count) ? { act: 'raise', workload, count } : { act: 'refuse', workload, count };
}

function restoreSwitched(record: SuspendRecord, workload: Switched): Restore {
  const mark = ownMark(workload, true);
  const marked = mark !== undefined;
  if (!workload.suspended) return marked ? { act: 'disown', workload } : none('up');
  if (record.suspended) return marked ? { act: 'disown', workload } : none('suspended-by-its-owner');
  if (marked) return resume(workload, mark.before === undefined ? record.before : (mark.before ?? undefined));
  const owner = setBy(workload);
  if (owner === undefined) return { act: 'read-first' };
  return owner === fieldManager ? resume(workload, record.before) : none('suspended-by-its-owner');
}

function resume(workload: Switched, before: string | undefined): Restore {
  return { act: 'resume', workload, ...(before === undefined ? {} : { before }) };
}

/** Why a record is not acted on, for whoever has to mend it. */
export function implausible(count: number): string {
  return `its record has ${count} replicas, which no workload has`;
}

function none(reason: NoRestoreReason): Restore {
  return { act: 'none', reason };
}
