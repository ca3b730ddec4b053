import { finishedLine, handbackFinished, standDownChanged } from '../../domain/announcement/stand-down.ts';
import type { LicenseCheck } from '../../domain/license/check.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { decideRestore } from '../../domain/restore/decide-restore.ts';
import { standDownEndedBy } from '../../domain/stops/actor-names.ts';
import { endSettled, sourcesOf, stepStandDown } from '../../domain/stops/begin-or-end-stand-down.ts';
import {
  isStoodDown,
  notStoodDown,
  type StandDownState,
  standDownSummary,
} from '../../domain/stops/stand-down-state.ts';
import { type EpochMs, type Workload, workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FrameSink } from '../../ports/sinks.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { epochPassed } from '../../state/epoch.ts';
import { manualHibernation } from '../../state/intents/manual-hibernation.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import type { ClusterSnapshot } from '../snapshot/snapshot.ts';

export interface StandDownStep extends Announcing {
  readonly clock: Clock;
  readonly frames: FrameSink;
  readonly compiled: CompiledConfig;
}

/** Takes note of what the configuration says, and announces every source that began or ended. */
export async function keepStandDown(announcing: StandDownStep, license: LicenseCheck | null): Promise<StandDownState> {
  const { clock, compiled, session } = announcing;
  const at = clock.now();
  const { enabled } = compiled.config.global;
  const stored = session.read(standDown);
  // Who stood us down cannot be read; the configuration can, and holds without being stored.
  if (!stored.ok) return enabled ? notStoodDown : { ...notStoodDown, configuration: { at } };
  const before = stored.value;
  const changeId = `configuration-${enabled ? 'on' : 'off'}-${at}`;
  const { state } = stepStandDown(before, { type: 'configuration-seen', enabled }, { at, changeId });
  if (state === before && state.unannounced.length === 0) return state;
  // The end says whether scaling resumes, which nobody can tell before.
  if (license === null && !isStoodDown(state)) return state;
  const holding = { sources: sourcesOf(state), licenseActs: license?.acts ?? true };
  const announcements = state.unannounced.map((change) => standDownChanged(change, holding));
  try {
    const begins = isStoodDown(state) && !isStoodDown(before);
    const fence = begins ? [epochPassed(session.snapshot, at)] : [];
    await announce(announcing, announcements, [set(standDown, { ...state, unannounced: [] }), ...fence]);
  } catch (error) {
    // Without room for it the stand-down still holds: what it hands back makes room.
    if (error instanceof StateFull) return state;
    throw error;
  }
  sendUpdate(announcing);
  return session.get(standDown);
}

/** Everything is back: said once, and kept over restarts. Without a stand-down there is nothing to keep: the license stops us. */
export async function finishHandback(announcing: StandDownStep): Promise<void> {
  const { clock, session, logger } = announcing;
  const at = clock.now();
  const step = stepStandDown(session.get(standDown), { type: 'handback-finished' }, { at, changeId: '' });
  if (step.update === undefined) return logger.info(finishedLine);
  try {
    await announce(announcing, [handbackFinished(at)], [set(standDown, step.state)]);
  } catch (error) {
    if (error instanceof StateFull) return;
    throw error;
  }
  sendUpdate(announcing);
}

/**
 * What of ours is found down after everything was handed back (a write that was on its way when the stop came, a backup
 * that was restored) opens the handback again.
 */
export async function reopenHandback(
  announcing: StandDownStep,
  snapshot: ClusterSnapshot,
  state: StandDownState,
): Promise<StandDownState> {
  const { clock, logger, session } = announcing;
  if (!isStoodDown(state) || !state.handbackDone) return state;
  const down = session.getOrEmpty(resourceStates).filter((record) => isDownStill(record, snapshot.workload(record)));
  if (down.length === 0) return state;
  const context = { at: clock.now(), changeId: '' };
  const step = stepStandDown(state, { type: 'found-down' }, context);
  logger.warn('Workloads are down although everything was handed back: the handback runs again', {
    workloads: down.map(workloadKey),
  });
  // Without room for it the handback runs all the same: what it hands back makes room.
  if (await session.writeIfRoom('reserve', set(standDown, step.state))) sendUpdate(announcing);
  return step.state;
}

function isDownStill(record: WorkloadRecord, workload: Workload | undefined): boolean {
  const { act } = decideRestore(record, workload);
  return act === 'raise' || act === 'resume' || act === 'refuse';
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

function sendUpdate({ frames, session }: StandDownStep): void {
  frames.send({ kind: 'stand-down-update', payload: { standDown: standDownSummary(session.get(standDown)) } });
}
