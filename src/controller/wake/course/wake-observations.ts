import { isOnWhenNamed } from '../../../domain/kinds/kinds.ts';
import { isReplicaRecord, type ReplicaRecord, type WorkloadRecord, wasDown } from '../../../domain/record/record.ts';
import { implausible, type Restore } from '../../../domain/restore/decide-restore.ts';
import type {
  CronJobObservation,
  WorkloadObservation,
  WorkloadReading,
} from '../../../domain/wake/verdict/observation.ts';
import { isScalable, type Scalable, type Workload, workloadKey } from '../../../domain/workload.ts';
import type { Informers } from '../../../ports/cluster.ts';
import type { ScopedSnapshot } from '../../snapshot/snapshot.ts';
import type { Wake } from '../../transition/transition.ts';
import type { Member } from './wake-members.ts';
import type { WatchHealth } from './watch-health.ts';

/** What observing the members of a wake needs of a pass. */
export interface ObserveStep {
  readonly snapshot: ScopedSnapshot;
  readonly informers: Informers;
}

/** The members of a wake, and by key the tier of each and what is decided about it. */
export interface DecidedMembers {
  readonly all: readonly Member[];
  readonly tiers: ReadonlyMap<string, number>;
  readonly restores: ReadonlyMap<string, Restore>;
}

/** The members of the wake that its verdicts are about, as this pass sees them. */
export function observe(
  context: ObserveStep,
  current: Wake,
  { all, tiers, restores }: DecidedMembers,
  { lost }: Pick<WatchHealth, 'lost'>,
): readonly WorkloadObservation[] {
  const { refused } = current.payload;
  const { snapshot, informers } = context;
  const inReach = all.filter(({ record }) => !isOutOfReach(record, restores));
  return inReach.flatMap(({ record, waitedFor }) => {
    if (!waitedFor) return [];
    const { kind, namespace, name } = record;
    const key = workloadKey(record);
    const found = snapshot.workload(record);
    const restore = restores.get(key);
    // Nobody asks the cluster for a count that cannot be; it is down all the same, and by us.
    const refusal = restore?.act === 'refuse' ? implausible(restore.count) : refused[key];
    const seen = isReplicaRecord(record)
      ? byPods(record, found, restore, { lost, informers })
      : { replicas: 1, reading: reportOf(found, restore, lost), pods: [] };
    return [
      {
        ref: { kind, namespace, name },
        tier: tiers.get(key) ?? 0,
        ...seen,
        ...(refusal === undefined ? {} : { refused: refusal }),
      },
    ];
  });
}

function byPods(
  record: ReplicaRecord,
  found: Workload | undefined,
  restore: Restore | undefined,
  { lost, informers }: Pick<WatchHealth, 'lost'> & Pick<ObserveStep, 'informers'>,
): Pick<WorkloadObservation, 'replicas' | 'reading' | 'pods'> {
  const workload = found !== undefined && isScalable(found) ? found : undefined;
  return {
    replicas: neededOf(countOf(record.replicas, restore), lost.has('Pod') ? workload : undefined),
    reading: readingOf(workload, restore, lost),
    pods: lost.has('Pod') ? [] : informers.pods(record),
  };
}

/** What its kind being off the list, or a right that is missing, keeps from us: nobody knows more of it than that it was put to sleep. */
function isOutOfReach(record: WorkloadRecord, restores: DecidedMembers['restores']): boolean {
  const isRead = restores.get(workloadKey(record))?.act !== 'read-first';
  return isOnWhenNamed(record.kind) && !isRead && !wasDown(record);
}

const outOfReach =
  'it cannot be read; helm upgrade grants the right to it while the value config.targeting.kinds names its kind';

/** The CronJobs of the wake that are still to be resumed, and what is out of our reach: neither is waited for. */
export function suspendedStill(
  { payload }: Wake,
  { all, tiers, restores }: DecidedMembers,
): readonly CronJobObservation[] {
  const waiting = all.filter(
    (member) => restores.get(workloadKey(member))?.act === 'resume' || isOutOfReach(member.record, restores),
  );
  return waiting.map((member) => {
    const workload = workloadKey(member);
    const refused = isOutOfReach(member.record, restores) ? outOfReach : payload.refused[workload];
    return { workload, tier: tiers.get(workload) ?? 0, ...(refused === undefined ? {} : { refused }) };
  });
}

/** With pods hidden the spec is no part of the reading, so an owner who wants fewer is heard here. */
function neededOf(restored: number, workload: Scalable | undefined): number {
  return workload === undefined || workload.replicas === 0 ? restored : Math.min(workload.replicas, restored);
}

function countOf(recorded: number, restore: Restore | undefined): number {
  return restore?.act === 'raise' ? restore.count : recorded;
}

function readingOf(
  workload: Scalable | undefined,
  restore: Restore | undefined,
  lost: WatchHealth['lost'],
): WorkloadReading {
  if (workload === undefined || isLeft(restore)) return { kind: 'left' };
  if (lost.has(workload.kind)) return { kind: 'unreadable' };
  return lost.has('Pod') ? { kind: 'unreadable', reportedReady: readyBy(workload) } : { kind: 'read', workload };
}

/** Of what has no pods that we know of: what its own status says. While it sleeps still, that is of the time before. */
function reportOf(
  workload: Workload | undefined,
  restore: Restore | undefined,
  lost: WatchHealth['lost'],
): WorkloadReading {
  if (workload === undefined || isScalable(workload) || isLeft(restore)) return { kind: 'left' };
  if (lost.has(workload.kind)) return { kind: 'unreadable' };
  const { ready = { status: false, since: 0 }, suspended } = workload;
  return { kind: 'reported', up: ready.status && !suspended, since: ready.since };
}

function isLeft(restore: Restore | undefined): boolean {
  return restore === undefined || (restore.act === 'none' && restore.reason !== 'up');
}

/** A status that has not caught up with the spec tells of the time before the wake. */
function readyBy({ generation, observedGeneration, readyReplicas }: Scalable): number {
  return observedGeneration >= generation ? readyReplicas : 0;
}
