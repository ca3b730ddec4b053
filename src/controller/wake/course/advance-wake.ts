import { advanceWake } from '../../../domain/wake/advance.ts';
import { holdEnd } from '../../../domain/wake/hold-end.ts';
import type { WakeObservations } from '../../../domain/wake/verdict/observation.ts';
import type { WakeState } from '../../../domain/wake/verdict/wake-state.ts';
import { resourceStates } from '../../../state/resource-states.ts';
import { set } from '../../../state/snapshot.ts';
import { restoresOf } from '../../act/restore.ts';
import { announce } from '../../announcements/announce.ts';
import { type DatabaseStep, startDatabases, stoppedByUs } from '../../beside/database-steps.ts';
import { type CompanionsStep, type LeftAtTheEnd, lastCallOfCompanions } from '../../beside/run-companions.ts';
import { earliest, now, type RequeueAt, soonMs } from '../../loop/requeue.ts';
import type { ScopedSnapshot } from '../../snapshot/snapshot.ts';
import { transition, type Wake, type WakePayload } from '../../transition/transition.ts';
import type { WatchOutages } from '../../transition/watch-outages.ts';
import { type FinishWakeStep, finishWake } from './finish-wake.ts';
import { type RaiseStep, raiseStarted } from './raise-members.ts';
import { saveWake } from './stored-wake.ts';
import { barriersIn, logChanges } from './wake-changes.ts';
import { wakeFrame } from './wake-frame.ts';
import { members, startedMembers, tierIndexes, waitedKinds } from './wake-members.ts';
import { type ObserveStep, observe, suspendedStill } from './wake-observations.ts';
import { watchHealthOf } from './watch-health.ts';

/** What taking a running wake further needs of a pass. */
export interface AdvanceWakeStep extends RaiseStep, FinishWakeStep, ObserveStep, CompanionsStep, DatabaseStep {
  readonly snapshot: ScopedSnapshot;
  readonly watchOutages: WatchOutages;
}

/** Takes the running wake as far as it goes now. */
export async function advanceWakeTransition(context: AdvanceWakeStep, running: Wake): Promise<RequeueAt> {
  // Nothing that is to be raised waits for the pods: only verdicts do.
  void context.informers.watchPods(true);
  let current = running;
  while (!context.signal.aborted) {
    const step = await advanceOnce(context, current);
    if ('requeueAt' in step) return step.requeueAt;
    if (step.next === undefined) return leftDown(context);
    current = step.next;
  }
  return undefined;
}

/** A wake that ended before it came to everything (its time was over) leaves the rest to the next pass, soon. */
function leftDown(context: AdvanceWakeStep): RequeueAt {
  const left = context.session.get(resourceStates).length + stoppedByUs(context).length;
  return left === 0 ? undefined : now(context) + soonMs;
}

type Step = { readonly next: Wake | undefined } | { readonly requeueAt: RequeueAt };

async function advanceOnce(context: AdvanceWakeStep, current: Wake): Promise<Step> {
  const { frames, compiled } = context;
  const all = members(context, current.payload);
  const restores = await restoresOf(
    context,
    all.map(({ record }) => record),
  );
  const tiers = tierIndexes(context, current.payload, all);
  const started = startedMembers(current, all, tiers);
  const restored = await raiseStarted(context, current, started, restores);
  const noted = restored.payload === current.payload ? current : await saveWake(context, current, restored.payload);
  // What was raised or resumed is not in this pass's snapshot: the next pass, which follows at once, judges it.
  if (restored.progress) return { requeueAt: now(context) };
  if (noted !== current) return { next: noted };

  const databases = await startDatabases(context, startedDatabases(current.payload.wake));
  const health = watchHealthOf(context, current.payload.wake, waitedKinds(all));
  const observations: WakeObservations = {
    workloads: observe(context, current, { all, tiers, restores }, health),
    databases: databases.observations,
    cronJobs: suspendedStill(current, { all, tiers, restores }),
  };
  const again = restored.retryAt;
  const at = now(context);
  if (health.heldUntil !== undefined) {
    frames.send(wakeFrame(context, current, { wake: current.payload.wake, observations, at }));
    return { requeueAt: earliest(health.heldUntil, databases.requeueAt, again) };
  }
  const judged = advanceWake(current.payload.wake, observations, at, compiled.figures);
  const inTime = at < current.payload.wake.startedAt + current.payload.wake.failOpenMs;
  const willing = holdEnd(judged, { pending: restored.pending, inTime });
  const left = willing.wake.endedAt === undefined ? nothingLeft : await leftOf(context, current.payload);
  const advanced = holdEnd(willing, { pending: left.lasting ? 0 : left.names.length, inTime });
  // The end is told by `finishWake`, with what came of it.
  if (advanced.wake.endedAt === undefined) {
    frames.send(wakeFrame(context, current, { wake: advanced.wake, observations, at }));
  }
  const next: Wake = { ...current, payload: { ...current.payload, wake: advanced.wake } };
  if (advanced.wake.endedAt !== undefined) {
    const last = { ...observations, redirected: left.names };
    return { next: await finishWake(context, next, last, advanced.changes) };
  }
  if (advanced.changes.length > 0) {
    await announce(context, barriersIn(current, advanced.changes, now(context)), [set(transition, next)]);
    logChanges(context.logger, advanced.changes);
    return { next };
  }
  // A watch that fails triggers no pass, so the next pass is timed to look at the watches.
  const watchesAt = now(context) + compiled.figures.watchGraceMs;
  return { requeueAt: earliest(advanced.nextCheckAt, databases.requeueAt, again, left.retryAt, watchesAt) };
}

/** What still stands between callers and what is up. A wake of a part leaves the satellites of the rest in place. */
async function leftOf(context: AdvanceWakeStep, { part, retry }: WakePayload): Promise<LeftAtTheEnd> {
  if (retry === true) return nothingLeft;
  return lastCallOfCompanions(context, part === undefined ? 'all' : 'part');
}

const nothingLeft: LeftAtTheEnd = { names: [], lasting: true, retryAt: undefined };

function startedDatabases(wake: WakeState): readonly string[] {
  return wake.tiers.filter((tier) => tier.startedAt !== undefined).flatMap((tier) => tier.databases);
}
