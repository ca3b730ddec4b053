import type { EpochMs, ScalableKind, WorkloadRef } from '../workload.ts';

interface Recorded {
  readonly uid: string;
  readonly at: EpochMs;
  /**
   * The hibernation ended but the cluster refused to scale this workload down. It is up because we failed, not because its
   * owner raised it, and scaling it down is tried again.
   */
  readonly provisional?: true;
}

/** The replica count a Deployment or StatefulSet had before the service lowered it. */
export interface ReplicaRecord extends WorkloadRef, Recorded {
  readonly kind: ScalableKind;
  readonly replicas: number;
}

/** Whether a CronJob was suspended before the service touched it; `true` is its owner's and stays. */
export interface SuspendRecord extends WorkloadRef, Recorded {
  readonly kind: 'CronJob';
  readonly suspended: boolean;
}

export type WorkloadRecord = ReplicaRecord | SuspendRecord;

export function isReplicaRecord(record: WorkloadRecord): record is ReplicaRecord {
  return record.kind !== 'CronJob';
}

/** No real workload runs more; a larger figure is a slip of the hand or worse, and raising to it would flood the cluster. */
const mostPlausibleReplicas = 10_000;

export function isPlausibleCount(replicas: number): boolean {
  return Number.isInteger(replicas) && replicas >= 0 && replicas <= mostPlausibleReplicas;
}

/** False for a record that decodes but must not be acted on. */
export function isPlausible(record: WorkloadRecord): boolean {
  return !isReplicaRecord(record) || isPlausibleCount(record.replicas);
}

/** By namespace, kind and name, in code unit order: the order of the stored form, so that equal states are equal texts. */
export function compareRecords(a: WorkloadRef, b: WorkloadRef): number {
  return compare(a.namespace, b.namespace) || compare(a.kind, b.kind) || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
