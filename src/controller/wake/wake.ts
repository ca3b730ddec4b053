import type { Announcement } from '../../domain/announcement/announcement.ts';
import { barrierTimedOut, wakeEnded, wakeStarted } from '../../domain/announcement/wake.ts';
import { durationMs } from '../../domain/duration.ts';
import { targetText } from '../../domain/externalwake/session.ts';
import { runsOf, type WorkloadKind } from '../../domain/kinds/kinds.ts';
import { isReplicaRecord } from '../../domain/record/record.ts';
import type { Restore } from '../../domain/restore/decide-restore.ts';
import { type AdvancedWake, advanceWake } from '../../domain/wake/advance.ts';
import type { WakeChange } from '../../domain/wake/change.ts';
import { endOf } from '../../domain/wake/ending.ts';
import { abandonWake, startWake } from '../../domain/wake/start.ts';
import { keptDetail } from '../../domain/wake/verdict/failure-sentence.ts';
import type { WakeObservations } from '../../domain/wake/verdict/observation.ts';
import type { WakeState } from '../../domain/wake/verdict/wake-state.ts';
import { type EpochMs, isScalable, workloadKey } from '../../domain/workload.ts';
import { type Phase, phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateEdit, set, setIfReadable } from '../../state/snapshot.ts';
import { withoutRecords } from '../act/records.ts';
import { restoresOf, servedRecords } from '../act/restore.ts';
import { type Act, apply, isDue, retryAt } from '../act/scaling.ts';
import { announce } from '../announcements/announce.ts';
import { allPointedBack, type LeftAtTheEnd, lastCallOfCompanions } from '../beside/companions.ts';
import { startDatabases, stoppedByUs } from '../beside/database-steps.ts';
import { earliest, now, type RequeueAt, soonMs } from '../loop/requeue.ts';
import { begin } from '../transition/begin-transition.ts';
import { transition, transitionId, type Wake, type WakePayload } from '../transition/transition.ts';
import { awakePhase } from './awake-phase.ts';
import { resumedTogether } from './resume-pace.ts';
import { wakeEndFrame, wakeFrame } from './wake-frame.ts';
import {
  asMembers,
  cronJobsIn,
  type Member,
  members,
  neededFirst,
  recordsOf,
  startedMembers,
  wakeTiers,
} from './wake-members.ts';
import { observe, suspendedStill } from './wake-observations.ts';
import type { WakeStep } from './wake-step.ts';
import { outOfStep, watchHealthOf } from './watch-health.ts';
import { sessionsWokenBy } from './woken-for.ts';

/**
 * `because`: what it has to do, in words. `ofPart`: what other clusters named, or what is tried again, when it is about that
 * alone. `edits` go with its first write.
 */
export async function startWakeTransition(
  context: WakeStep,
  because: readonly string[],
  ofPart: Pick<WakePayload, 'part' | 'retry'> = {},
  edits: readonly StateEdit[] = [],
): Promise<Wake> {
  const { trigger } = context;
  const at = now(context);
  const { payload, sizes } = await plannedWake(context, transitionId('wake', at, context.random), ofPart);
  const started: Wake = { kind: 'wake', id: payload.wake.id, startedAt: at, trigger, payload };
  await begin(context, started, [wakeStarted({ ...started, ...namedIn(started) })], edits);
  context.logger.info('Wake started', { ...trigger, because, ...namedIn(started), tiers: sizes });
  return started;
}

/** A wake that has waited for hosting clusters: its tiers and its deadlines begin now. */
export async function beginWaited(context: WakeStep, waiting: Wake): Promise<Wake> {
  const { payload, sizes } = await plannedWake(context, waiting.id);
  context.logger.info('Wake started', { ...waiting.trigger, because: ['hosting clusters'], tiers: sizes });
  return save(context, waiting, payload);
}

/**
 * A wake of what other clusters named that is about more from now on. Its tiers and deadlines begin anew, for it cannot be
 * behind with what it has only now heard of; what was found out about the others stays.
 */
export async function replanPartWake(
  context: WakeStep,
  running: Wake,
  part: NonNullable<WakePayload['part']>,
): Promise<Wake> {
  const { refused, wake } = running.payload;
  const { payload, sizes } = await plannedWake(context, running.id, { part });
  const { writeOffs } = wake;
  const joined = await save(context, running, { ...payload, refused, wake: { ...payload.wake, writeOffs } });
  context.logger.info('A wake is about more now', { ...joined.trigger, ...namedIn(joined), tiers: sizes });
  return joined;
}

