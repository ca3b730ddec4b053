import { workloadWillNotScale } from '../../domain/announcement/conditions.ts';
import { wakeRenewed, wakeWidened } from '../../domain/announcement/wake.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { implausible, type Restore } from '../../domain/restore/decide-restore.ts';
import { unreadableName } from '../../domain/stops/unreadable-key.ts';
import { actsNamed, isRenewal } from '../../domain/wake/renewal.ts';
import { resumeWake } from '../../domain/wake/start.ts';
import { workloadKey } from '../../domain/workload.ts';
import { databaseStates } from '../../state/database-states.ts';
import { type WakeOverride, wakeOverride } from '../../state/intents/wake-override.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { withoutRecords } from '../act/records.ts';
import { actsOf, restoresOf, servedRecords } from '../act/restore.ts';
import { apply } from '../act/scaling.ts';
import { announce } from '../announcements/announce.ts';
import { wakeCompanions } from '../beside/companions.ts';
import { forgetWaits, startDatabases, stoppedByUs } from '../beside/database-steps.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import { stopHibernation } from '../transition/stop-hibernation.ts';
import { isWaiting, isWake, transition, type Wake } from '../transition/transition.ts';
import { awakePhase, hasWakeAhead } from './awake-phase.ts';
import { startRetryWake } from './retry-wake.ts';
import { advanceWakeTransition, beginWaited, startWakeTransition } from './wake.ts';
import { recordsOf } from './wake-members.ts';
import type { WakeStep } from './wake-step.ts';

/** What a wake left down is tried again this often. */
const repairMs = 30_000;

export interface AwakeProgress {
  readonly requeueAt: RequeueAt;
  /** What is not back yet, by name. */
  readonly pending: readonly string[];
}

