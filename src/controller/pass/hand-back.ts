import { manualHibernation } from '../../state/intents/manual-hibernation.ts';
import { set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { finishHandback } from '../stops/stand-down.ts';
import { setAsideTransition } from '../upkeep/set-aside-transition.ts';
import type { AwakeProgress } from '../wake/reconcile-awake.ts';
import type { WakeStep } from '../wake/wake-step.ts';
import { earliest, now, type RequeueAt } from './requeue.ts';
import { unreadableName } from './unreadable.ts';

const handbackRetryMs = 30_000;

/**
 * A workload is handed back when its recorded count is: whether its pods come up is what the wake that still runs tells,
 * and a workload that crashes would otherwise keep the handback open for good.
 */
export async function handBack(context: WakeStep, reconcileAwake: () => Promise<AwakeProgress>): Promise<RequeueAt> {
  const { session, logger, signal, staleness } = context;
  if (session.getOrEmpty(manualHibernation) !== null) await session.write(set(manualHibernation, null));
  await setAsideTransition(context);
  const { requeueAt, pending: down } = await reconcileAwake();
  // What this pass raised is still down in its snapshot: the next one, which follows at once, says what is missing.
  if (signal.aborted || staleness.stale) return requeueAt;
  // A stop that cannot be read cannot be noted as finished.
  const pending = session.read(standDown).ok ? down : [...down, unreadableName(standDown.key)];
  if (pending.length > 0) {
    logger.warn('Handback not finished, retrying on the next pass', { pending });
    return earliest(requeueAt, now(context) + handbackRetryMs);
  }
  logger.info('Handback finished: everything that was scaled down is back');
  await finishHandback(context);
  return requeueAt;
}
