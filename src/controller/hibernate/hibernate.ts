import { hibernationEnded } from '../../domain/announcement/hibernation.ts';
import { durationMs } from '../../domain/duration.ts';
import { decideTier, replicaRecord, suspendRecord, type TierDecision } from '../../domain/hibernate/decide-tier.ts';
import { assignTiers, type Tier } from '../../domain/ordering/ordering.ts';
import { isDownByUs } from '../../domain/record/mark.ts';
import { compareRecords, type WorkloadRecord } from '../../domain/record/record.ts';
import { isScalable, type Workload, workloadKey } from '../../domain/workload.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { type Act, apply } from '../act/scaling.ts';
import { stopDatabases } from '../beside/database-steps.ts';
import { earliest, type LookAt, lookAround, now, type PassContext, soonMs } from '../pass/pass-context.ts';
import { recordsByKey, toSleep } from '../pass/snapshot.ts';
import { announce } from '../tell/announce.ts';
import { begin } from '../tell/begin-transition.ts';
import { type Hibernation, type HibernationPayload, transition, transitionId } from '../transition.ts';
import { leavingPods, watchLeavingPods } from './drain.ts';
import { hibernationEndFrame, hibernationFrame } from './hibernation-frame.ts';

/** So long lowering waits for stand-ins to be ready, so that callers of a redirected service are never refused. */
const companionWaitMs = 30_000;

/** Begins a hibernation: of everything that should sleep, or only of what is named. */
export async function startHibernation(context: PassContext, only?: readonly string[]): Promise<Hibernation> {
  const at = now(context);
  const started: Hibernation = {
    kind: 'hibernation',
    id: transitionId('hibernation', at, context.ports.random),
    startedAt: at,
    trigger: context.trigger,
    payload: {
      kind: 'hibernation',
      tierStartedAt: at,
      tiersDone: [],
      tiersTimedOut: [],
      respected: [],
      failed: {},
      ...(only === undefined ? {} : { only }),
    },
  };
  await begin(context, started);
  context.ports.logger.info('Hibernation started', { ...context.trigger, ...(only === undefined ? {} : { only }) });
  return started;
}

/** Takes the running hibernation as far as it goes now. */
export async function advanceHibernation(context: PassContext, running: Hibernation): Promise<LookAt> {
  let current = running;
  if (current.payload.only === undefined) {
    const waitUntil = current.startedAt + companionWaitMs;
    const pending: string[] = [];
    for (const companion of context.ports.companions) pending.push(...(await companion.sleep(context)));
    if (pending.length > 0 && current.payload.tier === undefined && now(context) < waitUntil) {
      return Math.min(waitUntil, now(context) + soonMs);
    }
  }
  while (!context.signal.aborted) {
    const step = await advanceTier(context, current);
    if ('lookAt' in step) return step.lookAt;
    // What left our scope meanwhile is handed back by the next pass, which looks after a cluster that sleeps.
    if (step.next === undefined) return now(context) + soonMs;
    current = step.next;
  }
  return undefined;
}

type Step = { readonly next: Hibernation | undefined } | { readonly lookAt: LookAt };

async function advanceTier(context: PassContext, current: Hibernation): Promise<Step> {
  const all = tiersOf(context, current);
  const tiers = all.filter(({ name }) => !current.payload.tiersDone.includes(name));
  const tier = tiers[0];
  if (tier === undefined) return { next: await finish(context, current, all) };
  if (current.payload.tier !== tier.name) {
    return { next: await save(context, current, { tier: tier.name, tierStartedAt: now(context) }) };
  }
  const awaited = tiers.length > 1;
  await watchLeavingPods(context, awaited);
  const decision = decide(context, current, tier, awaited);
  const deadlineAt = current.payload.tierStartedAt + timeoutOf(context, tier);
  context.ports.frames.send(hibernationFrame(current, all, { decision, deadlineAt }));
  if (decision.record.length > 0) return { next: await record(context, current, decision.record) };
  if (decision.respect.length > 0) return { next: await respect(context, current, decision.respect) };
  const acts: Act[] = [
    ...decision.lower.map(({ workload, count }) => ({ act: 'lower', workload, count }) as const),
    ...decision.suspend.map((workload) => ({ act: 'suspend', workload }) as const),
  ];
  if (acts.length > 0) return lowerAll(context, current, acts);
  return waitForTier(context, current, tier, decision);
}

/** Lowers what the tier still has up; what the cluster refuses is noted and not tried again in this hibernation. */
async function lowerAll(context: PassContext, current: Hibernation, acts: readonly Act[]): Promise<Step> {
  const applied = await apply(context.ports, acts, context.signal, context.refusalPatience);
  if (applied.refused.size > 0) {
    const failed = { ...current.payload.failed, ...Object.fromEntries(applied.refused) };
    return { next: await save(context, current, { failed }) };
  }
  // Looked at again at once while there is progress; otherwise after a pause.
  return applied.done > 0 ? { next: current } : { lookAt: now(context) + soonMs };
}

