import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { type WantedForWorkload, wantedForAny } from '../../domain/desired/wanted-up.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { type Workload, type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import type { ClusterView } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { type ClassifiedWorkload, classifyWorkloads } from '../../service/workload-table.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';

/** A workload, whether it is ours to scale, and what is wanted of it. */
export interface ScopedWorkload extends ClassifiedWorkload {
  readonly want: WantedForWorkload;
}

/** The cluster as one pass sees it. Cheap to make again after writes. */
export interface Situation {
  readonly workloads: readonly ScopedWorkload[];
  readonly want: (ref: WorkloadRef) => WantedForWorkload;
}

/** What no longer exists is wanted up, so that its record is looked at and dropped. */
export function situationOf(view: ClusterView, compiled: CompiledConfig, desired: DesiredState): Situation {
  const wantedOf = wantedForAny(desired, compiled.config.externalWake.excludedNamespaces);
  const wants = new Map<string, WantedForWorkload>();
  const workloads = classifyWorkloads(view, compiled).map((classified): ScopedWorkload => {
    const want = wantedOf(classified.workload, classified.skipped);
    wants.set(workloadKey(classified.workload), want);
    return { ...classified, want };
  });
  return { workloads, want: (ref) => wants.get(workloadKey(ref)) ?? 'up' };
}

/** Targeted workloads that should be down. */
export function toSleep(situation: Situation): readonly Workload[] {
  return situation.workloads
    .filter(({ want, skipped }) => want === 'down' && skipped === undefined)
    .map(({ workload }) => workload);
}

export function recordsByKey(session: StateSession): ReadonlyMap<string, WorkloadRecord> {
  return new Map(session.get(resourceStates).map((record) => [workloadKey(record), record]));
}
