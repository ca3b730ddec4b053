import { appliesOthers } from '../../domain/kinds/kinds.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore, type Restore } from '../../domain/restore/decide-restore.ts';
import { isScalable, type Workload, workloadKey } from '../../domain/workload.ts';
import type { ClusterSnapshot } from '../pass/snapshot.ts';
import { inParallel } from './pool.ts';
import type { Act, Acting } from './scaling.ts';

/** What deciding about records needs. */
export interface Restoring extends Pick<Acting, 'writer' | 'compiled' | 'signal' | 'backoff' | 'goneUids'> {
  readonly snapshot: ClusterSnapshot;
}

/**
 * The decision for each record, with the workload read past the caches where they cannot tell whose zero it is, or do not
 * show it: a controller that was away for long knows the records of what came meanwhile before its watches do. One that
 * cannot be read stays unclear and holds up nobody else; it is asked for again at its own pace.
 */
export async function restoresOf(
  { snapshot, writer, compiled, signal, backoff, goneUids }: Restoring,
  records: readonly WorkloadRecord[],
): Promise<ReadonlyMap<string, Restore>> {
  const decisions = new Map(
    records.map((record): [string, Restore] => {
      const seen = snapshot.workload(record);
      const unseen = seen === undefined && !goneUids.has(record.uid);
      return [workloadKey(record), unseen ? { act: 'read-first' } : decideRestore(record, seen)];
    }),
  );
  const unclear = records.filter((record) => {
    const key = workloadKey(record);
    return decisions.get(key)?.act === 'read-first' && backoff.waitMs(`read ${key}`) === 0;
  });
  await inParallel(unclear, compiled.config.controller.maxConcurrentOperations, signal, async (record) => {
    const key = workloadKey(record);
    try {
      const fresh = known(await writer.read(record));
      decisions.set(key, decideRestore(record, fresh));
      // Nobody gets a uid again, so that this is asked once.
      if (fresh?.uid !== record.uid) goneUids.add(record.uid);
      backoff.ended(`read ${key}`);
    } catch (error) {
      backoff.failed(`read ${key}`, { kind: 'failed', message: String(error) });
    }
  });
  return decisions;
}

/**
 * Acts that a decision asks for; a workload that is still unclear is left for the next look. What applies other workloads comes
 * after them, and waits for none of them: what cannot be raised must not keep it quiet.
 */
export function actsOf(restores: Iterable<Restore>): readonly Act[] {
  const acts = [...restores].filter((restore): restore is Extract<Restore, Act> => {
    return restore.act === 'raise' || restore.act === 'resume' || restore.act === 'disown';
  });
  const [last, first] = [true, false].map((apart) =>
    acts.filter(({ workload }) => appliesOthers(workload.kind) === apart),
  );
  return [...(first ?? []), ...(last ?? [])];
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
