import { type Phase, phase } from '../../state/phase.ts';
import { putCompanionsToSleep } from '../beside/companions.ts';
import { stopDatabases } from '../beside/database-steps.ts';
import { databasesKeptUp } from '../pass/kept-up.ts';
import { earliest, type LookAt, now, type PassContext } from '../pass/pass-context.ts';
import { isHibernation, isWaiting, isWake, transition } from '../transition.ts';
import { handleDrift } from '../upkeep/drift.ts';
import { takenOver } from '../wake/drive-up.ts';
import { withdrawWaiting } from '../wake/host-wait.ts';
import { repairKeptUp, startPartWake } from '../wake/part-wake.ts';
import { abandon, advanceWakeTransition } from '../wake/wake.ts';
import { advanceHibernation, startHibernation } from './hibernate.ts';

/** A companion that is not there yet is looked at again this late: nothing tells when a pod behind a Service is ready. */
const companionMs = 30_000;

/** Takes the cluster down, or looks after it while it sleeps. */
export async function driveDown(context: PassContext, driven: Set<string>): Promise<LookAt> {
  const { session, ports } = context;
  const found = session.get(transition);
  if (isWaiting(found)) await withdrawWaiting(context, found);
  const running = isWaiting(found) ? null : found;
  if (isHibernation(running)) {
    driven.add(running.id);
    return advanceHibernation(context, running);
  }
  if (isWake(running) && running.payload.part !== undefined && context.desired.keepAwake.length > 0) {
    return besideSleepers(context, await advanceWakeTransition(context, await takenOver(context, running, driven)));
  }
  if (isWake(running)) await abandon(context, running, driven.has(running.id) ? 'superseded' : 'not_observed');
  await ports.view.watchPods(false);
  if (!isWake(running) && isAsleep(session.get(phase))) return lookAfter(context, driven);
  const started = await startHibernation(context);
  driven.add(started.id);
  return advanceHibernation(context, started);
}

/** After a hibernation that was stopped half-way, what is up and recorded was never lowered: its owner did not raise it. */
function isAsleep(known: Phase | null): boolean {
  return known?.phase === 'hibernated' && known.stoppedHalfway !== true;
}

/** What else there is to see to while the cluster sleeps. */
async function besideSleepers(context: PassContext, wish: LookAt): Promise<LookAt> {
  const pending = await putCompanionsToSleep(context);
  const kept = databasesKeptUp(context);
  // The cloud restarts a stopped database by itself after seven days.
  const names = Object.keys(context.compiled.config.databases).filter((name) => !kept.has(name));
  const databases = await stopDatabases(context, names);
  return earliest(wish, databases.lookAt, pending.length > 0 ? now(context) + companionMs : undefined);
}

async function lookAfter(context: PassContext, driven: Set<string>): Promise<LookAt> {
  const woken = await startPartWake(context);
  if (woken !== undefined) {
    driven.add(woken.id);
    return besideSleepers(context, await advanceWakeTransition(context, woken));
  }
  const { added, retryAt } = await handleDrift(context);
  const lookAt = await besideSleepers(context, earliest(retryAt, await repairKeptUp(context)));
  if (added.length === 0) return lookAt;
  const started = await startHibernation({ ...context, trigger: { actor: 'controller', cause: 'drift' } }, added);
  driven.add(started.id);
  return earliest(lookAt, await advanceHibernation(context, started));
}
