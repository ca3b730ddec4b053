import { markOf } from '../record/mark.ts';
import { standsAs, type WorkloadRecord } from '../record/record.ts';
import { isDown, type Workload, workloadKey } from '../workload.ts';
import type { SkipReason } from './targeting.ts';

interface Classified {
  readonly workload: Workload;
  readonly skipped?: SkipReason;
}

/** What the state says of a workload that sleeps. */
export type Recorded = Pick<WorkloadRecord, 'uid' | 'provisional'>;

/** Whether it went to sleep: the record is of this very object, and it was lowered. */
export function wentToSleep(record: Recorded | undefined, { uid }: Workload): boolean {
  return record?.uid === uid && record.provisional !== true;
}

/**
 * These, with what applies others and went to sleep ours until the wake, though nothing of what it applies is there at the moment: whose
 * doing it is that it is up again is to be known when it has created that anew.
 */
export function withHeldAppliers<C extends Classified>(
  classified: readonly C[],
  records: readonly WorkloadRecord[],
): readonly (C | Classified)[] {
  const idle = new Map(
    classified
      .filter(({ skipped }) => skipped?.code === 'applies_nothing')
      .map(({ workload }) => [workloadKey(workload), workload]),
  );
  if (idle.size === 0) return classified;
  const held = new Set<Workload>();
  for (const record of records) {
    const workload = idle.get(workloadKey(record));
    if (workload !== undefined && wentToSleep(record, workload) && wasQuiet(workload, record)) held.add(workload);
  }
  return held.size === 0
    ? classified
    : classified.map((one) => (held.has(one.workload) ? { workload: one.workload } : one));
}

/** A record comes before the act: as long as it stands as recorded, unmarked, that says nothing yet. */
function wasQuiet(workload: Workload, record: WorkloadRecord): boolean {
  if (isDown(workload) || record.tonight === 'raised') return true;
  return markOf(workload)?.genuine === true || !standsAs(record, workload);
}
