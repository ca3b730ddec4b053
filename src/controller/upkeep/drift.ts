import type { Announcement } from '../../domain/announcement/announcement.ts';
import {
  type Occasion,
  ownerChangeOf,
  replicasChanged,
  workloadsGone,
  workloadsHandedBack,
  workloadsLoweredLate,
} from '../../domain/announcement/workloads.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { type Drift, decideDrift, raisedByOwner } from '../../domain/drift/decide-drift.ts';
import { appliesOthers } from '../../domain/kinds/kinds.ts';
import { levelInWords } from '../../domain/record/in-words.ts';
import { ownMark } from '../../domain/record/mark.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { quietedManagers, raisedAgain } from '../../domain/targeting/appliers.ts';
import type { SkipCode } from '../../domain/targeting/targeting.ts';
import { isDown, type Workload, workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { inParallel } from '../act/pool.ts';
import { recordsByKey, withoutRecords, withRecords } from '../act/records.ts';
import { actsOf, restoresOf, servedRecords } from '../act/restore.ts';
import { type Acting, type Applied, apply, loweringOf } from '../act/scaling.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import type { PassConditions } from '../notifications/pass-conditions.ts';
import type { ReplicaChanges } from '../notifications/replica-changes.ts';
import { keptUp } from '../snapshot/kept-up.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';

/** What looking after a cluster that sleeps needs of a pass. */
export interface DriftStep extends Acting, Announcing {
  readonly snapshot: ScopedSnapshot;
  readonly desired: DesiredState;
  readonly conditions: PassConditions;
  readonly replicaChanges: ReplicaChanges;
}

export interface DriftHandled {
  /** Keys of workloads that came in the night and are up: they are taken down next. */
  readonly added: readonly string[];
  /** When acts that are not done yet are due. */
  readonly retryAt: RequeueAt;
}

/**
 * Looks after a cluster that sleeps: takes note of what its owners did, hands back what left our scope, and names what
 * came in the night.
 */
export async function handleDrift(context: DriftStep): Promise<DriftHandled> {
  const { drifts, fresh } = await findDrift(context);
  for (const drift of drifts) context.metrics.drift.inc({ kind: drift.kind });
  const disowned = await storeOwnerChanges(context, drifts, fresh);
  await dropRemoved(context, drifts);
  const lowered = await lowerLate(context, drifts);
  const handedBack = await handBack(context);
  const added = drifts.filter((drift) => drift.kind === 'added');
  return {
    added: added.filter(({ workload }) => isUp(workload)).map(({ workload }) => workloadKey(workload)),
    retryAt: earliest(handedBack, disowned.retryAt, lowered),
  };
}

/** With everything that would change a record read past the caches: a stale view must not cost a count. */
async function findDrift(context: DriftStep): Promise<FoundDrift> {
  const first = decide(context, new Map());
  const doubtful = first.filter((drift) => drift.kind === 'read-first' || drift.kind === 'changed-by-owner');
  const fresh = new Map<string, Workload | undefined>();
  if (doubtful.length === 0) return { drifts: first, fresh };
  const unread = new Set<string>();
  await inParallel(doubtful, 10, context.signal, async ({ workload }) => {
    const answer = await context.reads.read(workload);
    if (answer.read) fresh.set(workloadKey(workload), answer.workload);
    else unread.add(workloadKey(workload));
  });
  // Nothing is decided about one that cannot be read, and nobody else waits for it.
  const known = (drift: Drift) => drift.kind === 'removed' || !unread.has(workloadKey(drift.workload));
  return { drifts: decide(context, fresh).filter(known), fresh };
}

/** Workloads that were read past the caches, by key; undefined for one that is gone. */
type FreshReads = ReadonlyMap<string, Workload | undefined>;

interface FoundDrift {
  readonly drifts: readonly Drift[];
  readonly fresh: FreshReads;
}

function decide({ snapshot, ...context }: DriftStep, fresh: FreshReads): readonly Drift[] {
  const workloads = snapshot.workloads
    .filter(({ want }) => want === 'down')
    .map(({ workload }) => newest(workload, fresh))
    .filter((workload) => workload !== undefined);
  const records = new Map([...recordsByKey(context.session)].filter(([, record]) => snapshot.want(record) === 'down'));
  const quieted = quietedManagers(workloads);
  return decideDrift({
    workloads,
    records,
    now: now(context),
    quieted,
    raisedAgain: raisedAgain(workloads, records, quieted),
    lowerings: context.lowerings,
  });
}

function newest(workload: Workload, fresh: FreshReads): Workload | undefined {
  const key = workloadKey(workload);
  return fresh.has(key) ? fresh.get(key) : workload;
}

/** Records what owners did in the night, tells of it, and takes our mark off what is theirs again. */
async function storeOwnerChanges(context: DriftStep, drifts: readonly Drift[], fresh: FreshReads): Promise<Applied> {
  const changed = drifts.filter((drift) => drift.kind === 'changed-by-owner');
  const quiet = drifts.filter((drift) => drift.kind === 'added').filter(({ workload }) => !isUp(workload));
  const records = [...changed, ...quiet].map(({ record }) => record);
  const edit = set(resourceStates, withRecords(recordsByKey(context.session), records));
  const sentences = sentencesOf(changed);
  if (changed.length > 0)
    await announce(context, [replicasChanged([...sentences.values()], occasion(context))], [edit]);
  else if (records.length > 0) await context.session.writeOutsideReserve(edit);
  // What its owner set to zero sleeps as it should: that is in the audit log, and no trouble that goes on.
  setReplicaChangeConditions(context, sentencesOf(changed.filter(({ workload }) => isUp(workload))), fresh);
  const left = drifts.filter((drift) => drift.kind === 'marked');
  const marked = [...left, ...changed.filter(({ workload }) => ownMark(workload, true) !== undefined)];
  return apply(
    context,
    marked.map(({ workload }) => ({ act: 'disown', workload })),
  );
}

/** What the hibernation had to leave up is tried again, at its own pace; its record is there already. */
async function lowerLate(context: DriftStep, drifts: readonly Drift[]): Promise<RequeueAt> {
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
  return (
    await apply(
      context,
      notLowered.map(({ workload }) => loweringOf(workload)),
    )
  ).retryAt;
}

function recorded(context: DriftStep, drifts: readonly { readonly record: WorkloadRecord }[]): StateEdit {
  const records = drifts.map(({ record }) => record);
  return set(resourceStates, withRecords(recordsByKey(context.session), records));
}

async function dropRemoved(context: DriftStep, drifts: readonly Drift[]): Promise<void> {
  const removed = new Set(drifts.flatMap((drift) => (drift.kind === 'removed' ? [workloadKey(drift.ref)] : [])));
  if (removed.size === 0) return;
  const kept = withoutRecords(context.session.get(resourceStates), removed);
  await announce(context, [workloadsGone([...removed], occasion(context))], [set(resourceStates, kept)]);
}

/** What is recorded and has left our scope while the cluster sleeps; what other clusters need has its own wake. */
async function handBack(context: DriftStep): Promise<RequeueAt> {
  const { want } = context.snapshot;
  const needed = new Set(keptUp(context).map(workloadKey));
  const records = context.session
    .get(resourceStates)
    .filter((record) => want(record) === 'up' && !needed.has(workloadKey(record)) && !isOwners(context, record));
  if (records.length === 0) return undefined;
  const restores = await restoresOf(context, records);
  const left = records.filter((record) => isKnown(context, record));
  const applied = await apply(context, actsOf(left.flatMap((record) => restores.get(workloadKey(record)) ?? [])));
  // In scope again before the next pass, what applies others would count as up by its owner's doing, were its record still there.
  const loud = left.filter((record) => appliesOthers(record.kind) && applied.done.has(workloadKey(record)));
  const served = [...new Set([...servedRecords(left, restores), ...loud])];
  if (served.length > 0) {
    const kept = withoutRecords(context.session.get(resourceStates), new Set(served.map(workloadKey)));
    await announce(context, announcementsOf(context, served), [set(resourceStates, kept)]);
  }
  return applied.retryAt;
}

/** Reasons that come and go with what others do to it in the night. */
const forAWhile: ReadonlySet<SkipCode | undefined> = new Set([
  'scaled_object',
  'frozen_by_owner',
  'autoscaler_from_zero',
]);

/** Its owner raised it in the night: there is nothing to hand back, and in scope again it still is to be known whose doing that is. */
function isOwners({ snapshot }: DriftStep, record: WorkloadRecord): boolean {
  const found = snapshot.workloads[snapshot.indexOf(record) ?? -1];
  if (found === undefined || found.workload.uid !== record.uid || !isUp(found.workload)) return false;
  return record.tonight === 'raised' && (appliesOthers(record.kind) || forAWhile.has(found.skipped?.code));
}

/** False for a workload that exists but that our watches do not show yet: whether it is in scope is known once they do. */
function isKnown({ snapshot, goneUids }: DriftStep, record: WorkloadRecord): boolean {
  return snapshot.workload(record) !== undefined || goneUids.has(record.uid);
}

/** Workloads that are back are announced as handed back, deleted ones as gone. */
function announcementsOf(context: DriftStep, served: readonly WorkloadRecord[]): readonly Announcement[] {
  const isThere = (record: WorkloadRecord) => context.snapshot.workload(record)?.uid === record.uid;
  const back = served.filter(isThere).map(workloadKey);
  const gone = served.filter((record) => !isThere(record)).map(workloadKey);
  return [
    ...(back.length === 0 ? [] : [workloadsHandedBack(back, occasion(context))]),
    ...(gone.length === 0 ? [] : [workloadsGone(gone, occasion(context))]),
  ];
}

/** Says which of the workloads that should sleep are up by their owners' doing, for as long as they are. */
function setReplicaChangeConditions(context: DriftStep, changed: ReadonlyMap<string, string>, fresh: FreshReads): void {
  const { snapshot } = context;
  const standing = new Map<string, string>();
  for (const record of context.session.get(resourceStates)) {
    const seen = snapshot.workload(record);
    const workload = seen === undefined ? undefined : newest(seen, fresh);
    if (workload === undefined || snapshot.want(record) !== 'down') continue;
    if (!raisedByOwner(workload, record)) continue;
    standing.set(
      workloadKey(workload),
      `${workloadKey(workload)} is ${levelInWords(workload)} while the cluster sleeps`,
    );
  }
  context.replicaChanges.update(context.conditions, changed, standing, now(context));
}

type ChangedByOwner = Extract<Drift, { kind: 'changed-by-owner' }>;

function sentencesOf(changed: readonly ChangedByOwner[]): ReadonlyMap<string, string> {
  return new Map(changed.map(({ workload, before }) => ownerChangeOf(workload, before)));
}

/** Two announcements of one kind can fall into the same millisecond; the state moves on with each. */
function occasion(context: DriftStep): Occasion {
  return { at: now(context), occasion: context.session.snapshot.resourceVersion ?? '0' };
}

function isUp(workload: Workload): boolean {
  return !isDown(workload);
}
