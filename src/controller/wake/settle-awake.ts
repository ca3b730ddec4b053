import type { Restore } from '../../domain/restore/decide-restore.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Informers } from '../../ports/cluster.ts';
import type { Logger } from '../../ports/logger.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { withoutRecords } from '../act/records.ts';
import { actsOf, servedRecords } from '../act/restore.ts';
import { type Acting, apply } from '../act/scaling.ts';
import { now, type RequeueAt } from '../loop/requeue.ts';
import { type AnswerStep, answerRenewal } from './answer-wake.ts';
import { type AwakePhaseStep, awakePhase, hasWakeAhead } from './course/awake-phase.ts';

/** What settling a cluster that is up needs of a pass. */
export interface SettleStep extends Acting, AnswerStep, AwakePhaseStep {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly session: StateSession;
  readonly informers: Informers;
}

/**
 * Everything is up: records that have served go, marks on what its owner took back go, and the cluster counts as awake. A mark that could
 * not be taken off is tried again at its own pace.
 */
export async function settleAwake(context: SettleStep, restores: ReadonlyMap<string, Restore>): Promise<RequeueAt> {
  const { session, informers } = context;
  await informers.watchPods(false);
  // What loses its mark here has served too: the pass that follows at once drops its record.
  const { retryAt } = await apply(context, actsOf(restores.values()));
  const records = session.get(resourceStates);
  const served = new Set(servedRecords(records, restores).map(workloadKey));
  const edits = [set(resourceStates, withoutRecords(records, served))];
  if (session.getOrEmpty(phase)?.phase === 'hibernated' || hasWakeAhead(context)) {
    await session.write(...edits, set(phase, awakePhase(context, now(context))));
  } else if (served.size > 0) await session.write(...edits);
  await answerRenewal(context);
  return retryAt;
}
