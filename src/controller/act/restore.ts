import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore, type Restore } from '../../domain/restore/decide-restore.ts';
import { type Workload, workloadKey } from '../../domain/workload.ts';
import { inParallel } from './pool.ts';
import { type Act, type Acting, type Applied, apply } from './scaling.ts';

/**
 * The decision for each record, with the workload read past the caches where they cannot tell whose zero it is. One that
 * cannot be read stays unclear and holds up nobody else; it is asked for again at its own pace.
 */
export async function restoresOf(
  { ports, signal, backoff }: Acting,
  records: readonly WorkloadRecord[],
): Promise<ReadonlyMap<string, Restore>> {
  const decisions = new Map(
    records.map((record) => [workloadKey(record), decideRestore(record, ports.view.workload(record))]),
  );
  const unclear = records.filter((record) => {
    const key = workloadKey(record);
    return decisions.get(key)?.act === 'look' && backoff.waitMs(`read ${key}`) === 0;
  });
  await inParallel(unclear, ports.config().controller.maxConcurrentOperations, signal, async (record) => {
    const key = workloadKey(record);
    try {
      decisions.set(key, decideRestore(record, known(await ports.writer.read(record))));
      backoff.ended(`read ${key}`);
    } catch (error) {
      backoff.failed(`read ${key}`, { kind: 'failed', message: String(error) });
    }
  });
  return decisions;
}

/** Acts that a decision asks for; a workload that is still unclear is left for the next look. */
export function actsOf(restores: Iterable<Restore>): readonly Act[] {
  return [...restores].filter((restore): restore is Extract<Restore, Act> => {
    return restore.act === 'raise' || restore.act === 'resume' || restore.act === 'disown';
  });
}

/** Brings back what the records say, all at once. */
export async function restoreAll(acting: Acting, records: readonly WorkloadRecord[]): Promise<Applied> {
  const restores = await restoresOf(acting, records);
  return apply(acting, actsOf(restores.values()));
}

/** Records that have served: their workload was seen restored, gone, or its owner's again. */
export function servedRecords(
  records: readonly WorkloadRecord[],
  restores: ReadonlyMap<string, Restore>,
): readonly WorkloadRecord[] {
  return records.filter((record) => restores.get(workloadKey(record))?.act === 'none');
}

/** A fresh read without managed fields cannot tell either: then nobody's field manager is ours. */
function known(workload: Workload | undefined): Workload | undefined {
  if (workload === undefined) return undefined;
  if (workload.kind === 'CronJob') {
    return workload.suspendSetBy === undefined ? { ...workload, suspendSetBy: '' } : workload;
  }
  return workload.replicasSetBy === undefined ? { ...workload, replicasSetBy: '' } : workload;
}
