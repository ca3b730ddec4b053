import type { Suite } from '../suites.ts';

/**
 * What may run at the same time: the suites on control planes, which serve one suite at a time and spend their time on waiting, beside
 * those that want the processor. Each lane keeps the order of the suites.
 */
export function lanesOf(suites: readonly Suite[]): readonly (readonly Suite[])[] {
  const onClusters = (suite: Suite) => suite.needs.includes('controlplane');
  const lanes = [suites.filter((suite) => !onClusters(suite)), suites.filter(onClusters)];
  return lanes.filter((lane) => lane.length > 0);
}
