import { lostRecords } from '../../domain/record/lost-records.ts';
import { compareRecords, type WorkloadRecord } from '../../domain/record/record.ts';
import { rebuildFromAnnotations } from '../../domain/record/verify.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClusterView } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { classifyWorkloads, markedWorkloads } from '../../service/workload-table.ts';
import { continued } from '../../state/parts/continued.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateConflict } from '../../state/session/state-errors.ts';
import { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import type { StateStore } from '../../state/state-store.ts';
import { CommandFailed, exitCodes, type StateAccess } from '../terminal/command.ts';

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
      const session = await StateSession.open(state);
      const decoded = session.read(resourceStates);
      if (!decoded.ok && !replace) {
        throw new CommandFailed(
          exitCodes.refused,
          `${decoded.message} Repair it by hand, or let it be replaced by what the annotations say: svc state rebuild --replace`,
        );
      }
      const known = decoded.ok ? decoded.value : (decoded.rest ?? []);
      const byKey = new Map(known.map((record) => [workloadKey(record), record]));
      const marked = markedWorkloads(classifyWorkloads(view, options.compiled()), options.ownNamespace);
      const added = lostRecords(marked, byKey, clock.now());
      const { unreadable } = rebuildFromAnnotations(marked, clock.now());
      const change = added.length > 0 || !decoded.ok;
      if (change && !dryRun) await write(state, session, merged(byKey, added));
      return { added: added.map(describe), unreadable };
    },
  };
}

/** Whoever asks for it to be replaced has seen that it cannot be decoded. */
async function write(state: StateStore, session: StateSession, records: readonly WorkloadRecord[]): Promise<void> {
  try {
    const open = session.read(continued).ok ? session : await withoutParts(state, session);
    await open.write(replacing(set(resourceStates, records)));
  } catch (error) {
    const conflict = error instanceof StateConflict && error.outcome === 'conflict';
    const message = conflict
      ? 'The state changed meanwhile; nothing was written. Try again.'
      : `The state could not be written: ${error instanceof Error ? error.message : String(error)}`;
    const unknown = error instanceof StateConflict && !conflict;
    throw new CommandFailed(unknown ? exitCodes.incomplete : exitCodes.error, message);
  }
}

/** Which ConfigMaps the records went on in cannot be told any more. */
async function withoutParts(state: StateStore, session: StateSession): Promise<StateSession> {
  await session.write(replacing(set(continued, {})));
  return StateSession.open(state);
}

function replacing(edit: StateEdit): StateEdit {
  return { ...edit, current: () => ({ ok: true, value: undefined }) };
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
