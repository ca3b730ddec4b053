import type { IgnoredResource } from '../../state/ignored-resources.ts';
import type { WorkloadsSnapshot } from '../outlook/workloads-snapshot.ts';

/**
 * What is left alone, and why: as the controller stored it, and worked out here where it has stored nothing, which is
 * before it acted for the first time and in a dry run.
 */
export function leftAlone(
  stored: readonly IgnoredResource[],
  workloads: WorkloadsSnapshot,
): readonly IgnoredResource[] {
  if (stored.length > 0) return stored;
  const known = skippedIn.get(workloads) ?? skippedOf(workloads);
  skippedIn.set(workloads, known);
  return known;
}

/** Gathered once for a snapshot, however many ask. */
const skippedIn = new WeakMap<WorkloadsSnapshot, readonly IgnoredResource[]>();

function skippedOf({ items }: WorkloadsSnapshot): readonly IgnoredResource[] {
  return items.flatMap(({ workload: { kind, namespace, name }, skipped }) =>
    skipped === undefined ? [] : [{ kind, namespace, name, reason: skipped.text }],
  );
}
