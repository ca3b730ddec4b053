import { actsNamed, isRenewal } from '../../domain/wake/renewal.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { restoresOf } from '../act/restore.ts';
import { forgetWaits, stoppedByUs } from '../beside/database-steps.ts';
import { earliest, type RequeueAt } from '../loop/requeue.ts';
import { stopHibernation } from '../transition/stop-hibernation.ts';
import { isWaiting, isWake, transition, type Wake } from '../transition/transition.ts';
import { answerRenewal, answerWake, unansweredWake } from './answer-wake.ts';
import { type AwakeProgress, withCompanions } from './awake-progress.ts';
import { advanceWakeTransition } from './course/advance-wake.ts';
import { hasWakeAhead, isAwake } from './course/awake-phase.ts';
import { beginWaited, startWakeTransition } from './course/start-wake.ts';
import { widenPartWake } from './part-wake.ts';
import { repair, repairBeside, wantedUp } from './repair.ts';
import { startRetryWake } from './retry-wake.ts';
import { settleAwake } from './settle-awake.ts';
import { takenOver } from './take-over.ts';
import { bringUpWithoutCounts } from './unrecorded.ts';
import { actsIn } from './wake-acts.ts';
import type { WakeStep } from './wake-step.ts';

/** Brings the cluster up, or keeps it up. */
export async function reconcileAwake(context: WakeStep): Promise<AwakeProgress> {
  if (!context.session.read(resourceStates).ok) return bringUpWithoutCounts(context);
  await stopHibernation(context);
  await widenPartWake(context);
  const found = context.session.get(transition);
  // What waited for hosting clusters begins now, under its own name.
  const running = isWaiting(found) ? await beginWaited(context, found) : found;
  if (!isWake(running)) return withCompanions(context, await withoutTransition(context));
  await answerRenewal(context);
  const beside = await repairBeside(context, running);
  const named = await inTheNameOfTheStop(context, await takenOver(context, running));
  const requeueAt = await advanceWakeTransition(context, named);
  return withCompanions(context, earliest(requeueAt, beside));
}

/** A wake that runs when a stop comes is its handback from then on, and is told in its name. */
async function inTheNameOfTheStop(context: WakeStep, running: Wake): Promise<Wake> {
  const { desired, session, trigger } = context;
  const named = running.trigger.actor === trigger.actor && running.trigger.cause === trigger.cause;
  if (desired.wanted !== 'handback' || named) return running;
  const next: Wake = { ...running, trigger };
  await session.write(set(transition, next));
  return next;
}

async function withoutTransition(context: WakeStep): Promise<RequeueAt> {
  const { session, driven, unnotedWake } = context;
  await forgetWaits(context);
  const restores = await restoresOf(context, wantedUp(context));
  const databases = stoppedByUs(context);
  const acts = actsIn(restores.values(), databases.length);
  const retried = isAwake(context) ? await startRetryWake(context) : undefined;
  if (retried !== undefined) {
    driven.add(retried.id);
    return earliest(await repairBeside(context, retried), await advanceWakeTransition(context, retried));
  }
  if (isRenewal(acts)) return settleAwake(context, restores);
  // A cluster that woke already and has something left down is repaired; it wakes a second time only for who asks.
  const noted = session.getOrEmpty(phase)?.phase === 'awake' && !hasWakeAhead(context);
  const woken = noted || unnotedWake.holds(session);
  if (woken && unansweredWake(context) === undefined) return repair(context, restores);
  if (woken) forgetRefusals(context, restores.keys());
  await answerWake(context);
  const started = await startWakeTransition(context, actsNamed(acts));
  driven.add(started.id);
  return advanceWakeTransition(context, started);
}

/** What the cluster refused before is asked for at once: somebody may have seen to it. */
function forgetRefusals({ backoff }: WakeStep, workloads: Iterable<string>): void {
  for (const key of workloads) for (const act of ['raise', 'resume', 'read']) backoff.ended(`${act} ${key}`);
}
