import { lostRecords } from '../../domain/record/lost-records.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { markedWorkloads } from '../../service/workload-table.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { withRecords } from '../hibernate/hibernate.ts';
import { tellRecordsRebuilt } from '../notifications/alerts.ts';
import { recordsByKey } from '../pass/snapshot.ts';
import type { ControllerPorts } from '../ports.ts';

/** Our own marks on workloads give back the records that the state has lost. */
export async function adoptLostRecords(
  ports: ControllerPorts,
  session: StateSession,
  compiled: CompiledConfig,
): Promise<void> {
  const { clock, logger, notifier } = ports;
  if (!session.read(resourceStates).ok) return;
  const lost = lostRecords(
    markedWorkloads(ports.view, compiled, ports.ownNamespace),
    recordsByKey(session),
    clock.now(),
  );
  if (lost.length === 0) return;
  logger.warn('Records were lost and are rebuilt from the annotations', { workloads: lost.map(workloadKey) });
  if (!(await session.writeIfRoom('reserve', set(resourceStates, withRecords(recordsByKey(session), lost))))) {
    logger.error('The state has no room for records that were lost; the rest of the pass goes on without them');
    return;
  }
  tellRecordsRebuilt(notifier, lost.map(workloadKey), clock.now());
}
