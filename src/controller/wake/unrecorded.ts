import { phase } from '../../state/phase.ts';
import { set } from '../../state/snapshot.ts';
import { actsOf, restoresOf } from '../act/restore.ts';
import { apply } from '../act/scaling.ts';
import { startDatabases, stoppedByUs } from '../beside/database-steps.ts';
import { earliest, now } from '../loop/requeue.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import { type AwakeProgress, type ProgressStep, repairMs, withCompanions } from './awake-progress.ts';
import { type RepairStep, repair, wantedUp } from './repair.ts';

/** What bringing up without a transition needs of a pass. */
export interface UnrecordedStep extends RepairStep, ProgressStep {
  readonly snapshot: ScopedSnapshot;
}

/**
 * No count is guessed, so nothing is raised whose record cannot be read; what another ConfigMap has a record of, and what
 * stands on other keys, comes back all the same. No record is dropped until all can be read.
 */
export async function bringUpWithoutCounts(context: UnrecordedStep): Promise<AwakeProgress> {
  const acts = actsOf((await restoresOf(context, wantedUp(context))).values());
  if (acts.length > 0) await noteHalfAwake(context);
  const applied = await apply(context, acts);
  const databases = await startDatabases(context, stoppedByUs(context));
  // A wake that waits for its counts has no time of its own at which it looks again.
  return withCompanions(context, earliest(databases.requeueAt, applied.retryAt, now(context) + repairMs));
}

/**
 * Brings everything up that is recorded, at once and without a transition, for a state that has no room for one. What is
 * back loses its record, so that there is room again.
 */
export async function bringUpUnrecorded(context: UnrecordedStep): Promise<AwakeProgress> {
  const restores = await restoresOf(context, wantedUp(context));
  if (actsOf(restores.values()).length > 0) await noteHalfAwake(context);
  const requeueAt = await repair(context, restores);
  return withCompanions(context, earliest(requeueAt, now(context) + repairMs));
}

/**
 * What comes up without a transition may be wanted down again before all of it is up: a cluster that is noted as asleep would
 * then take it for its owners' doing, and leave it up all night.
 */
async function noteHalfAwake({ session }: UnrecordedStep): Promise<void> {
  const known = session.getOrEmpty(phase);
  if (known?.phase !== 'hibernated' || known.stoppedHalfway === true) return;
  await session.writeIfRoom('reserve', set(phase, { ...known, stoppedHalfway: true }));
}
