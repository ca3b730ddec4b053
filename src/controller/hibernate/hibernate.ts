import { isLoweredEnough } from '../../domain/drift/decide-drift.ts';
import { durationMs } from '../../domain/duration.ts';
import { decideTier, type TierDecision } from '../../domain/hibernate/decide-tier.ts';
import { appliesOthers } from '../../domain/kinds/kinds.ts';
import { sleepOrder } from '../../domain/ordering/order.ts';
import type { Tier } from '../../domain/ordering/ordering.ts';
import { keptDetail } from '../../domain/wake/verdict/failure-sentence.ts';
import { type EpochMs, type Workload, workloadKey } from '../../domain/workload.ts';
import { set } from '../../state/snapshot.ts';
import { recordsByKey } from '../act/records.ts';
import { type Act, type Applied, apply } from '../act/scaling.ts';
import { stopDatabases } from '../beside/database-steps.ts';
import { putCompanionsToSleep } from '../beside/run-companions.ts';
import { earliest, now, type RequeueAt, soonMs } from '../loop/requeue.ts';
import { databasesKeptUp } from '../snapshot/kept-up.ts';
import { toSleep } from '../snapshot/snapshot.ts';
import { hibernationFrame } from '../transition/hibernation-frame.ts';
import { type Hibernation, type HibernationPayload, transition } from '../transition/transition.ts';
import { leavingPods, watchLeavingPods } from './drain.ts';
import { finishHibernation } from './finish-hibernation.ts';
import type { HibernationStep } from './hibernation-step.ts';
import { leftUpBy, withLeftUp } from './left-up.ts';
import { raisedMeanwhile, settleLoweredAgain } from './raised-meanwhile.ts';
import { writeRecords } from './write-records.ts';

/** So long lowering waits for stand-ins to be ready, so that callers of a redirected service are never refused. */
const companionWaitMs = 30_000;

/** Takes the running hibernation as far as it goes now. */
export async function advanceHibernation(context: HibernationStep, running: Hibernation): Promise<RequeueAt> {
  let current = running;
  if (current.payload.only === undefined) {
    const waitUntil = current.startedAt + companionWaitMs;
    const { awaited } = await putCompanionsToSleep(context);
    if (awaited.length > 0 && current.payload.tier === undefined && now(context) < waitUntil) {
      return Math.min(waitUntil, now(context) + soonMs);
    }
  }
  while (!context.signal.aborted) {
    const step = await advanceTier(context, current);
    if ('requeueAt' in step) return step.requeueAt;
    // What left our scope meanwhile is handed back by the next pass, which looks after a cluster that sleeps.
    if (step.next === undefined) return now(context) + soonMs;
    current = step.next;
  }
  return undefined;
}

type Step = { readonly next: Hibernation | undefined } | { readonly requeueAt: RequeueAt };

async function advanceTier(context: HibernationStep, current: Hibernation): Promise<Step> {
  const all = tiersOf(context, current);
  const tiers = all.filter(({ name }) => !current.payload.tiersDone.includes(name));
  const tier = tiers[0];
  if (tier === undefined) return { next: await finishHibernation(context, withLeftUp(context, current), all) };
  if (current.payload.tier !== tier.name) {
    return { next: await save(context, current, { tier: tier.name, tierStartedAt: now(context) }) };
  }
  await settleLoweredAgain(context);
  const awaited = tiers.length > 1;
  await watchLeavingPods(context, awaited);
  const decision = decide(context, current, tier.members, awaited);
  const deadlineAt = current.payload.tierStartedAt + timeoutOf(context, tier);
  context.frames.send(hibernationFrame(current, all, { decision, deadlineAt }));
  if (decision.record.length > 0) {
    await writeRecords(context, decision.record);
    return { next: current };
  }
  const released = all.filter((one) => !tiers.includes(one));
  const raised = await raisedMeanwhile(context, current, [...decision.respect, ...resumed(context, current, released)]);
  if (!('again' in raised)) return raised;
  return lowerAll(context, current, { tier, decision, again: raised.again, deadlineAt, released });
}

/** What applies others went down before them; up again, it says of them that they are to stay up. */
function resumed(
  context: HibernationStep,
  current: Hibernation,
  released: readonly Tier<Workload>[],
): readonly Workload[] {
  const appliers = released.flatMap(({ members }) => members.filter(({ kind }) => appliesOthers(kind)));
  return appliers.length === 0 ? [] : decide(context, current, appliers, false).respect;
}

/** The tier that is being taken down, and those before it. */
interface TierWork {
  readonly tier: Tier<Workload>;
  readonly decision: TierDecision;
  /** What was raised in passing, and is lowered again. */
  readonly again: readonly Act[];
  readonly deadlineAt: EpochMs;
  readonly released: readonly Tier<Workload>[];
}

/**
 * Lowers what the tier still has up, and what could not be lowered in the tiers before it. What has been failing for long
 * is noted and tried again, but neither it nor anything else is waited for past the tier's time-out.
 */
