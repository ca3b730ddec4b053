import type { TierProgress, WakeProgress, WorkloadProgress } from '../data/transition.ts';

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

export function tierCounts({ workloads }: TierProgress): TierCounts {
  const here = workloads.filter(({ phase }) => phase !== 'left');
  return {
    up: here.filter(({ phase }) => phase === 'up' || phase === 'recovered').length,
    failed: here.filter(({ phase }) => phase === 'failed').length,
    total: here.length,
  };
}

export interface TierSpan {
  readonly name: string;
  readonly ms: number;
  readonly longest: boolean;
}

/** Where the time of a wake went, tier by tier; the longest decided how long all of it took. */
export function criticalPath({ tiers, endedAt }: WakeProgress, now: number): readonly TierSpan[] {
  const spans = tiers.flatMap(({ name, startedAt, releasedAt }) =>
    startedAt === undefined ? [] : [{ name, ms: Math.max(0, (releasedAt ?? endedAt ?? now) - startedAt) }],
  );
  const most = Math.max(0, ...spans.map(({ ms }) => ms));
  const first = spans.findIndex(({ ms }) => ms === most);
  return spans.map((span, index) => ({ ...span, longest: index === first }));
}

export function countOf({ tiers }: WakeProgress, phase: WorkloadProgress['phase']): number {
  return tiers.reduce((sum, tier) => sum + tier.workloads.filter((one) => one.phase === phase).length, 0);
}
