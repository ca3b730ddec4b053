import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { type WantedForWorkload, wantedForAny } from '../../domain/desired/wanted-up.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { withHeldAppliers } from '../../domain/targeting/held-appliers.ts';
import { type Workload, type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import type { ClusterView } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { type ClassifiedWorkload, classifyWorkloads } from '../../service/workload-table.ts';

/** The workloads of the cluster as one pass reads them, once. It does not change while the pass runs, whatever is written. */
export interface ClusterSnapshot {
  readonly workloads: readonly ClassifiedWorkload[];
  readonly workload: (ref: WorkloadRef) => Workload | undefined;
  /** Where it stands among `workloads`. */
  readonly indexOf: (ref: WorkloadRef) => number | undefined;
}

/** A workload, whether it is ours to scale, and what is wanted of it. */
interface ScopedWorkload extends ClassifiedWorkload {
  readonly want: WantedForWorkload;
}

/** The same cluster once it is decided what it should be. */
export interface ScopedSnapshot extends ClusterSnapshot {
  readonly workloads: readonly ScopedWorkload[];
  readonly want: (ref: WorkloadRef) => WantedForWorkload;
}

/** Reads the caches, our own writes included. A pass does it once; one that has to see what it wrote ends and runs again. */
export function gather(view: ClusterView, compiled: CompiledConfig): ClusterSnapshot {
  const workloads = classifyWorkloads(view, compiled);
  const indexes = new Map(workloads.map(({ workload }, index) => [workloadKey(workload), index]));
  const indexOf = (ref: WorkloadRef) => indexes.get(workloadKey(ref));
  return { workloads, workload: (ref) => workloads[indexOf(ref) ?? -1]?.workload, indexOf };
}

/** What no longer exists is wanted up, so that its record is looked at and dropped. */
export function scopedBy(
  { workloads, workload, indexOf }: ClusterSnapshot,
  desired: DesiredState,
  { config }: CompiledConfig,
  records: readonly WorkloadRecord[],
): ScopedSnapshot {
  const wantedOf = wantedForAny(desired, config.externalWake.excludedNamespaces);
  const held = desired.wanted === 'hibernated' ? withHeldAppliers(workloads, records) : workloads;
  const scoped = held.map(({ workload: one, skipped }): ScopedWorkload => {
    const want = wantedOf(one, skipped);
    return skipped === undefined ? { workload: one, want } : { workload: one, skipped, want };
  });
  return { workloads: scoped, workload, indexOf, want: (ref) => scoped[indexOf(ref) ?? -1]?.want ?? 'up' };
}

/** Targeted workloads that should be down. */
export function toSleep({ workloads }: Pick<ScopedSnapshot, 'workloads'>): readonly Workload[] {
  return workloads
    .filter(({ want, skipped }) => want === 'down' && skipped === undefined)
    .map(({ workload }) => workload);
}
