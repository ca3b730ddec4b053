import { fieldManager } from '../../domain/names.ts';
import { isDownByUs, markOf, setBy } from '../../domain/record/mark.ts';
import { isRaisedInPassing, quietedManagers, wasBroughtBack } from '../../domain/targeting/appliers.ts';
import { isDown, type Workload, workloadKey } from '../../domain/workload.ts';
import { inParallel } from '../act/pool.ts';
import type { Acting } from '../act/scaling.ts';
import { type ScopedSnapshot, toSleep } from '../snapshot/snapshot.ts';

interface Reading extends Pick<Acting, 'signal'> {
  readonly reads: Pick<Acting['reads'], 'read'>;
}

/** As they stand in the cluster. */
export interface Raisers {
  /**
   * What a reconciliation raised that was under way when its author was quieted, and what was brought back that applies others. The caches
   * may not show yet that we have lowered it again: such a one is among these too.
   */
  readonly inPassing: readonly Workload[];
  /** Up again without our mark by another one of us, which had them up for a wake: they only go down again. */
  readonly byUs: readonly Workload[];
  readonly byOthers: readonly Workload[];
}

/**
 * Who raised what is up after we had lowered it: the caches do not know. One that cannot be read is neither: nothing is decided about
 * it until it can, at the latest by whoever looks after the night.
 */
export async function whoRaised(
  context: Reading & { readonly snapshot: Pick<ScopedSnapshot, 'workloads'> },
  raised: readonly Workload[],
): Promise<Raisers> {
  const seen = context.snapshot.workloads.map(({ workload }) => workload);
  // Who brought back what applies others says who may have raised the others. What is left alone by now stays as it is.
  const appliers = await freshly(context, toSleep(context.snapshot).filter(wasBroughtBack));
  const quieted = quietedManagers(seen.map((workload) => appliers.get(workloadKey(workload)) ?? workload));
  const rest = raised.filter((workload) => !appliers.has(workloadKey(workload)));
  const fresh = new Map([...appliers, ...(await freshly(context, rest))]);
  const isInPassing = (key: string, workload: Workload) =>
    isDownByUs(workload) || isRaisedInPassing(workload, quieted.get(key));
  const asked = new Set(raised.map(workloadKey));
  const up = [...fresh]
    .filter(([key, workload]) => asked.has(key) && !isInPassing(key, workload) && !isDown(workload))
    .map(([, workload]) => workload);
  return {
    inPassing: [...fresh].filter(([key, workload]) => isInPassing(key, workload)).map(([, workload]) => workload),
    byUs: up.filter(isRaisedByUs),
    byOthers: up.filter((workload) => !isRaisedByUs(workload)),
  };
}

function isRaisedByUs(workload: Workload): boolean {
  return setBy(workload) === fieldManager && markOf(workload) === undefined;
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
