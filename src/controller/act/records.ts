import { compareRecords, type WorkloadRecord } from '../../domain/record/record.ts';
import { workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';

const byKey = new WeakMap<readonly WorkloadRecord[], ReadonlyMap<string, WorkloadRecord>>();

/** Indexed once for as long as the records are the same: a pass asks for them several times. */
export function recordsByKey(session: StateSession): ReadonlyMap<string, WorkloadRecord> {
  const records = session.get(resourceStates);
  const known = byKey.get(records);
  if (known !== undefined) return known;
  const indexed = new Map(records.map((record) => [workloadKey(record), record]));
  byKey.set(records, indexed);
  return indexed;
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
