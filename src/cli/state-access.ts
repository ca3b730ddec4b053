import { lostRecords } from '../domain/record/lost-records.ts';
import { compareRecords, type WorkloadRecord } from '../domain/record/record.ts';
import { rebuildFromAnnotations } from '../domain/record/verify.ts';
import { workloadKey } from '../domain/workload.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClusterView } from '../ports/cluster.ts';
import type { CompiledConfig } from '../service/compiled-config.ts';
import { classifyWorkloads, markedWorkloads } from '../service/workload-table.ts';
import { resourceStates } from '../state/resource-states.ts';
import type { StateStore } from '../state/session/state-store.ts';
import { CommandFailed, exitCodes, type StateAccess } from './command.ts';

/** Reads `svc-state` as it stands, and rebuilds lost records from the marks on the workloads themselves. */
export function stateAccess(options: {
  readonly state: StateStore;
  readonly view: ClusterView;
  readonly clock: Clock;
  readonly ownNamespace: string;
  compiled(): CompiledConfig;
}): StateAccess {
  const { state, view, clock } = options;
  return {
    read: () => state.read(),
    async rebuild({ replace, dryRun }) {
      const stored = await state.read();
      const decoded = resourceStates.decode(stored.data[resourceStates.key]);
      if (!decoded.ok && !replace) {
        throw new CommandFailed(
          exitCodes.refused,
          `${decoded.message} Repair it by hand, or let it be replaced by what the annotations say: svc state rebuild --replace`,
        );
      }
      const known = decoded.ok ? decoded.value : [];
      const byKey = new Map(known.map((record) => [workloadKey(record), record]));
      const marked = markedWorkloads(classifyWorkloads(view, options.compiled()), options.ownNamespace);
      const added = lostRecords(marked, byKey, clock.now());
      const { unreadable } = rebuildFromAnnotations(marked, clock.now());
      const change = added.length > 0 || !decoded.ok;
      if (change && !dryRun) await write(state, stored, merged(byKey, added));
      return { added: added.map(describe), unreadable, written: change && !dryRun };
    },
  };
}

async function write(
  state: StateStore,
  base: Awaited<ReturnType<StateStore['read']>>,
  records: readonly WorkloadRecord[],
): Promise<void> {
  const result = await state.write(base, { [resourceStates.key]: resourceStates.encode(records) });
  if (result.outcome === 'done') return;
  const message =
    result.outcome === 'conflict'
      ? 'The state changed meanwhile; nothing was written. Try again.'
      : `The state could not be written: ${result.message}`;
  throw new CommandFailed(result.outcome === 'unknown' ? exitCodes.incomplete : exitCodes.error, message);
}

function merged(
  known: ReadonlyMap<string, WorkloadRecord>,
  added: readonly WorkloadRecord[],
): readonly WorkloadRecord[] {
  const all = new Map(known);
  for (const record of added) all.set(workloadKey(record), record);
  return [...all.values()].toSorted(compareRecords);
}

function describe(record: WorkloadRecord): string {
  return `${workloadKey(record)}: ${'replicas' in record ? `${record.replicas} replicas` : 'suspended by the service'}`;
}
