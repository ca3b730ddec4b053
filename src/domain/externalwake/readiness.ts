import { matchesGlob } from '../targeting/glob.ts';
import { compileSelector, type Selectable } from '../targeting/workload-selector.ts';
import { isReady, isScalable, type Workload, type WorkloadRef } from '../workload.ts';
import { targetText, type WakeTarget } from './session.ts';

/** What was asked for and matches nothing that there is: a name that is misspelt, or not deployed yet. */
export function notFound(targets: readonly WakeTarget[], workloads: readonly Selectable[]): readonly string[] {
  return targets.filter((target) => !workloads.some(compileSelector({ ...target }))).map(targetText);
}

/** What was named and is up, as the cluster says, but has pods that are not ready: a wake may have ended without them. */
export function isServing(
  targets: readonly WakeTarget[],
  workloads: readonly Workload[],
  excludedNamespaces: readonly string[],
): boolean {
  const selectors = targets.map((target) => compileSelector({ ...target }));
  return workloads.every((workload) => {
    if (isReady(workload) || !selectors.some((matches) => matches(workload))) return true;
    const excluded = excludedNamespaces.some((pattern) => matchesGlob(pattern, workload.namespace));
    return excluded || (!isScalable(workload) && workload.suspended);
  });
}

/**
 * Whether what a cluster asked for is up, as far as the records say: a workload keeps its record until it was seen back.
 * Excluded namespaces stay asleep and are not waited for.
 */
export function isAwake(
  targets: readonly WakeTarget[],
  recorded: readonly WorkloadRef[],
  excludedNamespaces: readonly string[],
): boolean {
  const selectors = targets.map((target) => compileSelector({ ...target }));
  const meant = (ref: WorkloadRef) => selectors.length === 0 || selectors.some((matches) => matches(ref));
  const excluded = ({ namespace }: WorkloadRef) =>
    excludedNamespaces.some((pattern) => matchesGlob(pattern, namespace));
  return !recorded.some((ref) => meant(ref) && !excluded(ref));
}
