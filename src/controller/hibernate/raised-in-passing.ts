import { isRaisedInPassing } from '../../domain/drift/decide-drift.ts';
import { isDownByUs } from '../../domain/record/mark.ts';
import { quietedManagers } from '../../domain/targeting/appliers.ts';
import { type Workload, workloadKey } from '../../domain/workload.ts';
import { inParallel } from '../act/pool.ts';
import type { Acting } from '../act/scaling.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';

/**
 * By key, as they stand in the cluster: of what is up after we had lowered it, what a reconciliation raised that was under way when its
 * author was quieted. The caches do not know who raised it, and may not show yet that we have lowered it again: such a one is
 * among these too. One that cannot be read is its owner's.
 */
export async function raisedInPassing(
  { snapshot, reads, signal }: Pick<Acting, 'reads' | 'signal'> & { readonly snapshot: ScopedSnapshot },
  raised: readonly Workload[],
): Promise<ReadonlyMap<string, Workload>> {
  const quieted = quietedManagers(snapshot.workloads.map(({ workload }) => workload));
  const found = new Map<string, Workload>();
  await inParallel(raised, 10, signal, async (workload) => {
    const key = workloadKey(workload);
    const managers = quieted.get(key);
    const answer = managers === undefined ? undefined : await reads.read(workload);
    const fresh = answer?.read === true ? answer.workload : undefined;
    if (fresh?.uid !== workload.uid) return;
    if (isDownByUs(fresh) || isRaisedInPassing(fresh, managers)) found.set(key, fresh);
  });
  return found;
}
