import { stateFull } from '../../domain/announcement/conditions.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { originsOf } from '../../domain/externalwake/session.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import { phase } from '../../state/phase.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import { setIfReadable } from '../../state/snapshot.ts';
import { type DownStep, driveDown } from '../hibernate/drive-down.ts';
import { settleEnd } from '../stops/stand-down.ts';
import { announce } from '../tell/announce.ts';
import { transition } from '../transition.ts';
import type { ExternalDependencies, Wish } from '../upkeep/external-dependencies.ts';
import type { ScopeByDay } from '../upkeep/scope-by-day.ts';
import { setAsideTransition } from '../upkeep/set-aside-transition.ts';
import { bringUpUnrecorded, type DrivenUp, driveUp } from '../wake/drive-up.ts';
import type { WakeStep } from '../wake/wake-step.ts';
import { handBack } from './hand-back.ts';
import { planFrame } from './plan.ts';
import { earliest, type LookAt, now } from './requeue.ts';
import { heldBy } from './unreadable.ts';

/** What moving the cluster needs of a pass. */
export interface DriveStep extends DownStep {
  readonly scopeByDay: ScopeByDay;
  /** The clusters that this one depends on; undefined when it knows of none. */
  readonly dependencies: ExternalDependencies | undefined;
}

/** How long a pass waits for something that only a person can mend. */
const unreadableMs = 30_000;

/** Moves the cluster towards what it should be, as far as that goes now. */
export async function drive(context: DriveStep): Promise<LookAt> {
  const { desired, session, logger, frames } = context;
  const held = heldBy(desired.wanted, session);
  if (held.length > 0) {
    logger.debug('Nothing is scaled until a key of the state is repaired', { wanted: desired.wanted, held });
    return now(context) + unreadableMs;
  }
  context.dependencies?.follow(wishFor(desired), origins(context));
  if (!desired.acting && desired.wanted !== 'nothing') {
    frames.send(planFrame(context));
    return undefined;
  }
  switch (desired.wanted) {
    case 'nothing':
      return session.getOrEmpty(transition) === null ? undefined : watchHandback(context);
    case 'handback':
      return handBack(context, () => driveUpWithRoom(context));
    case 'awake':
      return wake(context);
    case 'hibernated':
      return hibernate(context);
  }
}

async function wake(context: DriveStep): Promise<LookAt> {
  if (!(await setAsideTransition(context))) return now(context) + unreadableMs;
  const waitUntil = await waitForHosts(context);
  if (waitUntil !== undefined) return waitUntil;
  const { lookAt } = await driveUpWithRoom(context);
  await settleEnd(context.session);
  await noteIgnored(context);
  return earliest(lookAt, await context.scopeByDay.look(context));
}

async function hibernate(context: DriveStep): Promise<LookAt> {
  try {
    const lookAt = await driveDown(context);
    await settleEnd(context.session);
    await noteIgnored(context);
    return lookAt;
  } catch (error) {
    if (!(error instanceof StateFull)) throw error;
    // Nothing more can be recorded, so nothing more is taken down.
    tellFull(context, error);
    return now(context) + unreadableMs;
  }
}

/** Waking is never held up by a full state: without room for its record everything comes up at once. */
async function driveUpWithRoom(context: WakeStep): Promise<DrivenUp> {
  try {
    return await driveUp(context);
  } catch (error) {
    if (!(error instanceof StateFull)) throw error;
    tellFull(context, error);
    return bringUpUnrecorded(context);
  }
}

function tellFull({ logger, conditions, clock }: WakeStep, error: StateFull): void {
  logger.error('The state is full: nothing more is hibernated', { error: error.message });
  conditions.holds(stateFull(error.message, clock.now()));
}

/** Everything is handed back; the wake that did it goes on until it has a verdict about each workload. */
async function watchHandback(context: DriveStep): Promise<LookAt> {
  const { lookAt } = await driveUpWithRoom({ ...context, desired: { ...context.desired, wanted: 'handback' } });
  return lookAt;
}

/** A wake that is about to begin waits for the hosting clusters, as long as for any tier. */
async function waitForHosts(context: DriveStep): Promise<LookAt> {
  const { session, compiled, dependencies } = context;
  const begins = session.get(transition) === null && session.getOrEmpty(phase)?.phase === 'hibernated';
  if (!begins || dependencies === undefined) return undefined;
  const until = dependencies.waitUntil(compiled.wakeBarrierMs);
  if (until !== undefined) {
    dependencies.sayWaiting(compiled.wakeBarrierMs);
    return until;
  }
  const timedOut = dependencies.timedOut(compiled.wakeBarrierMs);
  if (timedOut === undefined) return undefined;
  await announce(context, [timedOut], []);
  dependencies.giveUp();
  return undefined;
}

/** What hosting clusters are asked for: nothing while we are not scaling ourselves. */
function wishFor({ wanted, acting }: DesiredState): Wish {
  if (!acting || wanted === 'handback' || wanted === 'nothing') return 'silent';
  return wanted === 'awake' ? 'awake' : 'asleep';
}

/** On whose account the cluster is awake: its own, or that of the clusters whose sessions alone keep it so. */
function origins({ desired, session, compiled, clock }: DriveStep): readonly string[] {
  if (!desired.external) return [compiled.config.clusterName];
  return originsOf(session.getOrEmpty(externalWakeSessions), clock.now());
}

/** What is left alone, and why; written only when it changed. */
async function noteIgnored({ snapshot, session }: DriveStep): Promise<void> {
  const ignored = snapshot.workloads.flatMap(({ workload, skipped }) => {
    if (skipped === undefined) return [];
    const { kind, namespace, name } = workload;
    return [{ kind, namespace, name, reason: skipped.text }];
  });
  await session.writeIfRoom('ordinary', setIfReadable(ignoredResources, ignored));
}
