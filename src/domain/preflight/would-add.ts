import { appliesOthers, onWhenNamed, rowOf, scalesAnother, type WorkloadKind } from '../kinds/kinds.ts';
import { gitOpsOwner } from '../targeting/gitops.ts';
import type { SkipReason } from '../targeting/targeting.ts';
import { type ControllingOwner, type Workload, workloadKey } from '../workload.ts';

/** A workload that is up. */
interface Seen {
  readonly workload: Workload;
  /** Why it is left alone; absent for what is ours. */
  readonly skipped?: SkipReason;
}

interface WouldAddInput {
  readonly workloads: readonly Seen[];
  /** The kinds that are ours already. */
  readonly on: readonly WorkloadKind[];
  /** By key: workloads that are applied by something that sleeps with them. */
  readonly quieted: ReadonlySet<string>;
}

export interface WouldAdd {
  readonly kind: WorkloadKind;
  readonly workloads: number;
  readonly text: string;
}

/**
 * What each kind that is not named would add, in the order of the table; nothing for one that would add none. We have no right
 * to read a kind that is off, so it is known by the workloads alone that say who drives them: what runs pods without a
 * workload of the cluster's own is not counted.
 */
export function wouldAdd({ workloads, on, quieted }: WouldAddInput): readonly WouldAdd[] {
  const counts = new Map<WorkloadKind, number>();
  for (const seen of workloads) {
    const kind = seen.skipped === undefined ? raiserOf(seen.workload, quieted) : driverOf(seen.workload, seen.skipped);
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return onWhenNamed.flatMap((kind) => {
    const count = on.includes(kind) ? 0 : (counts.get(kind) ?? 0);
    return count === 0 ? [] : [{ kind, workloads: count, text: textOf(kind, count) }];
  });
}

/** The kind that would take it down in our place. */
function driverOf({ controlledBy }: Workload, { code }: SkipReason): WorkloadKind | undefined {
  if (code === 'scaled_object') return 'ScaledObject';
  if (code === 'autoscaler_from_zero') return 'HorizontalPodAutoscaler';
  return code === 'operator' && controlledBy !== undefined ? rowOfOwner(controlledBy) : undefined;
}

/** Kinds of other groups may have the same name: `Cluster` is that of many operators. */
function rowOfOwner({ apiVersion, kind }: ControllingOwner): WorkloadKind | undefined {
  const group = apiVersion.split('/')[0];
  return onWhenNamed.find((one) => one === kind && rowOf(one).group === group);
}

/** The kind that applies it and may raise it in the night. */
function raiserOf(workload: Workload, quieted: ReadonlySet<string>): WorkloadKind | undefined {
  return quieted.has(workloadKey(workload)) ? undefined : gitOpsOwner(workload)?.kind;
}

function textOf(kind: WorkloadKind, count: number): string {
  const [workloads, are] = count === 1 ? ['1 workload', 'is'] : [`${count} workloads`, 'are'];
  const more =
    appliesOthers(kind) && !scalesAnother(kind)
      ? `${workloads} that ${are} managed by one could no longer be raised in the night`
      : `${workloads} more would sleep`;
  return `With ${kind} in config.targeting.kinds ${more}`;
}
