import type { Restore } from '../../domain/restore/decide-restore.ts';
import { isRenewal } from '../../domain/wake/renewal.ts';
import { restoresOf } from '../act/restore.ts';
import { stoppedByUs } from '../beside/database-steps.ts';
import type { PendingStep } from './pending.ts';
import { wantedUp } from './repair.ts';

/** Whether a wake that began now would raise, resume or start anything. */
export async function hasSomethingToWake(context: PendingStep): Promise<boolean> {
  const restores = await restoresOf(context, wantedUp(context));
  return !isRenewal(actsIn(restores.values(), stoppedByUs(context).length));
}

/** How much a wake would have to do, by kind of act. */
export function actsIn(restores: Iterable<Restore>, databasesToStart: number) {
  const all = [...restores];
  return {
    workloadsToRaise: all.filter(({ act }) => act === 'raise' || act === 'read-first' || act === 'refuse').length,
    toResume: all.flatMap((restore) => (restore.act === 'resume' ? [restore.workload.kind] : [])),
    databasesToStart,
  };
}
