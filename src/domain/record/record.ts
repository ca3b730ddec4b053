import type { ScalableKind } from '../kinds/kinds.ts';
import {
  type EpochMs,
  isScalable,
  type Scalable,
  type Switched,
  type Workload,
  type WorkloadRef,
} from '../workload.ts';

export const tonights = ['raised', 'lowered again'] as const;

interface Recorded {
  readonly uid: string;
  readonly at: EpochMs;
  /**
   * The hibernation ended but the cluster refused to scale this workload down, or whoever ended it did not see it. If it is up,
   * then because we failed, not because its owner raised it, and scaling it down is tried again.
   */
  readonly provisional?: true;
  /** What the night has brought so far: its owner raised it, which was told; or it was raised in passing, and lowered again. */
  readonly tonight?: (typeof tonights)[number];
}

/** As it is when a night begins. */
export function withoutTonight(record: WorkloadRecord): WorkloadRecord {
  const { tonight: _, ...rest } = record;
  return rest;
}

/** The replica count a workload had before the service lowered it. */
export interface ReplicaRecord extends WorkloadRef, Recorded {
  readonly kind: ScalableKind;
  readonly replicas: number;
}

/** Whether it was suspended before the service touched it; `true` is its owner's and stays. */
export interface SuspendRecord extends WorkloadRef, Recorded {
  readonly suspended: boolean;
  /** What stood at the place that its kind sleeps by, as JSON; absent when nothing did, and with `suspended`. */
  readonly before?: string;
}

export type WorkloadRecord = ReplicaRecord | SuspendRecord;

export function isReplicaRecord(record: WorkloadRecord): record is ReplicaRecord {
  return 'replicas' in record;
}

/** Recorded at 0, or as suspended: it was its owner's doing, and nothing of ours is on it. */
export function wasDown(record: WorkloadRecord): boolean {
  return isReplicaRecord(record) ? record.replicas === 0 : record.suspended;
}

/** What is recorded of a workload as it stands. */
export function recordOf(workload: Workload, at: EpochMs): WorkloadRecord {
  return isScalable(workload) ? replicaRecord(workload, workload.replicas, at) : suspendRecord(workload, workload, at);
}

/** Whether the workload stands as the record has it. */
export function standsAs(record: WorkloadRecord, workload: Workload): boolean {
  if (isScalable(workload)) return isReplicaRecord(record) && record.replicas === workload.replicas;
  return (
    !isReplicaRecord(record) && record.suspended === workload.suspended && record.before === recorded(workload.value)
  );
}

export function replicaRecord(workload: Scalable, replicas: number, at: EpochMs): WorkloadRecord {
  const { kind, namespace, name, uid } = workload;
  return { kind, namespace, name, uid, replicas, at };
}

/** `stood`: how it stands, or how its mark says that it stood. */
export function suspendRecord(
  { kind, namespace, name, uid }: Switched,
  { suspended, value }: Pick<Switched, 'suspended' | 'value'>,
  at: EpochMs,
): WorkloadRecord {
  const before = recorded(value);
  return { kind, namespace, name, uid, suspended, ...(before === undefined ? {} : { before }), at };
}

/** An empty object that is there for the place is a matter of the mark alone: in a record there is something or nothing. */
export function recorded(value: string | undefined): string | undefined {
  return value === 'null' ? undefined : value;
}

/** No real workload runs more; a larger figure is a slip of the hand or worse, and raising to it would flood the cluster. */
const mostPlausibleReplicas = 10_000;

export function isPlausibleCount(replicas: number): boolean {
  return Number.isInteger(replicas) && replicas >= 0 && replicas <= mostPlausibleReplicas;
}

/** False for a record that decodes but must not be acted on. */
export function isPlausible(record: WorkloadRecord): boolean {
  return isReplicaRecord(record) ? isPlausibleCount(record.replicas) : isPlausibleValue(record.before);
}

/** False for what stands above what a wake would raise to: it is not taken down. */
export function canBeGivenBack(workload: Workload): boolean {
  return isPlausible(recordOf(workload, 0));
}

/** As long as a value may be that is recorded, in the state and in an annotation. */
const longestValue = 1_024;

/** What is longer could not be kept, so it is not taken. */
export function isPlausibleValue(value: string | undefined): boolean {
  return value === undefined || value.length <= longestValue;
}

/** By namespace, kind and name, in code unit order: the order of the stored form, so that equal states are equal texts. */
export function compareRecords(a: WorkloadRef, b: WorkloadRef): number {
  return compare(a.namespace, b.namespace) || compare(a.kind, b.kind) || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
