import type { WorkloadParts } from '../scenarios/workload-manifests.ts';

const tiers = ['data', 'core', 'edge'] as const;

const scaled = Array.from({ length: 26 }, (_, index): WorkloadParts => {
  const kind = index % 3 === 0 ? 'StatefulSet' : 'Deployment';
  return {
    kind,
    name: `${kind === 'Deployment' ? 'app' : 'store'}-${index}`,
    replicas: 1 + (index % 3),
    labels: { tier: tiers[index % tiers.length]! },
  };
});

/** Of every kind, in three tiers and outside of them, and some that are not ours to touch. */
export const thirtyWorkloads: readonly WorkloadParts[] = [
  ...scaled,
  { name: 'idle', replicas: 0 },
  { kind: 'CronJob', name: 'nightly', labels: { tier: 'core' } },
  { kind: 'CronJob', name: 'hourly' },
  { kind: 'CronJob', name: 'parked', suspended: true },
  { name: 'kept-up', replicas: 2, annotations: { 'svc.io/exclude': 'true' } },
];

/** Orders with all three tiers; few writes at a time, so that there is much between the first and the last. */
export function tieredConfig(namespace: string) {
  const ordering = (names: readonly string[]) => ({
    tiers: names.map((tier) => ({ name: tier, select: [{ namespace, labels: { tier } }] })),
  });
  return {
    wakeOrdering: ordering(tiers),
    hibernateOrdering: ordering(tiers.toReversed()),
    controller: { maxConcurrentOperations: 3 },
  };
}

/** What `levels` gives while all of them sleep. */
export function asleep(workloads: readonly WorkloadParts[]): Readonly<Record<string, number | string>> {
  return Object.fromEntries(
    workloads.map((parts) => [parts.name, lowest(parts)] as const).toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

function lowest({ kind, replicas, annotations }: WorkloadParts): number | string {
  if (kind === 'CronJob') return 'suspended';
  return annotations?.['svc.io/exclude'] === 'true' ? (replicas ?? 1) : 0;
}
