import type { Announcement } from '../../domain/announcement/announcement.ts';
import {
  type Occasion,
  replicasChanged,
  workloadsGone,
  workloadsHandedBack,
  workloadsLoweredLate,
} from '../../domain/announcement/workloads.ts';
import { type Drift, decideDrift, raisedByOwner } from '../../domain/drift/decide-drift.ts';
import { ownMark } from '../../domain/record/mark.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { isScalable, type Workload, workloadKey } from '../../domain/workload.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { inParallel } from '../act/pool.ts';
import { restoreAll, restoresOf, servedRecords } from '../act/restore.ts';
import { type Act, type Applied, apply } from '../act/scaling.ts';
import { withRecords } from '../hibernate/hibernate.ts';
import { keptUp } from '../pass/kept-up.ts';
import { earliest, type LookAt, lookAround, now, type PassContext, soonMs } from '../pass/pass-context.ts';
import { recordsByKey } from '../pass/snapshot.ts';
import { announce } from '../tell/announce.ts';

export interface DriftHandled {
  /** Keys of workloads that came in the night and are up: they are taken down next. */
  readonly added: readonly string[];
  /** When acts that are not done yet are due. */
  readonly retryAt: LookAt;
}

/**
 * Looks after a cluster that sleeps: takes note of what its owners did, hands back what left our scope, and names what
 * came in the night.
 */
export async function handleDrift(context: PassContext): Promise<DriftHandled> {
  const drifts = await findDrift(context);
  for (const drift of drifts) context.ports.metrics.drift.inc({ kind: drift.kind });
  const disowned = await noteOwnersDoing(context, drifts);
  await dropRemoved(context, drifts);
  const lowered = await lowerLate(context, drifts);
  const handedBack = await handBack(context);
  const added = drifts.filter((drift) => drift.kind === 'added');
  return {
    added: added.filter(({ workload }) => isUp(workload)).map(({ workload }) => workloadKey(workload)),
    retryAt: earliest(handedBack.retryAt, disowned.retryAt, lowered),
  };
}

/** With everything that would change a record read past the caches: a stale view must not cost a count. */
async function findDrift(context: PassContext): Promise<readonly Drift[]> {
  const first = decide(context);
  const doubtful = first.filter((drift) => drift.kind === 'look' || drift.kind === 'changed-by-owner');
  if (doubtful.length === 0) return first;
  const fresh = new Map<string, Workload | undefined>();
  const unread = new Set<string>();
  await inParallel(doubtful, 10, context.signal, async ({ workload }) => {
    const key = workloadKey(workload);
    try {
      fresh.set(key, await context.ports.writer.read(workload));
    } catch (error) {
      unread.add(key);
      context.ports.logger.debug('A workload could not be read', { workload: key, error: String(error) });
    }
  });
  // Nothing is decided about one that cannot be read, and nobody else waits for it.
  return decide(context, fresh).filter((drift) => drift.kind === 'removed' || !unread.has(workloadKey(drift.workload)));
}

function decide(context: PassContext, fresh: ReadonlyMap<string, Workload | undefined> = new Map()): readonly Drift[] {
  const workloads = lookAround(context)
    .workloads.filter(({ want }) => want === 'down')
    .map(({ workload }) => {
      const key = workloadKey(workload);
      return fresh.has(key) ? fresh.get(key) : workload;
    })
    .filter((workload) => workload !== undefined);
  const wanted = lookAround(context).want;
  const records = new Map([...recordsByKey(context.session)].filter(([, record]) => wanted(record) === 'down'));
  return decideDrift({ workloads, records, asleepSince: context.session.get(phase)?.since ?? 0, now: now(context) });
}

/** Records what owners did in the night, tells of it, and takes our mark off what is theirs again. */
async function noteOwnersDoing(context: PassContext, drifts: readonly Drift[]): Promise<Applied> {
  const changed = drifts.filter((drift) => drift.kind === 'changed-by-owner');
  const quiet = drifts.filter((drift) => drift.kind === 'added').filter(({ workload }) => !isUp(workload));
  const records = [...changed, ...quiet].map(({ record }) => record);
  const edit = set(resourceStates, withRecords(recordsByKey(context.session), records));
  const sentences = sentencesOf(changed);
  if (changed.length > 0)
    await announce(context, [replicasChanged([...sentences.values()], occasion(context))], [edit]);
  else if (records.length > 0) await context.session.writeOutsideReserve(edit);
  // What its owner set to zero sleeps as it should: that is in the audit log, and no trouble that goes on.
  sayReplicaChanges(context, sentencesOf(changed.filter(({ workload }) => isUp(workload))));
  const left = drifts.filter((drift) => drift.kind === 'marked');
  const marked = [...left, ...changed.filter(({ workload }) => ownMark(workload, true) !== undefined)];
  return apply(
    context,
    marked.map(({ workload }) => ({ act: 'disown', workload })),
  );
}

