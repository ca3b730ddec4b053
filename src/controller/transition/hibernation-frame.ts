import type { TierDecision } from '../../domain/hibernate/decide-tier.ts';
import type { HibernationProgress, HibernationTier } from '../../domain/hibernate/progress.ts';
import type { Tier } from '../../domain/ordering/ordering.ts';
import { type EpochMs, isDown, isScalable, type Workload, workloadKey } from '../../domain/workload.ts';
import type { Frame } from '../../ports/sinks.ts';
import type { Hibernation } from './transition.ts';

export interface TierUnderWork {
  readonly decision: TierDecision;
  readonly deadlineAt: EpochMs;
}

/** A running hibernation: which tier it has reached, and what that tier still waits for. `tiers` are all of them. */
export function hibernationFrame(
  current: Hibernation,
  tiers: readonly Tier<Workload>[],
  { decision, deadlineAt }: TierUnderWork,
): Frame {
  const draining = decision.draining.map(workloadKey);
  return frame(current, {
    ...progressOf(current, tiers, new Set(draining), deadlineAt),
    toLower: decision.lower.length + decision.suspend.length + decision.record.length,
    draining,
  });
}

/** The last of a hibernation, so that who watches it sees that it is over and how. */
export function hibernationEndFrame(
  current: Hibernation,
  tiers: readonly Tier<Workload>[],
  end: { readonly endedAt: EpochMs; readonly endedBy: 'complete' | 'stopped' },
): Frame {
  return frame(current, { ...progressOf(current, tiers, new Set()), ...end });
}

function frame({ trigger }: Hibernation, progress: HibernationProgress): Frame {
  return { kind: 'transition', payload: { kind: 'hibernation', trigger, progress } };
}

function progressOf(
  current: Hibernation,
  tiers: readonly Tier<Workload>[],
  draining: ReadonlySet<string>,
  deadlineAt?: EpochMs,
): HibernationProgress {
  const { id, startedAt, payload } = current;
  const shown = tiers.map((tier) => tierProgress(current, tier, draining, deadlineAt));
  return {
    id,
    startedAt,
    down: shown.reduce((sum, { down }) => sum + down, 0),
    total: shown.reduce((sum, { workloads }) => sum + workloads, 0),
    tiers: shown,
    toLower: 0,
    draining: [],
    failed: payload.failed,
    respected: payload.respected,
  };
}

function tierProgress(
  { payload }: Hibernation,
  { name, members, databases }: Tier<Workload>,
  draining: ReadonlySet<string>,
  deadlineAt: EpochMs | undefined,
): HibernationTier {
  const released = payload.tiersDone.includes(name);
  const running = !released && payload.tier === name;
  return {
    name,
    state: released ? 'released' : running ? 'running' : 'waiting',
    timedOut: payload.tiersTimedOut.includes(name),
    ...(running ? { startedAt: payload.tierStartedAt } : {}),
    ...(running && deadlineAt !== undefined ? { deadlineAt } : {}),
    workloads: members.length,
    down: members.filter((member) => isGone(member) && !draining.has(workloadKey(member))).length,
    databases,
  };
}

function isGone(workload: Workload): boolean {
  return isDown(workload) && !(isScalable(workload) && workload.statusReplicas > 0);
}
