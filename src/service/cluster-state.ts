import { type ClusterState, clusterState } from '../domain/cluster-state.ts';
import type { Phase } from '../state/phase.ts';
import { isRetry, type Transition } from '../state/transition.ts';

/** Where the cluster is now, by the state: the one place where screens and metrics ask it. */
export function clusterStateNow(
  transition: Transition<unknown> | null,
  phase: Phase | null,
  records: readonly unknown[],
): ClusterState {
  return clusterState({
    // A cluster in which one workload is tried again is awake.
    ...(transition === null || isRetry(transition) ? {} : { running: transition.kind }),
    ...(phase === null ? {} : { phase: phase.phase }),
    hasRecords: records.length > 0,
  });
}