/** What the hibernation had to leave up is tried again, at its own pace; its record is there already. */
async function lowerLate(context: PassContext, drifts: readonly Drift[]): Promise<LookAt> {
  const late = drifts.filter((drift) => drift.kind === 'lowered-late');
  if (late.length > 0)
    await announce(
      context,
      [
        workloadsLoweredLate(
          late.map(({ workload }) => workloadKey(workload)),
          occasion(context),
        ),
      ],
      [recorded(context, late)],
    );
  const notLowered = drifts.filter((drift) => drift.kind === 'not-lowered');
  const changed = notLowered.flatMap(({ record }) => (record === undefined ? [] : [{ record }]));
  if (changed.length > 0) await context.session.write(recorded(context, changed));
  if (notLowered.length === 0) return undefined;
  await context.session.write(...context.life.count(context.session));
  const { epoch } = context.life;
  const acts = notLowered.map(({ workload }): Act => {
    return isScalable(workload)
      ? { act: 'lower', workload, count: workload.replicas, epoch }
      : { act: 'suspend', workload, epoch };
  });
  const applied = await apply(context, acts);
  return applied.done.size > 0 ? now(context) + soonMs : applied.retryAt;
}

function recorded(context: PassContext, drifts: readonly { readonly record: WorkloadRecord }[]): StateEdit {
  const records = drifts.map(({ record }) => record);
  return set(resourceStates, withRecords(recordsByKey(context.session), records));
}

async function dropRemoved(context: PassContext, drifts: readonly Drift[]): Promise<void> {
  const removed = new Set(drifts.flatMap((drift) => (drift.kind === 'removed' ? [workloadKey(drift.ref)] : [])));
  if (removed.size === 0) return;
  const kept = context.session.get(resourceStates).filter((record) => !removed.has(workloadKey(record)));
  await announce(context, [workloadsGone([...removed], occasion(context))], [set(resourceStates, kept)]);
}

/** What is recorded and has left our scope while the cluster sleeps; what other clusters need has its own wake. */
async function handBack(context: PassContext): Promise<Applied> {
  const { want } = lookAround(context);
  const needed = new Set(keptUp(context).map(workloadKey));
  const records = context.session
    .get(resourceStates)
    .filter((record) => want(record) === 'up' && !needed.has(workloadKey(record)));
  if (records.length === 0) return apply(context, []);
  const applied = await restoreAll(context, records);
  const served = servedRecords(records, await restoresOf(context, records));
  if (served.length > 0) {
    const gone = new Set(served.map(workloadKey));
    const kept = context.session.get(resourceStates).filter((record) => !gone.has(workloadKey(record)));
    await announce(context, toldOf(context, served), [set(resourceStates, kept)]);
  }
  return applied;
}

/** What is gone was not handed back, and is told as gone. */
function toldOf(context: PassContext, served: readonly WorkloadRecord[]): readonly Announcement[] {
  const isThere = (record: WorkloadRecord) => context.ports.view.workload(record)?.uid === record.uid;
  const back = served.filter(isThere).map(workloadKey);
  const gone = served.filter((record) => !isThere(record)).map(workloadKey);
  return [
    ...(back.length === 0 ? [] : [workloadsHandedBack(back, occasion(context))]),
    ...(gone.length === 0 ? [] : [workloadsGone(gone, occasion(context))]),
  ];
}

/** Says which of the workloads that should sleep are up by their owners' doing, for as long as they are. */
function sayReplicaChanges(context: PassContext, changed: ReadonlyMap<string, string>): void {
  const { want } = lookAround(context);
  const asleepSince = context.session.get(phase)?.since ?? 0;
  const standing = new Map<string, string>();
  for (const record of context.session.get(resourceStates)) {
    const workload = context.ports.view.workload(record);
    if (workload === undefined || want(record) !== 'down') continue;
    if (!raisedByOwner(workload, record, asleepSince)) continue;
    standing.set(workloadKey(workload), `${workloadKey(workload)} is ${shown(workload)} while the cluster sleeps`);
  }
  context.replicaChanges.look(context.conditions, changed, standing, now(context));
}

type ChangedByOwner = Extract<Drift, { kind: 'changed-by-owner' }>;

function sentencesOf(changed: readonly ChangedByOwner[]): ReadonlyMap<string, string> {
  return new Map(
    changed.map(({ workload, before }) => {
      const key = workloadKey(workload);
      return [key, `${key} was ${before} and is ${shown(workload)} now`];
    }),
  );
}

/** Two announcements of one kind can fall into the same millisecond; the state moves on with each. */
function occasion(context: PassContext): Occasion {
  return { at: now(context), occasion: context.session.snapshot.resourceVersion ?? '0' };
}

function isUp(workload: Workload): boolean {
  return workload.kind === 'CronJob' ? !workload.suspended : workload.replicas > 0;
}

function shown(workload: Workload): string {
  if (workload.kind === 'CronJob') return workload.suspended ? 'suspended' : 'not suspended';
  return `${workload.replicas} replicas`;
}
