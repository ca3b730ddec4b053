import { compileSelector } from '../targeting/workload-selector.ts';
import type { LabelledRef, OrderingConfig } from './ordering.ts';

/**
 * The databases that tiers name up to the last tier with one of these workloads: what a wake of them alone has to start.
 * Of a database that no tier names nobody said who needs it.
 */
export function databasesBefore({ tiers = [] }: OrderingConfig, workloads: readonly LabelledRef[]): readonly string[] {
  if (workloads.length === 0) return [];
  const selectors = tiers.map((tier) => tier.select.map(compileSelector));
  const tierOf = (workload: LabelledRef) => {
    const index = selectors.findIndex((all) => all.some((matches) => matches(workload)));
    // What no tier selects wakes after all of them.
    return index < 0 ? tiers.length : index;
  };
  const last = Math.max(...workloads.map(tierOf));
  return [...new Set(tiers.slice(0, last + 1).flatMap(({ databases = [] }) => databases))];
}
