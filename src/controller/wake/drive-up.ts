import { workloadWillNotScale } from '../../domain/announcement/conditions.ts';
import { hibernationStopped } from '../../domain/announcement/hibernation.ts';
import { wakeRenewed, wakeWidened } from '../../domain/announcement/wake.ts';
import type { Restore } from '../../domain/restore/decide-restore.ts';
import { actsNamed, isRenewal } from '../../domain/wake/renewal.ts';
import { resumeWake } from '../../domain/wake/start.ts';
import { workloadKey } from '../../domain/workload.ts';
import { databaseStates } from '../../state/database-states.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set, setIfReadable } from '../../state/snapshot.ts';
import { wakeOverride } from '../../state/wake-override.ts';
import { actsOf, restoresOf, servedRecords } from '../act/restore.ts';
import { apply } from '../act/scaling.ts';
import { wakeCompanions } from '../beside/companions.ts';
import { startDatabases, stoppedByUs } from '../beside/database-steps.ts';
import { hibernationEndFrame } from '../hibernate/hibernation-frame.ts';
import { earliest, type LookAt, lookAround, now, type PassContext, soonMs } from '../pass/pass-context.ts';
import { unreadableName } from '../pass/unreadable.ts';
import { announce } from '../tell/announce.ts';
import { isHibernation, isWaiting, isWake, transition, type Wake } from '../transition.ts';
import { awakePhase, hasWakeAhead } from './awake-phase.ts';
import { advanceWakeTransition, beginWaited, startWakeTransition } from './wake.ts';

/** What a wake left down is tried again this often. */
const repairMs = 30_000;

export interface DrivenUp {
  readonly lookAt: LookAt;
  /** What is not back yet, by name. */
  readonly pending: readonly string[];
}

/** Brings the cluster up, or keeps it up. `driven` holds the ids of the transitions that this process has worked on. */
export async function driveUp(context: PassContext, driven: Set<string>): Promise<DrivenUp> {
  if (!context.session.read(resourceStates).ok) return driveUpWithoutCounts(context);
  await stopHibernation(context);
  await widenPartWake(context);
  const found = context.session.get(transition);
  // What waited for hosting clusters begins now, under its own name.
  const running = isWaiting(found) ? await beginWaited(context, found) : found;
  if (isWake(running)) await answerRenewal(context);
  const lookAt = isWake(running)
    ? await advanceWakeTransition(context, await takenOver(context, running, driven))
    : await withoutTransition(context, driven);
  return withCompanions(context, lookAt);
}

/** No count is guessed, so no workload is raised; what stands on other keys comes back all the same. */
async function driveUpWithoutCounts(context: PassContext): Promise<DrivenUp> {
  const databases = await startDatabases(context, stoppedByUs(context));
  return withCompanions(context, databases.lookAt);
}

async function withCompanions(context: PassContext, lookAt: LookAt): Promise<DrivenUp> {
  const companions = await wakeCompanions(context);
  const pending = new Set([...(await pendingNames(context)), ...companions]);
  // A wake may end with a database that would not start: nothing else would bring the next pass before long.
  const left = companions.length > 0 || stoppedByUs(context).length > 0;
  return { lookAt: earliest(lookAt, left ? now(context) + repairMs : undefined), pending: [...pending] };
}

/**
 * Brings everything up that is recorded, at once and without a transition, for a state that has no room for one. What is
 * back loses its record, so that there is room again.
 */
export async function bringUpUnrecorded(context: PassContext): Promise<DrivenUp> {
  const { session } = context;
  const { want } = lookAround(context);
  const records = session.get(resourceStates).filter((record) => want(record) === 'up');
  const lookAt = await repair(context, await restoresOf(context, records));
  return withCompanions(context, earliest(lookAt, now(context) + repairMs));
}

/** A hibernation that is no longer wanted stops where it is; what it took down is then a matter for the wake. */
async function stopHibernation(context: PassContext): Promise<void> {
  const running = context.session.get(transition);
  if (!isHibernation(running)) return;
  const at = now(context);
  const asleep = context.session.getOrEmpty(phase);
  await announce(
    context,
    [hibernationStopped(running, context.trigger, at)],
    [
      set(transition, null),
      setIfReadable(phase, {
        ...asleep,
        phase: 'hibernated',
        since: asleep?.phase === 'hibernated' ? asleep.since : at,
        ...(running.payload.only === undefined ? { stoppedHalfway: true } : {}),
      }),
    ],
  );
  context.ports.frames.send(hibernationEndFrame(running, [], { endedAt: at, endedBy: 'stopped' }));
  context.ports.logger.info('Hibernation stopped', { ...context.trigger });
}

/** A wake of what another cluster named is overtaken by the one of everything: that one has the verdicts on all of it. */
async function widenPartWake(context: PassContext): Promise<void> {
  const { session, ports } = context;
  const running = session.get(transition);
  if (!isWake(running) || running.payload.part === undefined) return;
  await announce(context, [wakeWidened(running, now(context))], [set(transition, null)]);
  ports.logger.info('The wake of what other clusters need goes on as one of the whole cluster', { id: running.id });
}

/** A wake that another process began gets the longer outside figure, once. */
export async function takenOver(context: PassContext, running: Wake, driven: Set<string>): Promise<Wake> {
  if (driven.has(running.id)) return running;
  driven.add(running.id);
  const wake = resumeWake(running.payload.wake, now(context));
  const next: Wake = { ...running, payload: { ...running.payload, wake } };
  await context.session.write(set(transition, next));
  context.ports.logger.info('Wake taken over after a restart', { id: running.id });
  return next;
}

