import { recordsRebuilt } from '../../domain/announcement/workloads.ts';
import { lostRecords } from '../../domain/record/lost-records.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import { markedWorkloads } from '../../service/workload-table.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import { set } from '../../state/snapshot.ts';
import { recordsByKey, withRecords } from '../act/records.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import type { ClusterSnapshot } from '../snapshot/snapshot.ts';

export interface AdoptionStep extends Announcing {
  readonly clock: Clock;
  readonly ownNamespace: string;
}

/** Our own marks on workloads give back the records that the state has lost. */
export async function adoptLostRecords(announcing: AdoptionStep, { workloads }: ClusterSnapshot): Promise<void> {
  const { clock, logger, ownNamespace, session } = announcing;
  if (!session.read(resourceStates).ok) return;
  const at = clock.now();
  const lost = lostRecords(markedWorkloads(workloads, ownNamespace), recordsByKey(session), at);
  if (lost.length === 0) return;
  const rebuilt = recordsRebuilt(lost.map(workloadKey), { at, occasion: session.snapshot.resourceVersion ?? '0' });
  try {
    await announce(announcing, [rebuilt], [set(resourceStates, withRecords(recordsByKey(session), lost))]);
  } catch (error) {
    if (!(error instanceof StateFull)) throw error;
    logger.error('The state has no room for records that were lost; the rest of the pass goes on without them');
  }
}