async function lowerAll(context: HibernationStep, current: Hibernation, work: TierWork): Promise<Step> {
  const acts = [...actsOf(work.decision), ...work.again];
  const applied = await apply(context, [...acts, ...leftBehind(context, current, work.released)]);
  const timedOut = now(context) >= work.deadlineAt;
  const failed = failedAfter(current.payload.failed, applied, timedOut ? acts : []);
  const next = failed === current.payload.failed ? current : await save(context, current, { failed });
  // What came down is not in this pass's snapshot; the next pass, which follows at once, goes on from there.
  if (applied.done.size > 0) return { requeueAt: now(context) };
  if (next !== current) return { next };
  const waitedFor = acts.some(({ workload }) => failed[workloadKey(workload)] === undefined);
  if (waitedFor) return { requeueAt: earliest(applied.retryAt, work.deadlineAt) };
  return waitForTier(context, current, work, applied.retryAt);
}

function actsOf({ lower, suspend }: TierDecision): readonly Act[] {
  return [
    ...lower.map(({ workload, count }) => ({ act: 'lower', workload, count }) as const),
    ...suspend.map((workload) => ({ act: 'suspend', workload }) as const),
  ];
}

/** What the tiers that were released had to leave up: nobody waits for it, and it is still wanted down. */
function leftBehind(
  context: HibernationStep,
  current: Hibernation,
  released: readonly Tier<Workload>[],
): readonly Act[] {
  const { failed } = current.payload;
  const members = released.flatMap((tier) =>
    tier.members.filter((member) => failed[workloadKey(member)] !== undefined),
  );
  return actsOf(decide(context, current, members, false));
}

/** What has not come down: with the cluster's own words, or because the time of its tier is over. The same object if nothing changed. */
function failedAfter(
  known: Readonly<Record<string, string>>,
  applied: Applied,
  overdue: readonly Act[],
): Readonly<Record<string, string>> {
  const failed = { ...known };
  for (const key of applied.done) delete failed[key];
  for (const [key, message] of applied.refused) failed[key] ??= keptDetail(message);
  for (const { workload } of overdue) {
    const key = workloadKey(workload);
    if (!applied.done.has(key)) failed[key] ??= 'it was not down when the time of its tier was over';
  }
  const same = Object.keys(failed).length === Object.keys(known).length;
  return same && Object.keys(failed).every((key) => known[key] !== undefined) ? known : failed;
}

async function waitForTier(
  context: HibernationStep,
  current: Hibernation,
  { tier, decision, deadlineAt: deadline }: TierWork,
  retryAt: RequeueAt,
): Promise<Step> {
  const databases = await stopDatabases(context, tier.databases);
  const timedOut = now(context) >= deadline;
  if ((decision.draining.length > 0 || databases.stopping.length > 0) && !timedOut) {
    const readAt = now(context) + context.compiled.figures.watchGraceMs;
    return { requeueAt: earliest(deadline, databases.requeueAt, readAt, retryAt) };
  }
  const { tiersDone, tiersTimedOut } = current.payload;
  const waitedInVain = timedOut && decision.draining.length > 0;
  return {
    next: await save(context, current, {
      tiersDone: [...tiersDone, tier.name],
      ...(waitedInVain ? { tiersTimedOut: [...tiersTimedOut, tier.name] } : {}),
    }),
  };
}

/** All tiers, those that are done among them. */
function tiersOf(context: HibernationStep, current: Hibernation): readonly Tier<Workload>[] {
  const { only } = current.payload;
  const all = toSleep(context.snapshot);
  const members = only === undefined ? all : all.filter((workload) => only.includes(workloadKey(workload)));
  const { config } = context.compiled;
  const kept = databasesKeptUp(context);
  const databases = only === undefined ? Object.keys(config.databases).filter((name) => !kept.has(name)) : [];
  return sleepOrder(config.hibernateOrdering, members, databases);
}

function decide(
  context: HibernationStep,
  current: Hibernation,
  members: readonly Workload[],
  awaited: boolean,
): TierDecision {
  const leftUp = leftUpBy(context, current);
  return decideTier({
    members: members.filter((member) => !leftUp.has(workloadKey(member))),
    records: recordsByKey(context.session),
    respected: new Set(current.payload.respected),
    hasPods: awaited ? leavingPods(context) : () => false,
    wasLowered: (workload) => isLoweredEnough(workload, context.lowerings),
    now: now(context),
  });
}

async function save(
  context: HibernationStep,
  current: Hibernation,
  change: Partial<HibernationPayload>,
): Promise<Hibernation> {
  const next: Hibernation = { ...current, payload: { ...current.payload, ...change } };
  await context.session.writeOutsideReserve(set(transition, next));
  return next;
}

function timeoutOf(context: HibernationStep, tier: Tier): number {
  return tier.timeout === undefined ? context.compiled.hibernateTierMs : durationMs(tier.timeout);
}
