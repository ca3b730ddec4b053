import { implausible } from '../../domain/restore/decide-restore.ts';
import { unreadableName } from '../../domain/stops/unreadable-key.ts';
import { workloadKey } from '../../domain/workload.ts';
import { databaseStates } from '../../state/database-states.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type Restoring, restoresOf } from '../act/restore.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import { wantedUp } from './repair.ts';

/** What naming the rest of a wake needs of a pass. */
export interface PendingStep extends Restoring {
  readonly snapshot: ScopedSnapshot;
  readonly session: StateSession;
}

/** Names what is recorded and still down or marked, and the databases that we stopped. */
export async function pendingNames(context: PendingStep): Promise<readonly string[]> {
  const { session } = context;
  const unreadable = [
    ...(session.read(resourceStates).ok ? [] : [resourceStates.key]),
    ...(session.read(databaseStates).ok ? [] : [databaseStates.key]),
  ];
  const records = wantedUp(context);
  const restores = await restoresOf(context, records);
  const down = records.flatMap((record) => {
    const key = workloadKey(record);
    const restore = restores.get(key);
    if (restore === undefined || restore.act === 'none') return [];
    return restore.act === 'refuse' ? `${key}: ${implausible(restore.count)}` : key;
  });
  return [...unreadable.map(unreadableName), ...stoppedByUs(context).map((name) => `database ${name}`), ...down];
}
