import { annotations } from '../names.ts';
import { type EpochMs, isDown, isScalable, type Workload, type WorkloadRef, workloadKey } from '../workload.ts';
import { isDownByUs, type Mark, markOf, stoodBefore } from './mark.ts';
import {
  compareRecords,
  isPlausible,
  isReplicaRecord,
  recorded,
  replicaRecord,
  type SuspendRecord,
  suspendRecord,
  type WorkloadRecord,
  wasDown,
} from './record.ts';

export interface Rebuilt {
  readonly records: readonly WorkloadRecord[];
  /** One sentence for each workload that is down with a mark that does not tell what to restore. */
  readonly unreadable: readonly string[];
}

/** The records as the workloads themselves tell them, for a `resource_states` that was lost or cleared. */
export function rebuildFromAnnotations(workloads: readonly Workload[], now: EpochMs): Rebuilt {
  const records: WorkloadRecord[] = [];
  const unreadable: string[] = [];
  for (const workload of workloads) {
    if (workload.deleting || !isDownByUs(workload)) continue;
    const rebuilt = rebuild(workload, now);
    if (typeof rebuilt === 'string') unreadable.push(`${workloadKey(workload)} ${rebuilt}`);
    else records.push(rebuilt);
  }
  return { records: records.toSorted(compareRecords), unreadable };
}

function rebuild(workload: Workload, at: EpochMs): WorkloadRecord | string {
  const mark = markOf(workload);
  if (mark?.genuine !== true) return 'carries the mark of another object: it is a copy, and not ours to raise.';
  if (!isScalable(workload)) {
    const stood = stoodBefore(mark);
    return stood === undefined
      ? `has the annotation ${valueText(workload)}, which is no value.`
      : suspendRecord(workload, stood, at);
  }
  if (mark.count === undefined) return `has the annotation ${annotationText(workload)}, which is no count.`;
  return replicaRecord(workload, mark.count, at);
}

type DifferenceKind =
  | 'annotation-differs'
  | 'annotation-missing'
  | 'annotation-unreadable'
  | 'implausible'
  | 'no-record'
  | 'no-workload'
  | 'not-lowered'
  | 'recreated';

export interface RecordDifference {
  readonly kind: DifferenceKind;
  readonly workload: string;
  readonly message: string;
}

/** Where the two records, and the cluster, do not say the same. Empty on a cluster that is wholly asleep or awake. */
export function verifyRecords(
  records: readonly WorkloadRecord[],
  workloads: readonly Workload[],
): readonly RecordDifference[] {
  const byKey = new Map(workloads.map((workload) => [workloadKey(workload), workload]));
  const recorded = new Set(records.map(workloadKey));
  const unrecorded = workloads.filter(
    (workload) => !workload.deleting && isDownByUs(workload) && !recorded.has(workloadKey(workload)),
  );
  return [
    ...records.flatMap((record) => differenceOf(record, byKey.get(workloadKey(record))) ?? []),
    ...unrecorded.map((workload) => difference('no-record', workload, 'carries our mark and has no record.')),
  ];
}

function differenceOf(record: WorkloadRecord, workload: Workload | undefined): RecordDifference | undefined {
  if (!isPlausible(record)) return difference('implausible', record, 'has a record that is not plausible.');
  if (workload === undefined) return difference('no-workload', record, 'has a record and does not exist.');
  if (workload.uid !== record.uid) {
    return difference('recreated', record, `has uid ${workload.uid}, and its record says ${record.uid}.`);
  }
  if (wasDown(record)) return undefined;
  if (!isDown(workload)) {
    const why = record.provisional
      ? 'is up: the cluster did not let it be taken down yet; `svc why` says more.'
      : 'has a record and is up.';
    return difference('not-lowered', record, why);
  }
  return markDifference(record, workload);
}

function markDifference(record: WorkloadRecord, workload: Workload): RecordDifference | undefined {
  const mark = markOf(workload);
  if (mark === undefined) return difference('annotation-missing', record, 'is down and recorded, and carries no mark.');
  if (!isReplicaRecord(record)) return valueDifference(record, workload, mark);
  if (mark.count === record.replicas) return undefined;
  if (mark.count === undefined) {
    const text = `has the annotation ${annotationText(workload)}, which is no count; its record is used.`;
    return difference('annotation-unreadable', record, text);
  }
  const text = `has an annotation of ${mark.count} and a record of ${record.replicas}; the annotation is used.`;
  return difference('annotation-differs', record, text);
}

function valueDifference(record: SuspendRecord, workload: Workload, { before }: Mark): RecordDifference | undefined {
  if (before === undefined) {
    const text = `has the annotation ${valueText(workload)}, which is no value; its record is used.`;
    return difference('annotation-unreadable', record, text);
  }
  if (recorded(before ?? undefined) === record.before) return undefined;
  const text = `has an annotation of ${before ?? 'nothing'} and a record of ${record.before ?? 'nothing'}; the annotation is used.`;
  return difference('annotation-differs', record, text);
}

function valueText(workload: Workload): string {
  return JSON.stringify(workload.annotations[annotations.valueBefore]);
}

function annotationText(workload: Workload): string {
  return JSON.stringify(workload.annotations[annotations.hibernatedReplicas]);
}

function difference(kind: DifferenceKind, of: WorkloadRef, text: string): RecordDifference {
  const workload = workloadKey(of);
  return { kind, workload, message: `${workload} ${text}` };
}
