export type ClusterState = 'awake' | 'hibernated' | 'waking' | 'hibernating';

export interface ClusterPast {
  /** The transition that runs; a wake of single workloads under a cluster that is awake is none. */
  readonly running?: 'hibernation' | 'wake';
  /** Where the last transition that ran to its end left the cluster; absent on one that never hibernated. */
  readonly phase?: 'awake' | 'hibernated';
  /** Whether something is down by its record. */
  readonly hasRecords: boolean;
}

/** Where the cluster is now, as people and metrics are told. */
export function clusterState({ running, phase, hasRecords }: ClusterPast): ClusterState {
  if (running !== undefined) return running === 'wake' ? 'waking' : 'hibernating';
  // Records without a phase were left by a controller that died before it wrote down that the hibernation had ended.
  if (phase === undefined) return hasRecords ? 'hibernated' : 'awake';
  return phase;
}
