import { isStoodDown } from '../../domain/stops/stand-down-state.ts';
import { unreadableName } from '../../domain/stops/unreadable-key.ts';
import { manualHibernation } from '../../state/intents/manual-hibernation.ts';
import { phase } from '../../state/phase.ts';
import { set } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { wakeCompanions } from '../beside/run-companions.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import { finishHandback } from '../stops/keep-stand-down.ts';
import { withoutHibernation } from '../upkeep/ended-hibernation.ts';
import { setAsideTransition } from '../upkeep/set-aside-transition.ts';
import type { AwakeProgress } from '../wake/awake-progress.ts';
import { awakePhase } from '../wake/course/awake-phase.ts';
import type { WakeStep } from '../wake/wake-step.ts';

const handbackRetryMs = 30_000;

/**
 * A workload is handed back when its recorded count is: whether its pods come up is what the wake that still runs tells,
 * and a workload that crashes would otherwise keep the handback open for good.
 */
export async function handBack(context: WakeStep, reconcileAwake: () => Promise<AwakeProgress>): Promise<RequeueAt> {
  const { session, logger, signal, staleness } = context;
  const manual = session.getOrEmpty(manualHibernation);
  if (manual !== null) await session.write(...withoutHibernation(session, manual));
  await setAsideTransition(context);
  const { requeueAt, pending: missing } = await reconcileAwake();
  const down = await missing();
  // What this pass raised is still down in its snapshot: the next one, which follows at once, says what is missing.
  if (signal.aborted || staleness.stale) return requeueAt;
  // While the stand-down key cannot be decoded, the handback cannot be stored as finished.
  const pending = session.read(standDown).ok ? down : [...down, unreadableName(standDown.key)];
  if (pending.length > 0) {
    logger.warn('Handback not finished, retrying on the next pass', { pending });
    return earliest(requeueAt, now(context) + handbackRetryMs);
  }
  await finishHandback(context);
  return requeueAt;
}

/**
 * A phase that could not be read while everything was handed back is repaired to what it said before. Left at
 * `hibernated`, it would count hours of sleep that are none, and the night after the stand-down would not begin. What lands only now of
 * what was sent before is handed back too.
 */
export async function keepHandedBack(context: WakeStep): Promise<RequeueAt> {
  const { session, logger } = context;
  const landed = await wakeCompanions(context);
  if (landed.length > 0)
    logger.warn('Not everything stays handed back, retrying on the next pass', { pending: landed });
  const stood = session.getOrEmpty(standDown);
  if (isStoodDown(stood) && stood.handbackDone && session.getOrEmpty(phase)?.phase === 'hibernated')
    await session.writeIfRoom('reserve', set(phase, awakePhase(context, now(context))));
  return landed.length > 0 ? now(context) + handbackRetryMs : undefined;
}
