import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { type WantedForWorkload, wantedForWorkload } from '../../domain/desired/wanted-up.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { classify, type SkipCode, type SkipReason, targetingContext } from '../../domain/targeting/targeting.ts';
import { type Workload, type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import type { ClusterView } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';

/** A workload, whether it is ours to scale, and what is wanted of it. */
export interface ScopedWorkload {
  readonly workload: Workload;
  readonly want: WantedForWorkload;
  /** Absent for what is ours. */
  readonly skipped?: SkipReason;
}

/** The cluster as one pass sees it. Cheap to make again after writes. */
export interface Situation {
  readonly workloads: readonly ScopedWorkload[];
  readonly want: (ref: WorkloadRef) => WantedForWorkload;
}

/** Reasons that say nothing about whose the workload is: it is on its way out, or not wholly read yet. */
const passing: ReadonlySet<SkipCode> = new Set(['deleting', 'namespace_unknown', 'namespace_terminating']);

/**
 * What left our scope is wanted up: it is handed back. What is only passing through is left as it is. What no longer
 * exists is wanted up too, so that its record is looked at and dropped.
 */
export function situationOf(view: ClusterView, compiled: CompiledConfig, desired: DesiredState): Situation {
  const context = targetingContext(compiled.targeting, view.surroundings());
  const wantedOfOurs = wantedForWorkload(desired, compiled.config.externalWake.excludedNamespaces);
  const wants = new Map<string, WantedForWorkload>();
  const workloads = view.workloads().map((workload): ScopedWorkload => {
    const classification = classify(workload, context);
    const scoped: ScopedWorkload = classification.targeted
      ? { workload, want: wantedOfOurs(workload) }
      : { workload, want: passing.has(classification.reason.code) ? 'leave' : 'up', skipped: classification.reason };
    wants.set(workloadKey(workload), scoped.want);
    return scoped;
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
