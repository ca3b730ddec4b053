import { stateFull } from '../../domain/announcement/conditions.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { originsOf } from '../../domain/externalwake/session.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import { setIfReadable } from '../../state/snapshot.ts';
import { type AsleepStep, reconcileAsleep } from '../hibernate/reconcile-asleep.ts';
import { earliest, now, type RequeueAt } from '../loop/requeue.ts';
import { scopedBy } from '../snapshot/snapshot.ts';
import { settleEnd } from '../stops/keep-stand-down.ts';
import { transition } from '../transition/transition.ts';
import type { Demand } from '../upkeep/external-dependencies.ts';
import type { ScopeByDay } from '../upkeep/scope-by-day.ts';
import { setAsideTransition } from '../upkeep/set-aside-transition.ts';
import type { AwakeProgress } from '../wake/awake-progress.ts';
import { type HostWaitStep, waitForHosts } from '../wake/host-wait.ts';
import { reconcileAwake } from '../wake/reconcile-awake.ts';
import { bringUpUnrecorded } from '../wake/unrecorded.ts';
import type { WakeStep } from '../wake/wake-step.ts';
import { planFrame } from './dry-run.ts';
import { handBack, keepHandedBack } from './hand-back.ts';

/** What moving the cluster needs of a pass. */
export interface ReconcileStep extends AsleepStep, HostWaitStep {
  readonly scopeByDay: ScopeByDay;
}

/** How long a pass waits for something that only a person can mend. */
const unreadableMs = 30_000;

/** Moves the cluster towards what it should be, as far as that goes now. */
export async function reconcile(context: ReconcileStep): Promise<RequeueAt> {
  const { desired, session, logger, frames } = context;
  const { wanted, heldBy: held, reason } = desired;
  // Neither a stop nor anything else: what an earlier process left running waits. That the license is known begins a pass.
  if (reason.code === 'license_not_checked') return undefined;
  if (held.length > 0) {
    logger.debug('Nothing is scaled until a key of the state is repaired', { wanted, held, reason: reason.text });
    return now(context) + unreadableMs;
  }
  context.dependencies?.follow(demandFor(desired), origins(context));
  if (!desired.acting && desired.wanted !== 'nothing') {
    frames.send(await planFrame(context));
    return undefined;
  }
  switch (desired.wanted) {
    case 'nothing':
      return session.getOrEmpty(transition) === null ? keepHandedBack(context) : watchHandback(context);
    case 'handback':
      return handBack(context, () => bringUp(context));
    case 'awake':
      return wake(context);
    case 'hibernated':
      return hibernate(context);
  }
}

async function wake(context: ReconcileStep): Promise<RequeueAt> {
  if (!(await setAsideTransition(context))) return now(context) + unreadableMs;
  const waitUntil = await waitForHosts(context);
  if (waitUntil !== undefined) return waitUntil;
  const { requeueAt } = await bringUp(context);
  await settleEnd(context.session);
  await storeIgnored(context);
  return earliest(requeueAt, await context.scopeByDay.check(context));
}

async function hibernate(context: ReconcileStep): Promise<RequeueAt> {
  try {
    const requeueAt = await reconcileAsleep(context);
    await settleEnd(context.session);
    await storeIgnored(context);
    return requeueAt;
  } catch (error) {
    if (!(error instanceof StateFull)) throw error;
    // Nothing more can be recorded, so nothing more is taken down.
    reportStateFull(context, error);
    return now(context) + unreadableMs;
  }
}

/** Waking is never held up by a full state: without room for its record everything comes up at once. */
async function bringUp(context: WakeStep): Promise<AwakeProgress> {
  try {
    return await reconcileAwake(context);
  } catch (error) {
    if (!(error instanceof StateFull)) throw error;
    reportStateFull(context, error);
    return bringUpUnrecorded(context);
  }
}

function reportStateFull({ logger, conditions, clock }: WakeStep, error: StateFull): void {
  logger.error('The state is full: nothing more is hibernated', { error: error.message });
  conditions.holds(stateFull(error.message, clock.now()));
}

/** Everything is handed back. The wake that handed it back runs on until it has a verdict for each workload. */
async function watchHandback(context: ReconcileStep): Promise<RequeueAt> {
  const desired: DesiredState = { ...context.desired, wanted: 'handback' };
  // All of it is wanted up, whatever is recorded.
  const snapshot = scopedBy(context.snapshot, desired, context.compiled, []);
  const { requeueAt } = await bringUp({ ...context, desired, snapshot });
  return requeueAt;
}

/** What hosting clusters are asked for: nothing while we are not scaling ourselves. */
function demandFor({ wanted, acting }: DesiredState): Demand {
  if (!acting || wanted === 'handback' || wanted === 'nothing') return 'silent';
  return wanted === 'awake' ? 'awake' : 'asleep';
}

/** On whose account the cluster is awake: its own, or that of the clusters whose sessions alone keep it so. */
function origins({ desired, session, compiled, clock }: ReconcileStep): readonly string[] {
  if (!desired.external) return [compiled.config.clusterName];
  return originsOf(session.getOrEmpty(externalWakeSessions), clock.now());
}

/** What is left alone, and why; written only when it changed. */
async function storeIgnored({ snapshot, session }: ReconcileStep): Promise<void> {
  const ignored = snapshot.workloads.flatMap(({ workload, skipped }) => {
    if (skipped === undefined) return [];
    const { kind, namespace, name } = workload;
    return [{ kind, namespace, name, reason: skipped.text }];
  });
  await session.writeIfRoom('ordinary', setIfReadable(ignoredResources, ignored));
}
