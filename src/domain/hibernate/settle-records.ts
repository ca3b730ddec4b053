import { isDownByUs } from '../record/mark.ts';
import type { WorkloadRecord } from '../record/record.ts';
import { isDown, type Workload, type WorkloadRef, workloadKey } from '../workload.ts';

export interface EndedHibernation {
  /** By workload key: why it could not be lowered. */
  readonly failed: Readonly<Record<string, string>>;
  /** Keys of what it left up for its owner. */
  readonly respected: readonly string[];
  /** Of these alone; of everything where absent. */
  readonly only?: readonly string[];
  /** As it is seen now; undefined for one that is gone, or of a kind that is not seen here yet. */
  readonly workload: (ref: WorkloadRef) => Workload | undefined;
}

/**
 * The records as a hibernation leaves them. That of what could not be lowered, or was left up before it ever was, says so, so that it is never
 * taken for its owner's doing; and so does that of what is not seen here, for another controller may have recorded it, and nobody lowered it.
 */
export function settledRecords(
  records: readonly WorkloadRecord[],
  { failed, respected, only, workload: workloadOf }: EndedHibernation,
): readonly WorkloadRecord[] {
  const leftUp = new Set(respected);
  return records.map((stored) => {
    const { provisional, ...settled } = stored;
    // Its owner raised it after all.
    if (stored.tonight === 'raised') return settled;
    const key = workloadKey(stored);
    const workload = workloadOf(stored);
    const isUnseen = workload === undefined && (only?.includes(key) ?? true);
    const isLeftUp = leftUp.has(key) && workload !== undefined && !isDown(workload);
    if (failed[key] === undefined && provisional === undefined && !isUnseen && !isLeftUp) return stored;
    return workload !== undefined && isDownByUs(workload) ? settled : { ...settled, provisional: true };
  });
}
