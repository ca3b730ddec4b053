import { isDownByUs } from '../../domain/record/mark.ts';
import { isRaisedInPassing, quietedManagers, wasBroughtBack } from '../../domain/targeting/appliers.ts';
import { type Workload, workloadKey } from '../../domain/workload.ts';
import { inParallel } from '../act/pool.ts';
import type { Acting } from '../act/scaling.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';

interface Reading extends Pick<Acting, 'signal'> {
  readonly reads: Pick<Acting['reads'], 'read'>;
}

/**
 * By key, as they stand in the cluster: of what is up after we had lowered it, what a reconciliation raised that was under way when its
 * author was quieted, and what was brought back that applies others. The caches do not know who raised it, and may not show yet that
 * we have lowered it again: such a one is among these too. One that cannot be read is its owner's.
 */
export async function raisedInPassing(
  context: Reading & { readonly snapshot: ScopedSnapshot },
  raised: readonly Workload[],
): Promise<ReadonlyMap<string, Workload>> {
  const seen = context.snapshot.workloads.map(({ workload }) => workload);
  // Who brought back what applies others says who may have raised the others.
  const appliers = await freshly(context, seen.filter(wasBroughtBack));
  const quieted = quietedManagers(seen.map((workload) => appliers.get(workloadKey(workload)) ?? workload));
  const isOther = (key: string) => !appliers.has(key) && quieted.has(key);
  const others = raised.filter((workload) => isOther(workloadKey(workload)));
  const fresh = new Map([...appliers, ...(await freshly(context, others))]);
  return new Map(
    [...fresh].filter(([key, workload]) => isDownByUs(workload) || isRaisedInPassing(workload, quieted.get(key))),
  );
}

/** By key: those that are still the same objects, read past the caches. */
export async function freshly(
  { reads, signal }: Reading,
  workloads: readonly Workload[],
): Promise<ReadonlyMap<string, Workload>> {
  const found = new Map<string, Workload>();
  await inParallel(workloads, 10, signal, async (workload) => {
    const answer = await reads.read(workload);
    const fresh = answer.read ? answer.workload : undefined;
    if (fresh?.uid === workload.uid) found.set(workloadKey(workload), fresh);
  });
  return found;
}
