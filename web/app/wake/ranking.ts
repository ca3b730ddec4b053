import type { PathStep, TierProgress, WakeFrame, WakeProgress, WorkloadProgress } from '../data/transition.ts';

const ranks: Readonly<Record<WorkloadProgress['phase'], number>> = {
  failed: 0,
  recovered: 1,
  starting: 2,
  cluster: 3,
  still_starting: 4,
  waiting: 5,
  up: 6,
  left: 7,
};

/** Casualties first; a workload that recovered keeps the place its failure had, and is green there. */
export function ranked(workloads: readonly WorkloadProgress[]): readonly WorkloadProgress[] {
  const rank = ({ phase }: WorkloadProgress) => (phase === 'recovered' ? ranks.failed : ranks[phase]);
  return workloads.toSorted((a, b) => rank(a) - rank(b) || (a.workload < b.workload ? -1 : 1));
}

/** Every failed or recovered workload of the wake; the list is never cut. */
export function casualties({ tiers }: WakeProgress): readonly WorkloadProgress[] {
  return ranked(tiers.flatMap(({ workloads }) => workloads)).filter(
    ({ phase }) => phase === 'failed' || phase === 'recovered',
  );
}

export interface TierCounts {
  readonly up: number;
  readonly failed: number;
  readonly total: number;
}

export function tierCounts(tier: TierProgress): TierCounts {
  const counts = phaseCounts(tier);
  const total = counts.values().reduce((sum, count) => sum + count, 0) - (counts.get('left') ?? 0);
  return {
    up: (counts.get('up') ?? 0) + (counts.get('recovered') ?? 0),
    failed: counts.get('failed') ?? 0,
    total,
  };
}

/** Those that are told and those that are only counted. */
function phaseCounts({ workloads, untold = {} }: TierProgress): ReadonlyMap<WorkloadProgress['phase'], number> {
  const counts = new Map(Object.entries(untold) as [WorkloadProgress['phase'], number][]);
  for (const { phase } of workloads) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  return counts;
}

/** How many workloads a frame only counts. */
export function untoldOf({ untold = {} }: TierProgress): number {
  return Object.values(untold).reduce((sum, count) => sum + count, 0);
}

export interface TierSpan {
  readonly name: string;
  readonly ms: number;
  readonly longest: boolean;
  /** The workload or database that the tier waited for longest; known at the end. */
  readonly heldBy?: NonNullable<PathStep['heldBy']>;
}

/** Where the time of a wake went, tier by tier; the longest decided how long all of it took. */
export function criticalPath({ progress, outcome }: WakeFrame, now: number): readonly TierSpan[] {
  const spans =
    outcome?.criticalPath.steps.map(({ tier, ...step }) => ({ name: tier, ...step })) ?? soFar(progress, now);
  return withLongest(spans);
}

export function withLongest(spans: readonly Omit<TierSpan, 'longest'>[]): readonly TierSpan[] {
  const most = Math.max(0, ...spans.map(({ ms }) => ms));
  const first = spans.findIndex(({ ms }) => ms === most);
  return spans.map((span, index) => ({ ...span, longest: index === first }));
}

function soFar({ tiers, endedAt }: WakeProgress, now: number): readonly Omit<TierSpan, 'longest'>[] {
  return tiers.flatMap(({ name, startedAt, releasedAt }) =>
    startedAt === undefined ? [] : [{ name, ms: Math.max(0, (releasedAt ?? endedAt ?? now) - startedAt) }],
  );
}

export function countOf({ tiers }: WakeProgress, phase: WorkloadProgress['phase']): number {
  return tiers.reduce((sum, tier) => sum + (phaseCounts(tier).get(phase) ?? 0), 0);
}