/** The tiers of a wake that begins now. `sizes`: how many workloads each has, for the log. */
async function plannedWake(
  context: WakeStep,
  id: string,
  ofPart: Pick<WakePayload, 'part' | 'retry'> = {},
): Promise<{ readonly payload: WakePayload; readonly sizes: readonly string[] }> {
  const { compiled, snapshot } = context;
  const all = members(context, ofPart);
  const first = await neededFirst(context, all);
  const tiers = wakeTiers(context, all, { first, ...ofPart });
  const plan = {
    id,
    tiers: tiers.map((tier) => ({
      name: tier.name,
      barrierMs: tier.timeout === undefined ? compiled.wakeBarrierMs : durationMs(tier.timeout),
      workloads: tier.members.flatMap(({ record }) => {
        if (!isReplicaRecord(record) || record.replicas === 0) return [];
        const workload = snapshot.workload(record);
        return [workload !== undefined && isScalable(workload) ? workload : undefined];
      }),
      databases: tier.databases,
    })),
  };
  const { wake } = startWake(plan, now(context), compiled.figures);
  return {
    payload: { kind: 'wake', wake, refused: {}, ...(first.length === 0 ? {} : { first }), ...ofPart },
    sizes: plan.tiers.map((tier) => `${tier.name}: ${tier.workloads.length}`),
  };
}

