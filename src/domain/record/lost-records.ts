import { type EpochMs, isDown, isScalable, type Workload, workloadKey } from '../workload.ts';
import { isDownByUs, type Mark, markOf, stoodBefore } from './mark.ts';
import { replicaRecord, suspendRecord, type WorkloadRecord } from './record.ts';

/**
 * Records for what carries our mark and has no record: the state was lost or cleared, by hand or with its ConfigMap. Only
 * marks that were written to this very object count, so a copy of a hibernated workload is never raised by them. What
 * its owner has raised since is recorded as it stands: the mark must not outlive that, or its owner's next zero would
 * pass for ours.
 */
export function lostRecords(
  workloads: readonly Workload[],
  records: ReadonlyMap<string, WorkloadRecord>,
  now: EpochMs,
): readonly WorkloadRecord[] {
  return workloads.flatMap((workload) => {
    const mark = workload.deleting ? undefined : markOf(workload);
    if (mark === undefined || !mark.genuine) return [];
    const isKnown = records.get(workloadKey(workload))?.uid === workload.uid;
    return isKnown ? [] : (recordFrom(mark, workload, now) ?? []);
  });
}

function recordFrom(mark: Mark, workload: Workload, now: EpochMs): WorkloadRecord | undefined {
  if (!isScalable(workload)) {
    const stood = isDown(workload) ? stoodBefore(mark) : workload;
    return stood === undefined ? undefined : suspendRecord(workload, stood, now);
  }
  const count = isDownByUs(workload) ? mark.count : workload.replicas;
  return count === undefined ? undefined : replicaRecord(workload, count, now);
}
