// Which tier a wake has reached. A tier is released when each member has an answer, or by its barrier's time-out; then the
// next one starts.

import type { EpochMs } from '../workload.ts';
import type { WakeChange } from './change.ts';
import { type Roster, startingDatabases, unresolvedOf } from './roster.ts';
import type { WakeFigures } from './verdict/figures.ts';
import type { TierState, WakeState } from './verdict/wake-state.ts';

interface Stepped {
  readonly wake: WakeState;
  readonly changes: readonly WakeChange[];
}

/** Marks the tiers whose phase 1 has just been judged, so that it is judged once. */
export function markJudged(wake: WakeState, now: EpochMs, figures: WakeFigures): Stepped {
  const changes: WakeChange[] = [];
  const tiers = wake.tiers.map((tier, index) => {
    if (tier.startedAt === undefined || tier.judgedAt !== undefined) return tier;
    if (now < tier.startedAt + figures.phase1Ms) return tier;
    changes.push({ kind: 'tier_judged', tier: index, name: tier.name });
    return { ...tier, judgedAt: now };
  });
  return changes.length === 0 ? { wake, changes } : { wake: { ...wake, tiers }, changes };
}

/** Releases the running tier if it may be, and starts the next one. */
export function stepTier(wake: WakeState, roster: Roster, now: EpochMs): Stepped {
  const index = runningTier(wake);
  const tier = index === undefined ? undefined : wake.tiers[index];
  if (index === undefined || tier === undefined) return { wake, changes: [] };
  const release = releaseOf(wake, roster, { tier, index }, now);
  if (release === undefined) return { wake, changes: [] };
  const releasedBy = release.kind === 'barrier_timeout' ? 'barrier' : 'settled';
  const released = withTier(wake, index, { ...tier, releasedAt: now, releasedBy });
  const next = wake.tiers[index + 1];
  if (next === undefined) return { wake: released, changes: [release] };
  return {
    wake: withTier(released, index + 1, { ...next, startedAt: now }),
    changes: [release, { kind: 'tier_started', tier: index + 1, name: next.name }],
  };
}

/** At the fail-open everything that was held back is raised: nothing may stay at zero because a tier before it was slow. */
export function startRemaining(wake: WakeState, now: EpochMs): Stepped {
  const changes: WakeChange[] = [];
  const tiers = wake.tiers.map((tier, index) => {
    if (tier.startedAt !== undefined) return tier;
    changes.push({ kind: 'tier_started', tier: index, name: tier.name });
    return { ...tier, startedAt: now };
  });
  return changes.length === 0 ? { wake, changes } : { wake: { ...wake, tiers }, changes };
}

/** When the barrier of the running tier times out; undefined for the last tier, which lets nobody through. */
export function barrierAt(wake: WakeState, index: number): EpochMs | undefined {
  const tier = wake.tiers[index];
  if (tier?.startedAt === undefined || index === wake.tiers.length - 1) return undefined;
  return tier.startedAt + tier.barrierMs;
}

/** The tier that has started and is not released; undefined once the last one is. */
export function runningTier(wake: WakeState): number | undefined {
  const index = wake.tiers.findIndex((tier) => tier.startedAt !== undefined && tier.releasedAt === undefined);
  return index === -1 ? undefined : index;
}

type Release = Extract<WakeChange, { kind: 'tier_released' | 'barrier_timeout' }>;

function releaseOf(
  wake: WakeState,
  roster: Roster,
  { tier, index }: { readonly tier: TierState; readonly index: number },
  now: EpochMs,
): Release | undefined {
  const leftBehind = unresolvedOf(wake, roster, index).map((member) => member.key);
  const databasesLeftBehind = startingDatabases(tier, roster);
  const named = { tier: index, name: tier.name };
  if (leftBehind.length === 0 && databasesLeftBehind.length === 0) return { kind: 'tier_released', ...named };
  const barrier = barrierAt(wake, index);
  if (barrier === undefined || now < barrier) return undefined;
  return { kind: 'barrier_timeout', ...named, barrierMs: tier.barrierMs, leftBehind, databasesLeftBehind };
}

function withTier(wake: WakeState, index: number, tier: TierState): WakeState {
  return { ...wake, tiers: wake.tiers.map((one, at) => (at === index ? tier : one)) };
}
