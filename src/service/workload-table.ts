import { isMarkedByAnother } from '../domain/record/mark.ts';
import { withoutIdleAppliers } from '../domain/targeting/appliers.ts';
import { classify, type SkipReason, targetingContext, withHeldScalers } from '../domain/targeting/targeting.ts';
import type { Workload } from '../domain/workload.ts';
import type { ClusterView } from '../ports/cluster.ts';
import type { CompiledConfig } from './compiled-config.ts';

/** A workload, and whether it is ours to scale. */
export interface ClassifiedWorkload {
  readonly workload: Workload;
  /** Why it is left alone; absent for what is ours. */
  readonly skipped?: SkipReason;
}

/** Every workload of the cluster as the caches have it now, our own writes included, each with the verdict on whose it is. */
export function classifyWorkloads(view: ClusterView, { targeting }: CompiledConfig): readonly ClassifiedWorkload[] {
  const workloads = view.workloads();
  const context = withHeldScalers(targetingContext(targeting, view.scalingFacts()), workloads);
  const classified = workloads.map((workload): ClassifiedWorkload => {
    const classification = classify(workload, context);
    return classification.targeted ? { workload } : { workload, skipped: classification.reason };
  });
  return withoutIdleAppliers(classified);
}

/**
 * Workloads whose marks may give back lost records: without what another release on this cluster put to sleep. A mark within
 * our own scope is ours to lift, whoever was here before.
 */
export function markedWorkloads(workloads: readonly ClassifiedWorkload[], ownNamespace: string): readonly Workload[] {
  return workloads
    .filter(({ workload, skipped }) => skipped === undefined || !isMarkedByAnother(workload, ownNamespace))
    .map(({ workload }) => workload);
}
