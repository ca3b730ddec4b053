import { auditEntry } from '../../domain/audit/entry.ts';
import type { LicenseCheck } from '../../domain/license/check.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore } from '../../domain/restore/decide-restore.ts';
import { standDownEndedBy } from '../../domain/standdown/causes.ts';
import { recordsOf } from '../../domain/standdown/records.ts';
import {
  isStoodDown,
  notStoodDown,
  type StandDownChange,
  type StandDownState,
  standDownSummary,
} from '../../domain/standdown/state.ts';
import { announced, endSettled, sourcesOf, stepStandDown } from '../../domain/standdown/transition.ts';
import { type EpochMs, type Workload, workloadKey } from '../../domain/workload.ts';
import { manualHibernation } from '../../state/manual-hibernation.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { wakeOverride } from '../../state/wake-override.ts';
import type { ControllerPorts } from '../ports.ts';

/** Takes note of what the configuration says, and tells the world of every source that began or ended. */
export async function keepStandDown(
  ports: ControllerPorts,
  session: StateSession,
  license: LicenseCheck | null,
): Promise<StandDownState> {
  const at = ports.clock.now();
  const licenseActs = license?.acts ?? true;
  const context = { at, licenseActs, changeId: `configuration-${ports.config().global.enabled ? 'on' : 'off'}-${at}` };
  const { enabled } = ports.config().global;
  const stored = session.read(standDown);
  // Who stood us down cannot be read; the configuration can, and holds without being stored.
  if (!stored.ok) return enabled ? notStoodDown : { ...notStoodDown, configuration: { at } };
  const step = stepStandDown(stored.value, { type: 'configuration-seen', enabled }, context);
  // Without room for it the stand-down still holds: what it hands back makes room.
  if (step.state !== session.get(standDown) && !(await save(ports, session, step.state))) return step.state;
  const { unannounced } = session.get(standDown);
  if (unannounced.length > 0) await tell(ports, session, unannounced, licenseActs);
  return session.get(standDown);
}

/** Everything is back: said once, and kept over restarts. */
export async function finishHandback(ports: ControllerPorts, session: StateSession): Promise<void> {
  const context = { at: ports.clock.now(), licenseActs: true, changeId: '' };
  const step = stepStandDown(session.get(standDown), { type: 'handback-finished' }, context);
  if (step.update !== undefined) await save(ports, session, step.state);
}

/**
 * What of ours is found down after everything was handed back (a write that was on its way when the stop came, a backup
 * that was restored) opens the handback again.
 */
export async function reopenHandback(
  ports: ControllerPorts,
  session: StateSession,
  state: StandDownState,
): Promise<StandDownState> {
  if (!isStoodDown(state) || !state.handbackDone) return state;
  const down = session.getOrEmpty(resourceStates).filter((record) => isDownStill(record, ports.view.workload(record)));
  if (down.length === 0) return state;
  const context = { at: ports.clock.now(), licenseActs: true, changeId: '' };
  const step = stepStandDown(state, { type: 'found-down' }, context);
  ports.logger.warn('Workloads are down although everything was handed back: the handback runs again', {
    workloads: down.map(workloadKey),
  });
  // Without room for it the handback runs all the same: what it hands back makes room.
  await save(ports, session, step.state);
  return step.state;
}

function isDownStill(record: WorkloadRecord, workload: Workload | undefined): boolean {
  const { act } = decideRestore(record, workload);
  return act === 'raise' || act === 'resume';
}

/** Who a hibernation right after the end of a stand-down is named after. */
export function endedBy(state: StandDownState): string | undefined {
  return isStoodDown(state) || state.ended === undefined ? undefined : standDownEndedBy(state.ended.actor);
}

/** Once the first decision after the end is made: what people did before the stand-down does not come back. */
export async function settleEnd(session: StateSession): Promise<void> {
  const state = session.getOrEmpty(standDown);
  if (state.ended === undefined || isStoodDown(state)) return;
  // Until both can be read it is not known what is older than the stand-down, so its end is remembered.
  if (!session.read(wakeOverride).ok || !session.read(manualHibernation).ok) return;
  const before = (act: { readonly at: EpochMs } | null) => act !== null && act.at < state.ended!.at;
  const edits: StateEdit[] = [set(standDown, endSettled(state))];
  if (before(session.get(wakeOverride))) edits.push(set(wakeOverride, null));
  if (before(session.get(manualHibernation))) edits.push(set(manualHibernation, null));
  await session.write(...edits);
}

async function save(ports: ControllerPorts, session: StateSession, state: StandDownState): Promise<boolean> {
  if (!(await session.writeIfRoom('reserve', set(standDown, state)))) return false;
  ports.frames.send({ kind: 'stand-down-update', payload: { standDown: standDownSummary(state) } });
  return true;
}

async function tell(
  ports: ControllerPorts,
  session: StateSession,
  changes: readonly StandDownChange[],
  licenseActs: boolean,
): Promise<void> {
  const told: string[] = [];
  for (const change of changes) {
    const { audit, event, card, log } = recordsOf(change, {
      sources: sourcesOf(session.get(standDown)),
      licenseActs,
    });
    try {
      await ports.audit.append(auditEntry({ id: change.id, at: change.at, ...audit }));
    } catch (error) {
      ports.logger.warn('An audit entry could not be written and will be tried again', {
        title: audit.title,
        error: String(error),
      });
      break;
    }
    ports.logger.info(log.message, log.fields);
    ports.events.emit(event);
    const colour = change.act === 'stood-down' ? 'red' : 'blue';
    ports.notifier.notify({ id: change.id, at: change.at, colour, ...card });
    told.push(change.id);
  }
  await session.write(set(standDown, announced(session.get(standDown), told)));
  ports.frames.send({ kind: 'stand-down-update', payload: { standDown: standDownSummary(session.get(standDown)) } });
}
