// A wake's beginning, its takeover by a restarted controller, and its end from outside.

import type { EpochMs } from '../workload.ts';
import type { WakeChange } from './change.ts';
import type { BudgetedSpec } from './verdict/budget.ts';
import { deriveFailOpenMs } from './verdict/failopen.ts';
import type { WakeFigures } from './verdict/figures.ts';
import type { EndedBy, TierState, WakeState } from './verdict/wake-state.ts';

interface PlannedTier {
  readonly name: string;
  readonly barrierMs: number;
  /** One entry for each workload of the tier; undefined for one that could not be read. */
  readonly workloads: readonly (BudgetedSpec | undefined)[];
  readonly databases: readonly string[];
}

export interface WakePlan {
  readonly id: string;
  /** In wake order; what no configured tier names is the last one. An unordered wake is one tier. */
  readonly tiers: readonly PlannedTier[];
}

export interface StartedWake {
  readonly wake: WakeState;
  readonly changes: readonly WakeChange[];
}

/** The first tier starts at once. Nothing of a single workload is kept. */
export function startWake(plan: WakePlan, now: EpochMs, figures: WakeFigures): StartedWake {
  const specs = plan.tiers.flatMap((tier) => tier.workloads);
  const tiers = plan.tiers.map((tier, index) => plannedState(tier, index === 0 ? now : undefined));
  const first = tiers[0];
  return {
    wake: { id: plan.id, startedAt: now, failOpenMs: deriveFailOpenMs(specs, figures), tiers, writeOffs: {} },
    changes: first === undefined ? [] : [{ kind: 'tier_started', tier: 0, name: first.name }],
  };
}

/** A controller that finds a running wake at its start takes it over; a second takeover changes nothing more. */
export function resumeWake(wake: WakeState, now: EpochMs): WakeState {
  return wake.resumedAt !== undefined || wake.endedAt !== undefined ? wake : { ...wake, resumedAt: now };
}

/** Ends the wake before its answers are in: a hibernation started, or the cluster no longer heads where it was driven. */
export function abandonWake(
  wake: WakeState,
  by: Extract<EndedBy, 'superseded' | 'not_observed'>,
  now: EpochMs,
): StartedWake {
  if (wake.endedAt !== undefined) return { wake, changes: [] };
  return { wake: { ...wake, endedAt: now, endedBy: by }, changes: [{ kind: 'ended', by }] };
}

function plannedState(tier: PlannedTier, startedAt: EpochMs | undefined): TierState {
  return {
    name: tier.name,
    barrierMs: tier.barrierMs,
    workloads: tier.workloads.length,
    databases: tier.databases,
    ...(startedAt !== undefined && { startedAt }),
  };
}
