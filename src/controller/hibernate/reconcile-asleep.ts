import { externalWakeOver } from '../../domain/announcement/hibernation.ts';
import { type WorkloadRecord, wasDown } from '../../domain/record/record.ts';
import { workloadKey } from '../../domain/workload.ts';
import { isAsleep, phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { stopDatabases } from '../beside/database-steps.ts';
import { putCompanionsToSleep } from '../beside/run-companions.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import { databasesKeptUp, keptUp } from '../snapshot/kept-up.ts';
import {
  type Hibernation,
  isForOthers,
  isHibernation,
  isWaiting,
  isWake,
  transition,
  type Wake,
} from '../transition/transition.ts';
import { type DriftStep, handleDrift } from '../upkeep/drift.ts';
import { abandon } from '../wake/course/abandon-wake.ts';
import { advanceWakeTransition } from '../wake/course/advance-wake.ts';
import { isOwners, recordsOf } from '../wake/course/wake-members.ts';
import { namedSessions } from '../wake/course/woken-for.ts';
import { withdrawWaiting } from '../wake/host-wait.ts';
import { joinPartWake, repairKeptUp, startPartWake } from '../wake/part-wake.ts';
import { takenOver } from '../wake/take-over.ts';
import type { WakeStep } from '../wake/wake-step.ts';
import { advanceHibernation } from './hibernate.ts';
import type { HibernationStep } from './hibernation-step.ts';
import { startHibernation } from './start-hibernation.ts';

/** What a sleeping cluster needs: others may have a part of it up, and what changes in the night is followed. */
export interface AsleepStep extends HibernationStep, WakeStep, DriftStep {}

const afterOthers = { actor: 'controller', cause: externalWakeOver } as const;
/** A companion that is not there yet is looked at again this late: nothing tells when a pod behind a Service is ready. */
const companionMs = 30_000;

/** Takes the cluster down, or looks after it while it sleeps. */
export async function reconcileAsleep(context: AsleepStep): Promise<RequeueAt> {
  const { session, informers, driven } = context;
  for (const workload of keptUp(context)) context.lowerings.upForOthers(workload);
  const found = session.get(transition);
  if (isWaiting(found)) await withdrawWaiting(context, found);
  const running = isWaiting(found) ? null : found;
  if (isHibernation(running)) return goOnDown(context, running);
  if (isForOthers(running) && context.desired.keepAwake.length > 0) {
    const current = await joinPartWake(context, await takenOver(context, running));
    return besideSleepers(context, await advanceWakeTransition(context, current));
  }
  const woken = isForOthers(running) ? wokenBy(context, running) : [];
  await noteWoken(context, woken);
  if (isWake(running)) await abandon(context, running, driven.has(running.id) ? 'superseded' : 'not_observed');
  await informers.watchPods(false);
  const sleepsOn = (!isWake(running) || isForOthers(running)) && isAsleep(session.get(phase));
  if (!sleepsOn) return takeDown(context);
  return woken.length > 0 ? sleepOn(context, woken) : lookAfter(context);
}

function goOnDown(context: AsleepStep, running: Hibernation): Promise<RequeueAt> {
  const { driven, lowerings, replicaChanges, conditions } = context;
  // Another one began it: what this process remembers is of another night, or of before the other one acted.
  if (!driven.has(running.id)) lowerings.over();
  driven.add(running.id);
  replicaChanges.goOn(conditions, now(context));
  return advanceHibernation(context, running);
}

/** Of everything that should sleep, or only of what is named. */
async function takeDown(context: AsleepStep, only?: readonly string[]): Promise<RequeueAt> {
  const started = await startHibernation(context, only);
  context.driven.add(started.id);
  return advanceHibernation(context, started);
}

/** Of a cluster that has been asleep all the while, what others had up goes down again, and nothing else: no new night begins. */
async function sleepOn(context: AsleepStep, woken: readonly string[]): Promise<RequeueAt> {
  const requeueAt = await besideSleepers(context, undefined);
  return earliest(requeueAt, await takeDown({ ...context, trigger: afterOthers }, woken));
}

/** Keys of what the wake has, or may have, up: what its owner had down before the night, or has up by himself, is none of it. */
function wokenBy(context: AsleepStep, { payload }: Wake): readonly string[] {
  const records = recordsOf(context, payload);
  return records.filter((record) => !wasDown(record) && !isOwners(record)).map(workloadKey);
}

/** What we have up for others goes down again, whatever becomes of this pass once nothing else says that it was us. */
async function noteWoken({ session }: AsleepStep, woken: readonly string[]): Promise<void> {
  if (woken.length === 0) return;
  const keys = new Set(woken);
  const records = session.get(resourceStates).map((record): WorkloadRecord => {
    return keys.has(workloadKey(record)) ? { ...record, provisional: true } : record;
  });
  await session.write(set(resourceStates, records));
}

/** What else there is to see to while the cluster sleeps. */
async function besideSleepers(context: AsleepStep, wish: RequeueAt): Promise<RequeueAt> {
  const { awaited, retryAt } = await putCompanionsToSleep(context);
  const kept = databasesKeptUp(context);
  // The cloud restarts a stopped database by itself after seven days.
  const names = Object.keys(context.compiled.config.databases).filter((name) => !kept.has(name));
  const databases = await stopDatabases(context, names);
  const companionsAt = awaited.length > 0 ? now(context) + companionMs : undefined;
  return earliest(wish, databases.requeueAt, retryAt, companionsAt);
}

async function lookAfter(context: AsleepStep): Promise<RequeueAt> {
  const { driven } = context;
  const woken = await startPartWake(context);
  if (woken !== undefined) {
    driven.add(woken.id);
    return besideSleepers(context, await advanceWakeTransition(context, woken));
  }
  const { added, retryAt } = await handleDrift(context);
  const requeueAt = await besideSleepers(context, earliest(retryAt, await repairKeptUp(context)));
  if (added.length === 0) return requeueAt;
  const cause = (await wasWokenForOthers(context, added)) ? externalWakeOver : 'drift';
  return earliest(requeueAt, await takeDown({ ...context, trigger: { actor: 'controller', cause } }, added));
}

/** Whether these workloads are up because other clusters needed them until now, and were not created in the night. */
async function wasWokenForOthers(context: AsleepStep, keys: readonly string[]): Promise<boolean> {
  const { session, snapshot } = context;
  const known = session.get(phase);
  const { wokenFor = [] } = known ?? {};
  const live = new Set(namedSessions(context).map(({ id }) => id));
  if (known === null || wokenFor.every((id) => live.has(id))) return false;
  const since = known.since;
  const old = snapshot.workloads.filter(({ workload }) => keys.includes(workloadKey(workload)));
  if (!old.every(({ workload }) => workload.createdAt < since)) return false;
  await session.write(set(phase, { ...known, wokenFor: wokenFor.filter((id) => live.has(id)) }));
  return true;
}
