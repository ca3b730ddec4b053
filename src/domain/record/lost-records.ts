import { type EpochMs, isDown, isScalable, type Workload, workloadKey } from '../workload.ts';
import { isDownByUs, markOf, stoodBefore } from './mark.ts';
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
    const known = records.get(workloadKey(workload))?.uid === workload.uid;
    const mark = markOf(workload);
    if (known || workload.deleting || mark === undefined || !mark.genuine) return [];
    if (!isScalable(workload)) {
      const stood = isDown(workload) ? stoodBefore(mark) : workload;
      return stood === undefined ? [] : [suspendRecord(workload, stood, now)];
    }
    const count = isDownByUs(workload) ? mark.count : workload.replicas;
    return count === undefined ? [] : [replicaRecord(workload, count, now)];
  });
}
