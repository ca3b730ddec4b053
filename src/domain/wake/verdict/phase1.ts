// Phase 1: the 15 minutes that the cluster has to give every replica a started container.

import type { EpochMs } from '../../workload.ts';
import type { FailureReason } from './failure-sentence.ts';
import type { WakeFigures } from './figures.ts';
import { furthest } from './furthest-pod.ts';
import type { WorkloadObservation } from './observation.ts';
import { livePods, type PodView } from './pod.ts';
import { holdUp, startedAt } from './replica.ts';
import { isSince } from './restart.ts';
import type { TierState } from './wake-state.ts';

export type Phase1 =
  | { readonly reason: FailureReason }
  /** Undefined: nothing more is judged, only the fail-open ends the wait. */
  | { readonly until: EpochMs | undefined };

type StartedTier = TierState & { readonly startedAt: EpochMs };

/** For a workload that has not started every needed replica. */
export function phase1Of(
  { pods }: WorkloadObservation,
  needed: number,
  tier: StartedTier,
  { now, figures }: { readonly now: EpochMs; readonly figures: WakeFigures },
): Phase1 {
  const live = livePods(pods);
  const held = live.filter((pod) => startedAt(pod) === undefined);
  const limits = held.map((pod) => podLimit(pod, tier, figures));
  const missing = live.length + replaced(pods, tier) < needed ? missingLimit(tier, figures) : undefined;
  const overdue = held.filter((_, index) => isReached(limits[index], now));
  if (overdue.length > 0 || isReached(missing, now)) {
    return { reason: furthest(overdue.flatMap((pod) => holdUp(pod) ?? [])) ?? { code: 'replicas_not_started' } };
  }
  return { until: soonest([...limits, missing]) };
}

/**
 * Pods of the wake's own scale-up have the 15 minutes of their tier, one that came later its own: it has not been pulling
 * for 15 minutes before it is 15 minutes old. One that came after phase 1 takes the place of a replica that was lost, and
 * is waited for until the fail-open.
 */
function podLimit(pod: PodView, tier: StartedTier, figures: WakeFigures): EpochMs | undefined {
  const age = pod.createdAt - tier.startedAt;
  if (age >= figures.phase1Ms) return undefined;
  return (age <= figures.failOpenMarginMs ? tier.startedAt : pod.createdAt) + figures.phase1Ms;
}

/** A replica that is not there at all is judged once: one that is lost after that has not been missing for 15 minutes. */
function missingLimit(tier: StartedTier, figures: WakeFigures): EpochMs | undefined {
  return tier.judgedAt === undefined ? tier.startedAt + figures.phase1Ms : undefined;
}

/** Replicas that started in this wake and are just leaving: a StatefulSet puts the next pod in place after that. */
function replaced(pods: readonly PodView[], tier: StartedTier): number {
  return pods.filter((pod) => pod.deleting && isSince(pod, tier.startedAt) && startedAt(pod) !== undefined).length;
}

function isReached(limit: EpochMs | undefined, now: EpochMs): boolean {
  return limit !== undefined && now >= limit;
}

function soonest(limits: readonly (EpochMs | undefined)[]): EpochMs | undefined {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
