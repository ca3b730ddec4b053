import type { WakeTarget } from '../../../domain/externalwake/session.ts';
import { runsOf, type WorkloadKind } from '../../../domain/kinds/kinds.ts';
import { databasesBefore } from '../../../domain/ordering/databases-before.ts';
import { wakeOrder } from '../../../domain/ordering/order.ts';
import type { LabelledRef, Tier } from '../../../domain/ordering/ordering.ts';
import { isReplicaRecord, recordOf, type WorkloadRecord, wasDown } from '../../../domain/record/record.ts';
import { compileSelector } from '../../../domain/targeting/workload-selector.ts';
import { isDown, isScalable, type Workload, workloadKey } from '../../../domain/workload.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { CompiledConfig } from '../../../service/compiled-config.ts';
import { resourceStates } from '../../../state/resource-states.ts';
import type { StateSession } from '../../../state/session/state-session.ts';
import { stoppedByUs } from '../../beside/database-steps.ts';
import type { ScopedSnapshot } from '../../snapshot/snapshot.ts';
import type { Wake, WakePayload } from '../../transition/transition.ts';

/** A record that this wake is about: its workload and where it stands in the wake order. */
export interface Member extends LabelledRef {
  readonly record: WorkloadRecord;
  /** Something tells when it is up, so that the wake has a verdict on it: its pods, or a condition of its own. */
  readonly waitedFor: boolean;
}

/** What finding the members of a wake needs of a pass. */
export interface MembersStep {
  readonly clock: Clock;
  readonly session: StateSession;
  readonly snapshot: ScopedSnapshot;
  readonly compiled: CompiledConfig;
}

/** Everything recorded that is wanted up; records of workloads that are gone are there too, to be dropped at the end. */
export function members(context: MembersStep, payload: About = {}): readonly Member[] {
  const { snapshot } = context;
  return asMembers(
    context,
    recordsOf(context, payload).filter((record) => snapshot.want(record) === 'up'),
  );
}

type RecordsStep = Pick<MembersStep, 'session' | 'snapshot' | 'clock' | 'compiled'>;
type About = Pick<WakePayload, 'part' | 'retry'>;

/** The records that a wake is about, wanted up or not: all of them, or those of what was named. */
export function recordsOf(context: RecordsStep, { part, retry }: About): readonly WorkloadRecord[] {
  const records = context.session.get(resourceStates);
  if (part === undefined) return records;
  const selectors = part.map((target) => compileSelector({ ...target }));
  const named = records.filter((record) => selectors.some((matches) => matches(record)));
  return retry === true ? [...named, ...raisedAlready(context, part, named)] : named;
}

/** Up by its owner for the night: a wake for others does not forget it, and neither does who takes down again what that had up. */
export function isOwners({ tonight }: WorkloadRecord): boolean {
  return tonight === 'raised';
}

/** What is tried again and was raised before has no record any more: what it asks for now is what it is judged by. */
function raisedAlready(
  { snapshot, clock, compiled }: RecordsStep,
  part: readonly WakeTarget[],
  recorded: readonly WorkloadRecord[],
): readonly WorkloadRecord[] {
  const known = new Set(recorded.map(workloadKey));
  return part.flatMap(({ namespace, type, name }) => {
    const kind = compiled.kinds.called(type ?? '');
    if (kind === undefined || name === undefined) return [];
    const workload = snapshot.workload({ kind, namespace, name });
    if (workload === undefined || known.has(workloadKey(workload)) || isDown(workload)) return [];
    const record = recordOf(workload, clock.now());
    return isWaitedFor(record, workload) ? [record] : [];
  });
}

/** CronJobs that the wake resumes; what its owner suspended is none of them. */
export function cronJobsIn(records: readonly WorkloadRecord[]): number {
  return records.filter((record) => runsOf(record.kind) === 'jobs' && !wasDown(record)).length;
}

export function asMembers(
  { snapshot }: Pick<MembersStep, 'snapshot'>,
  records: readonly WorkloadRecord[],
): readonly Member[] {
  return records.map((record) => {
    const { kind, namespace, name } = record;
    const workload = snapshot.workload(record);
    const waitedFor = isWaitedFor(record, workload);
    const heals = workload === undefined || isScalable(workload) ? undefined : workload.heals;
    const labels = workload?.labels ?? {};
    return { kind, namespace, name, labels, ...(heals && { heals }), record, waitedFor };
  });
}

function isWaitedFor(record: WorkloadRecord, workload: Workload | undefined): boolean {
  if (isReplicaRecord(record)) return record.replicas > 0;
  const reports = workload !== undefined && !isScalable(workload) && workload.ready !== undefined;
  return reports && !record.suspended;
}

export function wakeTiers(
  context: MembersStep,
  all: readonly Member[],
  { first = [], part }: Pick<WakePayload, 'first' | 'part'>,
): readonly Tier<Member>[] {
  const { wakeOrdering } = context.compiled.config;
  const needed = part === undefined ? undefined : new Set(databasesBefore(wakeOrdering, all));
  const databases = stoppedByUs(context).filter((name) => needed === undefined || needed.has(name));
  return wakeOrder(wakeOrdering, all, { first, databases });
}

/** The tier of each member, as the wake began with: one that the configuration has moved since goes to the last. */
export function tierIndexes(
  context: MembersStep,
  payload: WakePayload,
  all: readonly Member[],
): ReadonlyMap<string, number> {
  const { wake } = payload;
  const indexes = new Map<string, number>();
  for (const tier of wakeTiers(context, all, payload)) {
    const index = wake.tiers.findIndex(({ name }) => name === tier.name);
    for (const member of tier.members) indexes.set(workloadKey(member), index < 0 ? wake.tiers.length - 1 : index);
  }
  return indexes;
}

export function startedMembers(
  { payload: { wake } }: Wake,
  all: readonly Member[],
  indexes: ReadonlyMap<string, number>,
): readonly Member[] {
  return all.filter((member) => wake.tiers[indexes.get(workloadKey(member)) ?? 0]?.startedAt !== undefined);
}

/** Kinds whose watches must be in step before a verdict: those of workloads that are raised, and so waited for. */
export function waitedKinds(all: readonly Member[]): ReadonlySet<WorkloadKind> {
  return new Set(all.flatMap(({ kind, waitedFor }) => (waitedFor ? kind : [])));
}
