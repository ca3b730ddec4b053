import type { IgnoredResource } from '../../state/ignored-resources.ts';
import type { WorkloadsSnapshot } from './workloads-snapshot.ts';

/**
 * What is left alone, and why: as the controller stored it, and worked out here where it has stored nothing, which is
 * before it acted for the first time and in a dry run.
 */
export function leftAlone(
  stored: readonly IgnoredResource[],
  workloads: WorkloadsSnapshot,
): readonly IgnoredResource[] {
  if (stored.length > 0) return stored;
  return workloads.items.flatMap(({ workload: { kind, namespace, name }, skipped }) =>
    skipped === undefined ? [] : [{ kind, namespace, name, reason: skipped.text }],
  );
}