/** Brings the cluster up, or keeps it up. */
export async function reconcileAwake(context: WakeStep): Promise<AwakeProgress> {
  if (!context.session.read(resourceStates).ok) return reconcileAwakeWithoutCounts(context);
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

/**
 * No count is guessed, so nothing is raised whose record cannot be read; what another ConfigMap has a record of, and what
 * stands on other keys, comes back all the same. No record is dropped until all can be read.
 */
async function reconcileAwakeWithoutCounts(context: WakeStep): Promise<AwakeProgress> {
  const acts = actsOf((await restoresOf(context, wantedUp(context))).values());
  if (acts.length > 0) await noteHalfAwake(context);
  const applied = await apply(context, acts);
  const databases = await startDatabases(context, stoppedByUs(context));
  return withCompanions(context, earliest(databases.requeueAt, applied.retryAt));
}

/**
 * What comes up without a transition may be wanted down again before all of it is up: a cluster that is noted as asleep would
 * then take it for its owners' doing, and leave it up all night.
 */
async function noteHalfAwake({ session }: WakeStep): Promise<void> {
  const known = session.getOrEmpty(phase);
  if (known?.phase !== 'hibernated' || known.stoppedHalfway === true) return;
  await session.writeIfRoom('reserve', set(phase, { ...known, stoppedHalfway: true }));
}

async function withCompanions(context: WakeStep, requeueAt: RequeueAt): Promise<AwakeProgress> {
  const companions = await wakeCompanions(context);
  const pending = new Set([...(await pendingNames(context)), ...companions]);
  // A wake may end with a database that would not start: nothing else would bring the next pass before long.
  const left = companions.length > 0 || stoppedByUs(context).length > 0;
  return { requeueAt: earliest(requeueAt, left ? now(context) + repairMs : undefined), pending: [...pending] };
}

/**
 * Brings everything up that is recorded, at once and without a transition, for a state that has no room for one. What is
 * back loses its record, so that there is room again.
 */
export async function bringUpUnrecorded(context: WakeStep): Promise<AwakeProgress> {
  const restores = await restoresOf(context, wantedUp(context));
  if (actsOf(restores.values()).length > 0) await noteHalfAwake(context);
  const requeueAt = await repair(context, restores);
  return withCompanions(context, earliest(requeueAt, now(context) + repairMs));
}

/** A wake of what another cluster named is overtaken by the one of everything: that one has the verdicts on all of it. */
async function widenPartWake(context: WakeStep): Promise<void> {
  const { session, logger } = context;
  const running = session.get(transition);
  if (!isWake(running) || running.payload.part === undefined) return;
  // What is tried again stands beside a cluster that is awake already.
  if (running.payload.retry === true && isAwake(context)) return;
  await announce(context, [wakeWidened(running, now(context))], [set(transition, null)]);
  logger.info('The wake of what other clusters need goes on as one of the whole cluster', { id: running.id });
}

/** A wake that another process began gets the longer outside figure, once. */
export async function takenOver(context: WakeStep, running: Wake): Promise<Wake> {
  const { driven } = context;
  if (driven.has(running.id)) return running;
  driven.add(running.id);
  const wake = resumeWake(running.payload.wake, now(context));
  const next: Wake = { ...running, payload: { ...running.payload, wake } };
  await context.session.write(set(transition, next));
  context.logger.info('Wake taken over after a restart', { id: running.id });
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
  if (isRenewal(acts)) {
    await settleAwake(context, restores);
    return undefined;
  }
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

/** Whether a wake that began now would raise, resume or start anything. */
export async function hasSomethingToWake(context: WakeStep): Promise<boolean> {
  const restores = await restoresOf(context, wantedUp(context));
  return !isRenewal(actsIn(restores.values(), stoppedByUs(context).length));
}

/** Everything is up: records that have served go, marks on what its owner took back go, and the cluster counts as awake. */
async function settleAwake(context: WakeStep, restores: ReadonlyMap<string, Restore>): Promise<void> {
  const { session, informers } = context;
  await informers.watchPods(false);
  // What loses its mark here has served too: the pass that follows at once drops its record.
  await apply(context, actsOf(restores.values()));
  const records = session.get(resourceStates);
  const served = new Set(servedRecords(records, restores).map(workloadKey));
  const edits = [set(resourceStates, withoutRecords(records, served))];
  if (session.getOrEmpty(phase)?.phase === 'hibernated' || hasWakeAhead(context)) {
    await session.write(...edits, set(phase, awakePhase(context, now(context))));
  } else if (served.size > 0) await session.write(...edits);
  await answerRenewal(context);
}

/** Nothing of it sleeps but what a wake left down; a cluster that never hibernated is awake too. */
function isAwake(context: WakeStep): boolean {
  return context.session.getOrEmpty(phase)?.phase !== 'hibernated' && !hasWakeAhead(context);
}

/** While single workloads are tried again, what else a wake left down is repaired as without it. */
async function repairBeside(context: WakeStep, { payload }: Wake): Promise<RequeueAt> {
  if (payload.retry !== true) return undefined;
  const mine = new Set(recordsOf(context, payload).map(workloadKey));
  const others = wantedUp(context).filter((record) => !mine.has(workloadKey(record)));
  if (others.length === 0) return undefined;
  return repair(context, await restoresOf(context, others), mine);
}

/** `except`: what has a wake of its own, and keeps its records until that has ended. */
async function repair(
  context: WakeStep,
  restores: ReadonlyMap<string, Restore>,
  except: ReadonlySet<string> = new Set(),
): Promise<RequeueAt> {
  const { session } = context;
  const applied = await apply(context, actsOf(restores.values()));
  const databases = await startDatabases(context, stoppedByUs(context));
  for (const [workload, message] of applied.refused) {
    context.conditions.holds(workloadWillNotScale(workload, message, now(context)));
  }
  const records = session.get(resourceStates);
  const looked = records.filter((record) => !except.has(workloadKey(record)));
  const served = new Set(servedRecords(looked, await restoresOf(context, looked)).map(workloadKey));
  if (served.size > 0) await session.write(set(resourceStates, withoutRecords(records, served)));
  return earliest(databases.requeueAt, applied.retryAt);
}

/** A wake was asked for while the cluster already runs, or already wakes: its end moves, and nothing else happens. */
async function answerRenewal(context: WakeStep): Promise<void> {
  const asked = unansweredWake(context);
  if (asked === undefined) return;
  const known = context.session.getOrEmpty(phase);
  const answered = { phase: 'awake', since: now(context), ...known, wakeAnsweredAt: asked.at } as const;
  await announce(context, [wakeRenewed(asked)], [set(phase, answered)]);
}

/** The wake that somebody asked for and that has had no answer yet. */
function unansweredWake({ session }: WakeStep): WakeOverride | undefined {
  const asked = session.getOrEmpty(wakeOverride);
  // What cannot be noted as answered would be answered on every pass.
  if (asked === null || !session.read(phase).ok) return undefined;
  const answeredAt = session.getOrEmpty(phase)?.wakeAnsweredAt ?? Number.NEGATIVE_INFINITY;
  return asked.at > answeredAt ? asked : undefined;
}

/** The transition that follows is the answer to a wake that was asked for. */
export async function answerWake(context: WakeStep): Promise<void> {
  const asked = context.session.getOrEmpty(wakeOverride);
  const known = context.session.getOrEmpty(phase);
  if (asked === null || known === null || asked.at === known.wakeAnsweredAt) return;
  await context.session.write(set(phase, { ...known, wakeAnsweredAt: asked.at }));
}

/** The records of what belongs up now; of those that can be read, where some cannot. */
function wantedUp({ session, snapshot }: WakeStep): readonly WorkloadRecord[] {
  return session.getOrEmpty(resourceStates).filter((record) => snapshot.want(record) === 'up');
}

function actsIn(restores: Iterable<Restore>, databasesToStart: number) {
  const all = [...restores];
  return {
    workloadsToRaise: all.filter(({ act }) => act === 'raise' || act === 'read-first' || act === 'refuse').length,
    toResume: all.flatMap((restore) => (restore.act === 'resume' ? [restore.workload.kind] : [])),
    databasesToStart,
  };
}

/** Names what is recorded and still down or marked, and the databases that we stopped. */
async function pendingNames(context: WakeStep): Promise<readonly string[]> {
  const { session } = context;
  const unreadable = [
    ...(session.read(resourceStates).ok ? [] : [resourceStates.key]),
    ...(session.read(databaseStates).ok ? [] : [databaseStates.key]),
  ];
  const records = wantedUp(context);
  const restores = await restoresOf(context, records);
  const down = records.flatMap((record) => {
    const key = workloadKey(record);
    const restore = restores.get(key);
    if (restore === undefined || restore.act === 'none') return [];
    return restore.act === 'refuse' ? `${key}: ${implausible(restore.count)}` : key;
  });
  return [...unreadable.map(unreadableName), ...stoppedByUs(context).map((name) => `database ${name}`), ...down];
}
