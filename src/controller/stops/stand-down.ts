import { standDownChanged } from '../../domain/announcement/stand-down.ts';
import type { LicenseCheck } from '../../domain/license/check.ts';
import { standDownEndedBy } from '../../domain/standdown/causes.ts';
import { isStoodDown, type StandDownState, standDownSummary } from '../../domain/standdown/state.ts';
import { endSettled, sourcesOf, stepStandDown } from '../../domain/standdown/transition.ts';
import type { EpochMs } from '../../domain/workload.ts';
import { manualHibernation } from '../../state/manual-hibernation.ts';
import { StateFull, type StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { wakeOverride } from '../../state/wake-override.ts';
import type { ControllerPorts } from '../ports.ts';
import { announce, type Telling } from '../tell/announce.ts';

/** Takes note of what the configuration says, and announces every source that began or ended. */
export async function keepStandDown(telling: Telling, license: LicenseCheck | null): Promise<StandDownState> {
  const { ports, session } = telling;
  const at = ports.clock.now();
  const { enabled } = ports.config().global;
  const before = session.get(standDown);
  const changeId = `configuration-${enabled ? 'on' : 'off'}-${at}`;
  const { state } = stepStandDown(before, { type: 'configuration-seen', enabled }, { at, changeId });
  if (state === before && state.unannounced.length === 0) return state;
  const holding = { sources: sourcesOf(state), licenseActs: license?.acts ?? true };
  const announcements = state.unannounced.map((change) => standDownChanged(change, holding));
  try {
    await announce(telling, announcements, [set(standDown, { ...state, unannounced: [] })]);
  } catch (error) {
    // Without room for it the stand-down still holds: what it hands back makes room.
    if (error instanceof StateFull) return state;
    throw error;
  }
  sendUpdate(ports, session);
  return session.get(standDown);
}

/** Everything is back: said once, and kept over restarts. */
export async function finishHandback(ports: ControllerPorts, session: StateSession): Promise<void> {
  const context = { at: ports.clock.now(), changeId: '' };
  const step = stepStandDown(session.get(standDown), { type: 'handback-finished' }, context);
  if (step.update !== undefined && (await session.writeIfRoom(set(standDown, step.state)))) sendUpdate(ports, session);
}

/** Who a hibernation right after the end of a stand-down is named after. */
export function endedBy(state: StandDownState): string | undefined {
  return isStoodDown(state) || state.ended === undefined ? undefined : standDownEndedBy(state.ended.actor);
}

/** Once the first decision after the end is made: what people did before the stand-down does not come back. */
export async function settleEnd(session: StateSession): Promise<void> {
  const state = session.get(standDown);
  if (state.ended === undefined || isStoodDown(state)) return;
  const before = (act: { readonly at: EpochMs } | null) => act !== null && act.at < state.ended!.at;
  const edits: StateEdit[] = [set(standDown, endSettled(state))];
  if (before(session.get(wakeOverride))) edits.push(set(wakeOverride, null));
  if (before(session.get(manualHibernation))) edits.push(set(manualHibernation, null));
  await session.write(...edits);
}

function sendUpdate({ frames }: ControllerPorts, session: StateSession): void {
  frames.send({ kind: 'stand-down-update', payload: { standDown: standDownSummary(session.get(standDown)) } });
}