async function waitForTier(
  context: PassContext,
  current: Hibernation,
  tier: Tier<Workload>,
  decision: TierDecision,
): Promise<Step> {
  const deadline = current.payload.tierStartedAt + timeoutOf(context, tier);
  const databases = await stopDatabases(context, tier.databases);
  const timedOut = now(context) >= deadline;
  if ((decision.draining.length > 0 || databases.stopping.length > 0) && !timedOut) {
    return { lookAt: earliest(deadline, databases.lookAt, now(context) + context.compiled.figures.readPatienceMs) };
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
function tiersOf(context: PassContext, current: Hibernation): readonly Tier<Workload>[] {
  const { only } = current.payload;
  const all = toSleep(lookAround(context));
  const members = only === undefined ? all : all.filter((workload) => only.includes(workloadKey(workload)));
  const { config } = context.compiled;
  const databases = only === undefined ? Object.keys(config.databases) : [];
  return assignTiers(config.hibernateOrdering, members, 'hibernate', databases);
}

function decide(context: PassContext, current: Hibernation, tier: Tier<Workload>, awaited: boolean): TierDecision {
  return decideTier({
    members: tier.members,
    records: recordsByKey(context.session),
    respected: new Set(current.payload.respected),
    failed: new Set(Object.keys(current.payload.failed)),
    hasPods: awaited ? leavingPods(context) : () => false,
    now: now(context),
  });
}

/** One write for the whole tier, before anything of it is touched. */
async function record(
  context: PassContext,
  current: Hibernation,
  records: readonly WorkloadRecord[],
): Promise<Hibernation> {
  await context.session.write(set(resourceStates, withRecords(recordsByKey(context.session), records)));
  return current;
}

/** Their owner raised them after we had lowered them: the record takes their count and our mark goes; nobody fights. */
async function respect(
  context: PassContext,
  current: Hibernation,
  workloads: readonly Workload[],
): Promise<Hibernation> {
  const at = now(context);
  const records = workloads.map((workload) =>
    isScalable(workload)
      ? replicaRecord(workload, workload.replicas, at)
      : suspendRecord(workload, workload.suspended, at),
  );
  const respected = [...current.payload.respected, ...workloads.map(workloadKey)];
  const next: Hibernation = { ...current, payload: { ...current.payload, respected } };
  await context.session.write(
    set(resourceStates, withRecords(recordsByKey(context.session), records)),
    set(transition, next),
  );
  await apply(
    context.ports,
    workloads.map((workload) => ({ act: 'disown', workload })),
    context.signal,
  );
  for (const workload of workloads) {
    context.ports.logger.warn('A workload was raised by its owner during the hibernation and is left alone', {
      workload: workloadKey(workload),
    });
  }
  return next;
}

async function save(
  context: PassContext,
  current: Hibernation,
  change: Partial<HibernationPayload>,
): Promise<Hibernation> {
  const next: Hibernation = { ...current, payload: { ...current.payload, ...change } };
  await context.session.write(set(transition, next));
  return next;
}

/** The end: what could not be lowered loses its provisional record, so that it is never taken for its owner's doing. */
async function finish(
  context: PassContext,
  current: Hibernation,
  tiers: readonly Tier<Workload>[],
): Promise<undefined> {
  const { failed, respected } = current.payload;
  const records = [...recordsByKey(context.session)].filter(([key, stored]) => {
    if (failed[key] === undefined) return true;
    const workload = context.ports.view.workload(stored);
    return workload !== undefined && isDownByUs(workload);
  });
  const at = now(context);
  const { stoppedHalfway: _stopped, ...known } = context.session.get(phase) ?? {};
  const edits: StateEdit[] = [
    set(
      resourceStates,
      records.map(([, stored]) => stored),
    ),
    set(transition, null),
    set(phase, { ...known, phase: 'hibernated', since: at }),
  ];
  await announce(context, [hibernationEnded(current, at)], edits);
  const result = Object.keys(failed).length > 0 ? 'failed' : 'success';
  context.ports.frames.send(hibernationEndFrame(current, tiers, { endedAt: at, endedBy: 'complete' }));
  context.ports.metrics.transitions.inc({ kind: 'hibernation', result });
  context.ports.logger.info('Hibernation finished', {
    result,
    seconds: Math.round((at - current.startedAt) / 1000),
    failed,
    respected,
    tiersTimedOut: current.payload.tiersTimedOut,
  });
  return undefined;
}

export function withRecords(
  known: ReadonlyMap<string, WorkloadRecord>,
  added: readonly WorkloadRecord[],
): readonly WorkloadRecord[] {
  const merged = new Map(known);
  for (const one of added) merged.set(workloadKey(one), one);
  return [...merged.values()].toSorted(compareRecords);
}

function timeoutOf(context: PassContext, tier: Tier): number {
  return tier.timeout === undefined ? context.compiled.hibernateTierMs : durationMs(tier.timeout);
}
