import { workloadWillNotScale } from '../../domain/announcement/conditions.ts';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import type { Restore } from '../../domain/restore/decide-restore.ts';
import { workloadKey } from '../../domain/workload.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { withoutRecords } from '../act/records.ts';
import { actsOf, restoresOf, servedRecords } from '../act/restore.ts';
import { type Acting, apply } from '../act/scaling.ts';
import { type DatabaseStep, startDatabases, stoppedByUs } from '../beside/database-steps.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import type { Wake } from '../transition/transition.ts';
import { recordsOf } from './course/wake-members.ts';

/** What bringing up what a wake left down needs of a pass. */
export interface RepairStep extends Acting, DatabaseStep {
  readonly snapshot: ScopedSnapshot;
}

/** `except`: keys of workloads in a running wake, whose records stay until that wake has ended. */
export async function repair(
  context: RepairStep,
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

/** While single workloads are tried again, what else a wake left down is repaired as without it. */
export async function repairBeside(context: RepairStep, { payload }: Wake): Promise<RequeueAt> {
  if (payload.retry !== true) return undefined;
  const mine = new Set(recordsOf(context, payload).map(workloadKey));
  const others = wantedUp(context).filter((record) => !mine.has(workloadKey(record)));
  if (others.length === 0) return undefined;
  return repair(context, await restoresOf(context, others), mine);
}

/** The records of workloads that are wanted up now, as far as the records can be decoded. */
export function wantedUp({ session, snapshot }: Pick<RepairStep, 'session' | 'snapshot'>): readonly WorkloadRecord[] {
  return session.getOrEmpty(resourceStates).filter((record) => snapshot.want(record) === 'up');
}
