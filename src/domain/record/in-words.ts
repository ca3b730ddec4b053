import { isScalable, type Workload } from '../workload.ts';
import { isReplicaRecord, type WorkloadRecord } from './record.ts';

/** How it stands. */
export function levelInWords(workload: Workload): string {
  return isScalable(workload) ? replicas(workload.replicas) : switched(workload.suspended);
}

/** How it stood when it was recorded. */
export function recordInWords(record: WorkloadRecord): string {
  return isReplicaRecord(record) ? replicas(record.replicas) : switched(record.suspended);
}

function replicas(count: number): string {
  return `${count} replicas`;
}

function switched(suspended: boolean): string {
  return suspended ? 'suspended' : 'not suspended';
}
