import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore, type Restore } from '../../domain/restore/decide-restore.ts';
import { isScalable, type Workload, workloadKey } from '../../domain/workload.ts';
import type { ClusterSnapshot } from '../snapshot/snapshot.ts';
import { inParallel } from './pool.ts';
import type { Act, Acting } from './scaling.ts';

/** What deciding about records needs. */
export interface Restoring extends Pick<Acting, 'compiled' | 'signal' | 'reads' | 'goneUids'> {
  readonly snapshot: ClusterSnapshot;
}

/**
 * The decision for each record, with the workload read past the caches where they cannot tell whose zero it is, or do not
 * show it: a controller that was away for long knows the records of what came meanwhile before its watches do. One that
 * cannot be read stays unclear.
 */
export async function restoresOf(
  { snapshot, reads, compiled, signal, goneUids }: Restoring,
  records: readonly WorkloadRecord[],
): Promise<ReadonlyMap<string, Restore>> {
  const decisions = new Map(
    records.map((record): [string, Restore] => {
      const seen = snapshot.workload(record);
      const unseen = seen === undefined && !goneUids.has(record.uid);
      return [workloadKey(record), unseen ? { act: 'read-first' } : decideRestore(record, seen)];
    }),
  );
  const unclear = records.filter((record) => decisions.get(workloadKey(record))?.act === 'read-first');
  await inParallel(unclear, compiled.config.controller.maxConcurrentOperations, signal, async (record) => {
    const answer = await reads.read(record);
    if (!answer.read) return;
    const fresh = known(answer.workload);
    decisions.set(workloadKey(record), decideRestore(record, fresh));
    // Nobody gets a uid again, so that this is asked once.
    if (fresh?.uid !== record.uid) goneUids.add(record.uid);
  });
  return decisions;
}

/** Acts that a decision asks for; a workload that is still unclear is left for the next look. */
export function actsOf(restores: Iterable<Restore>): readonly Act[] {
  return [...restores].filter((restore): restore is Extract<Restore, Act> => {
    return restore.act === 'raise' || restore.act === 'resume' || restore.act === 'disown';
  });
}

/** Records that have served: the snapshot shows their workload restored, gone, or its owner's again. */
export function servedRecords(
  records: readonly WorkloadRecord[],
  restores: ReadonlyMap<string, Restore>,
): readonly WorkloadRecord[] {
  return records.filter((record) => restores.get(workloadKey(record))?.act === 'none');
}

/** A fresh read without managed fields cannot tell who set the value either; it is then treated as not set by us. */
function known(workload: Workload | undefined): Workload | undefined {
  if (workload === undefined) return undefined;
  if (isScalable(workload)) return workload.replicasSetBy === undefined ? { ...workload, replicasSetBy: '' } : workload;
  return workload.suspendSetBy === undefined ? { ...workload, suspendSetBy: '' } : workload;
}