/** Takes the running wake as far as it goes now. */
export async function advanceWakeTransition(context: WakeStep, running: Wake): Promise<RequeueAt> {
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
function leftDown(context: WakeStep): RequeueAt {
  const left = context.session.get(resourceStates).length + stoppedByUs(context).length;
  return left === 0 ? undefined : now(context) + soonMs;
}

type Step = { readonly next: Wake | undefined } | { readonly requeueAt: RequeueAt };

async function advanceOnce(context: WakeStep, current: Wake): Promise<Step> {
  const { frames, compiled } = context;
  const all = members(context, current.payload);
  const restores = await restoresOf(
    context,
    all.map(({ record }) => record),
  );
  const started = startedMembers(context, current, all);
  const restored = await restoreStarted(context, current, started, restores);
  const noted = restored.payload === current.payload ? current : await save(context, current, restored.payload);
  // What was raised or resumed is not in this pass's snapshot: the next pass, which follows at once, judges it.
  if (restored.progress) return { requeueAt: now(context) };
  if (noted !== current) return { next: noted };

  const databases = await startDatabases(context, startedDatabases(current.payload.wake));
  const health = watchHealthOf(context, current.payload.wake, waitedFor(all));
  const observations: WakeObservations = {
    workloads: observe(context, current, { all, restores }, health),
    databases: databases.observations,
    cronJobs: suspendedStill(context, current, { all, restores }),
  };
  const again = restored.retryAt;
  if (health.heldUntil !== undefined) {
    frames.send(wakeFrame(context, current, current.payload.wake, observations));
    return { requeueAt: earliest(health.heldUntil, databases.requeueAt, again) };
  }
  const judged = advanceWake(current.payload.wake, observations, now(context), compiled.figures);
  const inTime = now(context) < current.payload.wake.startedAt + current.payload.wake.failOpenMs;
  const willing = holdEnd(judged, { pending: restored.pending, inTime });
  const left = willing.wake.endedAt === undefined ? nothingLeft : await leftOf(context, current.payload);
  const advanced = holdEnd(willing, { pending: left.lasting ? 0 : left.names.length, inTime });
  // The end is told by `finish`, with what came of it.
  if (advanced.wake.endedAt === undefined) {
    frames.send(wakeFrame(context, current, advanced.wake, observations));
  }
  const next: Wake = { ...current, payload: { ...current.payload, wake: advanced.wake } };
  if (advanced.wake.endedAt !== undefined) {
    const last = { ...observations, redirected: left.names };
    return { next: await finish(context, next, last, advanced.changes) };
  }
  if (advanced.changes.length > 0) {
    await announce(context, barriersIn(context, current, advanced.changes), [set(transition, next)]);
    logChanges(context, advanced.changes);
    return { next };
  }
  // A watch that fails says nothing, so it is looked for.
  const watchesAt = now(context) + compiled.figures.watchGraceMs;
  return { requeueAt: earliest(advanced.nextCheckAt, databases.requeueAt, again, left.retryAt, watchesAt) };
}

/** What was named comes up under a cluster that sleeps: what stands in for the rest stays, and is not missed. */
async function leftOf(context: WakeStep, { part, retry }: WakePayload): Promise<LeftAtTheEnd> {
  if (retry === true) return nothingLeft;
  return lastCallOfCompanions(context, part === undefined ? 'all' : 'part');
}

const nothingLeft: LeftAtTheEnd = { names: [], lasting: true, retryAt: undefined };

/**
 * A wake does not end over a tier that it has only now let through, nor, while its time lasts, over acts that are still
 * to be done: CronJobs, for which it waits with nothing else, would be asleep under a wake that says it is complete.
 */
function holdEnd(advanced: AdvancedWake, held: { readonly pending: number; readonly inTime: boolean }): AdvancedWake {
  const { endedAt, endedBy, ...wake } = advanced.wake;
  const letsThrough = advanced.changes.some(({ kind }) => kind === 'tier_started');
  const unfinished = endedBy === 'settled' && held.pending > 0 && held.inTime;
  if (endedAt === undefined || !(letsThrough || unfinished)) return advanced;
  return { ...advanced, wake, changes: advanced.changes.filter(({ kind }) => kind !== 'ended') };
}

/** A hibernation takes over, or the cluster no longer heads where the wake was driving it: none of it is wanted up now. */
export async function abandon(context: WakeStep, current: Wake, by: 'superseded' | 'not_observed'): Promise<void> {
  const all = asMembers(context, recordsOf(context, current.payload));
  const restores = await restoresOf(
    context,
    all.map(({ record }) => record),
  );
  const { wake } = abandonWake(current.payload.wake, by, now(context));
  const health = { lost: outOfStep(context, waitedFor(all)) };
  const workloads = observe(context, current, { all, restores }, health);
  const cronJobs = suspendedStill(context, current, { all, restores });
  const observations: WakeObservations = { workloads, databases: [], cronJobs };
  await finish(context, { ...current, payload: { ...current.payload, wake } }, observations);
}

interface Restored {
  readonly payload: WakePayload;
  /** Something was raised or resumed. */
  readonly progress: boolean;
  /** Acts that are still to be done and that the cluster has not been refusing for long. */
  readonly pending: number;
  /** When the next act is due; undefined when all are done. */
  readonly retryAt: RequeueAt;
}

async function restoreStarted(
  context: WakeStep,
  current: Wake,
  started: readonly Member[],
  restores: ReadonlyMap<string, Restore>,
): Promise<Restored> {
  const { payload } = current;
  const acts: Act[] = [];
  const resumes: Act[] = [];
  for (const member of started) {
    const key = workloadKey(member);
    const restore = restores.get(key);
    if (restore === undefined) continue;
    if (restore.act === 'resume' && runsOf(restore.workload.kind) === 'jobs') resumes.push(restore);
    else if (restore.act === 'raise' || restore.act === 'resume' || restore.act === 'disown') acts.push(restore);
  }
  const raised = await apply(context, acts);
  // Workloads first, because jobs of a resumed CronJob may call them.
  const due = raised.done.size > 0 ? [] : nextToResume(context, resumes);
  const resumed = await apply(context, due);
  if (due.length > 0) context.resumePace.stepped(context.clock.monotonic());
  const done = raised.done.union(resumed.done);
  const left = [...acts, ...resumes].filter(({ workload }) => !done.has(workloadKey(workload)));
  const refused = refusedAfter(payload.refused, left, new Map([...raised.refused, ...resumed.refused]));
  return {
    payload: refused === payload.refused ? payload : { ...payload, refused },
    progress: done.size > 0,
    pending: left.filter(({ workload }) => refused[workloadKey(workload)] === undefined).length,
    retryAt: earliest(
      raised.retryAt,
      nextStepAt(
        context,
        resumes.filter(({ workload }) => !done.has(workloadKey(workload))),
      ),
    ),
  };
}

/** When the next step of CronJobs is to be taken: not before its pace allows it, nor before one that was refused is due again. */
function nextStepAt(context: WakeStep, waiting: readonly Act[]): RequeueAt {
  const due = retryAt(context, waiting);
  return due === undefined ? undefined : Math.max(due, now(context) + resumeWait(context));
}

/** The next step of CronJobs; one that was refused makes room for the others until it is due again. */
function nextToResume(context: WakeStep, resumes: readonly Act[]): readonly Act[] {
  if (resumeWait(context) > 0) return [];
  return resumes.filter((act) => isDue(act, context.backoff)).slice(0, resumedTogether);
}

/** What the cluster has been refusing and still does, with its first words. The same object if nothing changed. */
function refusedAfter(
  known: Readonly<Record<string, string>>,
  left: readonly Act[],
  refused: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const keys = left.map(({ workload }) => workloadKey(workload));
  const after = Object.fromEntries(
    keys.flatMap((key) => {
      const message = known[key] ?? refused.get(key);
      return message === undefined ? [] : [[key, keptDetail(message)]];
    }),
  );
  const same = Object.keys(after).length === Object.keys(known).length;
  return same && Object.keys(after).every((key) => known[key] !== undefined) ? known : after;
}

function resumeWait({ resumePace, clock }: WakeStep): number {
  return resumePace.wait(clock.monotonic());
}

/** Kinds whose watches must be in step before a verdict: those of workloads that are raised, and so waited for. */
function waitedFor(all: readonly Member[]): ReadonlySet<WorkloadKind> {
  return new Set(all.flatMap(({ record }) => (isReplicaRecord(record) && record.replicas > 0 ? record.kind : [])));
}

/** What the wake is about, in words, when it is not the whole cluster. */
function namedIn({ payload }: Wake): { readonly resources?: readonly string[] } {
  return payload.part === undefined ? {} : { resources: payload.part.map(targetText) };
}

/** A cluster of which other clusters have some up sleeps; one in which some was tried again is as it was. */
function phaseAfter(context: WakeStep, { payload }: Wake, at: EpochMs): Phase | null {
  if (payload.part === undefined) return awakePhase(context, at);
  const known = context.session.getOrEmpty(phase);
  if (payload.retry === true) return known;
  return { since: at, ...known, phase: 'hibernated', wokenFor: sessionsWokenBy(context, payload.part) };
}

function startedDatabases(wake: WakeState): readonly string[] {
  return wake.tiers.filter((tier) => tier.startedAt !== undefined).flatMap((tier) => tier.databases);
}

function barriersIn(context: WakeStep, current: Wake, changes: readonly WakeChange[]): readonly Announcement[] {
  return changes.flatMap((change) =>
    change.kind === 'barrier_timeout' ? [barrierTimedOut(current, change, now(context))] : [],
  );
}

/** Once they are stored: a pass that ends in a conflict finds them anew. */
function logChanges({ logger }: WakeStep, changes: readonly WakeChange[]): void {
  for (const change of changes) {
    if (change.kind === 'written_off') {
      logger.warn('A workload was written off', { workload: change.workload, sentence: change.sentence });
    } else if (change.kind === 'lifted') {
      logger.info('A write-off was withdrawn', { workload: change.workload, sentence: change.sentence });
    } else logger.debug('The wake went on', { ...change });
  }
}

async function save(context: WakeStep, current: Wake, payload: WakePayload): Promise<Wake> {
  const next: Wake = { ...current, payload };
  await context.session.write(set(transition, next));
  return next;
}

/** The end: records of what was seen back go; what is still down keeps its record and is tried again by later passes. */
async function finish(
  context: WakeStep,
  current: Wake,
  observations: WakeObservations,
  changes: readonly WakeChange[] = [],
): Promise<undefined> {
  const at = now(context);
  const { session, frames, metrics, compiled } = context;
  const ending = endOf(current.payload.wake, observations, at, compiled.figures);
  const records = session.get(resourceStates);
  const mine = recordsOf(context, current.payload);
  const cronJobs = cronJobsIn(mine);
  const served = new Set(servedRecords(mine, await restoresOf(context, mine)).map(workloadKey));
  const superseded = current.payload.wake.endedBy === 'superseded';
  allPointedBack(context);
  await announce(
    context,
    [...barriersIn(context, current, changes), wakeEnded({ ...current, ...namedIn(current), cronJobs }, ending)],
    [
      // A hibernation that takes over records anew; until then no record is dropped that it may need.
      set(resourceStates, superseded ? records : withoutRecords(records, served)),
      set(transition, null),
      setIfReadable(phase, phaseAfter(context, current, at)),
    ],
  );
  if (current.payload.part === undefined && !superseded) context.unnotedWake.ended(session);
  logChanges(context, changes);
  frames.send(wakeEndFrame(context, current, observations, { ...ending, cronJobs }));
  metrics.transitions.inc({ kind: 'wake', result: ending.result });
  // Counted as recorded: a recovery that a second write-off took back is none.
  for (const { reason } of ending.recovered) metrics.recoveries.inc({ reason });
  return undefined;
}
