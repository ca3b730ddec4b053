import { compareRecords, type WorkloadRecord } from '../../domain/record/record.ts';
import { workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';

export function recordsByKey(session: StateSession): ReadonlyMap<string, WorkloadRecord> {
  return new Map(session.get(resourceStates).map((record) => [workloadKey(record), record]));
}

/** The known records and the added ones, which win, in the order of the state. */
export function withRecords(
  known: ReadonlyMap<string, WorkloadRecord>,
  added: readonly WorkloadRecord[],
): readonly WorkloadRecord[] {
  const merged = new Map(known);
  for (const one of added) merged.set(workloadKey(one), one);
  return [...merged.values()].toSorted(compareRecords);
}

export function withoutRecords(
  records: readonly WorkloadRecord[],
  gone: ReadonlySet<string>,
): readonly WorkloadRecord[] {
  return records.filter((record) => !gone.has(workloadKey(record)));
}
