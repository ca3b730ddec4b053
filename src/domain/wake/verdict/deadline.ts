// The limits of one workload that has no verdict: is one reached now, and with which reason; if not, when is the next.

import type { EpochMs } from '../../workload.ts';
import { type FailureReason, keptDetail } from './failure-sentence.ts';
import type { WakeFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';
import { phase1Of } from './phase1.ts';
import type { PodView } from './pod.ts';
import { restartsOfPod, runningAttempt, serving } from './restart.ts';
import { isUnreadable, type Standing } from './standing.ts';
import type { Lift, TierState } from './wake-state.ts';

export type Waiting = { readonly reason: FailureReason } | { readonly until: EpochMs | undefined };

/** For a workload that is not up and not written off. */
export function waitingFor(
  observation: WorkloadObservation,
  standing: Standing,
  tier: TierState & { readonly startedAt: EpochMs },
  { now, figures }: { readonly now: EpochMs; readonly figures: WakeFigures },
): Waiting {
  if (observation.refused !== undefined)
    return { reason: { code: 'scale_refused', detail: keptDetail(observation.refused) } };
  if (standing.restarts >= figures.restartLimit) return { reason: { code: 'restarted_twice' } };
  // Ready at last: whether that lasts is seen first.
  if (standing.steadyAt !== undefined) return { until: standing.steadyAt };
  if (standing.startedSince === undefined) {
    const phase1 = phase1Of(observation, standing.needed, tier, { now, figures });
    return 'reason' in phase1 && isUnreadable(observation) ? { reason: standing.heldUpBy } : phase1;
  }
  const from = Math.max(standing.startedSince, tier.startedAt);
  const reason = isUnreadable(observation) ? standing.heldUpBy : budgetReason(standing);
  return atLimit(from + standing.budget.ms, now, reason);
}

/**
 * For a workload that recovered and broke again. It came up once, so only a further attempt can fail: its own budget from
 * that attempt's start, or the restarts made since the recovery.
 */
export function waitingAgain(
  standing: Standing,
  pods: readonly PodView[],
  lift: Lift,
  { now, figures }: { readonly now: EpochMs; readonly figures: WakeFigures },
): Waiting {
  if (restartsSince(lift, pods) >= figures.restartLimit) return { reason: { code: 'restarted_twice' } };
  const start = latestStartAfter(lift.at, pods);
  return start === undefined ? { until: undefined } : atLimit(start + standing.budget.ms, now, budgetReason(standing));
}

function atLimit(limit: EpochMs, now: EpochMs, reason: FailureReason): Waiting {
  return now >= limit ? { reason } : { until: limit };
}

function budgetReason({ budget }: Standing): FailureReason {
  if (budget.kind === 'cap') return { code: 'budget_cap' };
  return { code: budget.kind === 'declared' ? 'declared_budget' : 'default_budget', ms: budget.ms };
}

function restartsSince(lift: Lift, pods: readonly PodView[]): number {
  const made = pods
    .filter((pod) => pod.ready?.status !== true)
    .map((pod) => restartsOfPod(pod, pod.createdAt) - (pod.createdAt > lift.at ? 0 : (lift.restarts ?? 0)));
  return Math.max(0, ...made);
}

function latestStartAfter(instant: EpochMs, pods: readonly PodView[]): EpochMs | undefined {
  const starts = pods
    .filter((pod) => pod.ready?.status !== true)
    .flatMap((pod) => serving(pod).flatMap((container) => runningAttempt(container)?.startedAt ?? []))
    .filter((start) => start > instant);
  return starts.length === 0 ? undefined : Math.max(...starts);
}
