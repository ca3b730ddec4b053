import { replicaRecord, suspendRecord } from '../hibernate/decide-tier.ts';
import { type EpochMs, isScalable, type Workload, workloadKey } from '../workload.ts';
import { isDownByUs, markOf } from './mark.ts';
import type { WorkloadRecord } from './record.ts';

/**
 * Records for what we took down and have no record of: the state was lost or cleared, by hand or with its ConfigMap.
 * Only marks that were written to this very object count, so a copy of a hibernated workload is never raised by them.
 */
export function lostRecords(
  workloads: readonly Workload[],
  records: ReadonlyMap<string, WorkloadRecord>,
  now: EpochMs,
): readonly WorkloadRecord[] {
  return workloads.flatMap((workload) => {
    const known = records.get(workloadKey(workload))?.uid === workload.uid;
    const mark = markOf(workload);
    if (known || workload.deleting || mark === undefined || !mark.genuine || !isDownByUs(workload)) return [];
    if (!isScalable(workload)) return [suspendRecord(workload, false, now)];
    return mark.count === undefined ? [] : [replicaRecord(workload, mark.count, now)];
  });
}