async function withoutTransition(context: PassContext, driven: Set<string>): Promise<LookAt> {
  const { session } = context;
  const { want } = lookAround(context);
  const records = session.get(resourceStates).filter((record) => want(record) === 'up');
  const restores = await restoresOf(context, records);
  const databases = stoppedByUs(context);
  const acts = actsIn(restores.values(), databases.length);
  if (isRenewal(acts)) {
    await settleAwake(context, restores);
    return undefined;
  }
  // A cluster that woke already and has something left down is repaired; it does not wake a second time.
  if (session.getOrEmpty(phase)?.phase === 'awake' && !hasWakeAhead(context)) return repair(context, restores);
  await answerWake(context);
  const started = await startWakeTransition(context, actsNamed(acts));
  driven.add(started.id);
  return advanceWakeTransition(context, started);
}

/** Whether a wake that began now would raise, resume or start anything. */
export async function hasSomethingToWake(context: PassContext): Promise<boolean> {
  const { want } = lookAround(context);
  const records = context.session.get(resourceStates).filter((record) => want(record) === 'up');
  const restores = await restoresOf(context, records);
  return !isRenewal(actsIn(restores.values(), stoppedByUs(context).length));
}

/** Everything is up: records that have served go, marks on what its owner took back go, and the cluster counts as awake. */
async function settleAwake(context: PassContext, restores: ReadonlyMap<string, Restore>): Promise<void> {
  const { session, ports } = context;
  await ports.view.watchPods(false);
  const acts = actsOf(restores.values());
  await apply(context, acts);
  const records = session.get(resourceStates);
  const looked = records.filter((record) => restores.has(workloadKey(record)));
  // What lost its mark just now has served too, and no later pass may come to it.
  const after = acts.length === 0 ? restores : await restoresOf(context, looked);
  const served = new Set(servedRecords(looked, after).map(workloadKey));
  const edits = [
    set(
      resourceStates,
      records.filter((record) => !served.has(workloadKey(record))),
    ),
  ];
  if (session.getOrEmpty(phase)?.phase === 'hibernated' || hasWakeAhead(context)) {
    await session.write(...edits, set(phase, awakePhase(context, now(context))));
  } else if (served.size > 0) await session.write(...edits);
  await answerRenewal(context);
}

async function repair(context: PassContext, restores: ReadonlyMap<string, Restore>): Promise<LookAt> {
  const { session } = context;
  const applied = await apply(context, actsOf(restores.values()));
  const databases = await startDatabases(context, stoppedByUs(context));
  for (const [workload, message] of applied.refused) {
    context.conditions.holds(workloadWillNotScale(workload, message, now(context)));
  }
  const records = session.get(resourceStates);
  const served = new Set(servedRecords(records, await restoresOf(context, records)).map(workloadKey));
  if (served.size > 0) {
    await session.write(
      set(
        resourceStates,
        records.filter((record) => !served.has(workloadKey(record))),
      ),
    );
  }
  return earliest(databases.lookAt, applied.retryAt, applied.done.size > 0 ? now(context) + soonMs : undefined);
}

/** A wake was asked for while the cluster already runs, or already wakes: its end moves, and nothing else happens. */
async function answerRenewal(context: PassContext): Promise<void> {
  const { session } = context;
  const asked = session.getOrEmpty(wakeOverride);
  const known = session.getOrEmpty(phase);
  // What cannot be noted as answered would be answered on every pass.
  if (!session.read(phase).ok) return;
  if (asked === null || asked.at <= (known?.wakeAnsweredAt ?? Number.NEGATIVE_INFINITY)) return;
  const at = now(context);
  const answered = { phase: 'awake', since: at, ...known, wakeAnsweredAt: asked.at } as const;
  await announce(context, [wakeRenewed(asked)], [set(phase, answered)]);
}

/** The transition that follows is the answer to a wake that was asked for. */
export async function answerWake(context: PassContext): Promise<void> {
  const asked = context.session.getOrEmpty(wakeOverride);
  const known = context.session.getOrEmpty(phase);
  if (asked === null || known === null || asked.at === known.wakeAnsweredAt) return;
  await context.session.write(set(phase, { ...known, wakeAnsweredAt: asked.at }));
}

function actsIn(restores: Iterable<Restore>, databasesToStart: number) {
  const all = [...restores];
  return {
    workloadsToRaise: all.filter(({ act }) => act === 'raise' || act === 'look').length,
    cronJobsToResume: all.filter(({ act }) => act === 'resume').length,
    databasesToStart,
  };
}

/** Names what is recorded and still down or marked, and the databases that we stopped. */
async function pendingNames(context: PassContext): Promise<readonly string[]> {
  const { want } = lookAround(context);
  const { session } = context;
  const unreadable = [
    ...(session.read(resourceStates).ok ? [] : [resourceStates.key]),
    ...(session.read(databaseStates).ok ? [] : [databaseStates.key]),
  ];
  const records = session.getOrEmpty(resourceStates).filter((record) => want(record) === 'up');
  const restores = await restoresOf(context, records);
  const down = records.filter((record) => {
    const act = restores.get(workloadKey(record))?.act;
    return act !== undefined && act !== 'none' && act !== 'refuse';
  });
  return [
    ...unreadable.map(unreadableName),
    ...stoppedByUs(context).map((name) => `database ${name}`),
    ...down.map(workloadKey),
  ];
}
