import { verdictEndsAt } from '../../domain/license/check.ts';
import { scheduleAt } from '../../domain/schedule/schedule.ts';
import { decidingState, desiredNow } from '../../service/desired.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { Fence } from '../act/fence.ts';
import { Staleness } from '../act/staleness.ts';
import type { AnnouncementDelivery } from '../announcements/delivery.ts';
import { earliest, type RequeueAt } from '../loop/requeue.ts';
import { gather, scopedBy } from '../snapshot/snapshot.ts';
import { keepStandDown, reopenHandback } from '../stops/keep-stand-down.ts';
import { adoptLostRecords } from '../upkeep/adopt-lost-records.ts';
import { forgetEndedHibernation } from '../upkeep/ended-hibernation.ts';
import type { ExternalDependencies } from '../upkeep/external-dependencies.ts';
import { expireExternalSessions } from '../upkeep/external-sessions.ts';
import { measure } from './measure.ts';
import type { PassMemory } from './memory.ts';
import type { ControllerPorts } from './ports.ts';
import { type ReconcileStep, reconcile } from './reconcile.ts';
import { triggerOf } from './trigger.ts';

const licenseSoonMs = 1_000;

/** What passes share as long as the process lives. */
export interface PassOptions {
  readonly ports: ControllerPorts;
  readonly memory: PassMemory;
  readonly delivery: AnnouncementDelivery;
  readonly dependencies: ExternalDependencies | undefined;
}

/**
 * One pass: the state is brought up to date, the cluster is read once, it is decided what the cluster should be, and it is
 * moved there. A pass that wrote to the cluster knows it no longer; it asks for another one at once.
 */
export async function runPass(options: PassOptions, session: StateSession, signal: AbortSignal): Promise<RequeueAt> {
  const { ports, memory, delivery, dependencies } = options;
  const { clock, view } = ports;
  const compiled = ports.compiled();
  const shared = { ...ports, session, delivery, compiled };
  memory.undecodableKeys.check(session);
  memory.conditions.passBegins();
  memory.reads.passBegins();
  // Announcements of earlier passes go out first, so that a stand-down which came since is not announced before them.
  await delivery.sync(session);
  const license = await memory.gatekeeper.check(shared);
  const licenseEndsAt = license === null ? undefined : verdictEndsAt(license);
  const kept = await keepStandDown(shared, license);
  await forgetEndedHibernation(shared);
  const nextExpiry = await expireExternalSessions(shared);
  const cluster = gather(view, compiled);
  await adoptLostRecords(shared, cluster);
  const stood = await reopenHandback(shared, cluster, kept);
  // A stand-down that the state has no room for holds all the same.
  const state = { ...decidingState(session.snapshot, (codec) => session.getOrEmpty(codec)), standDown: stood };
  const desired = desiredNow(state, compiled, license, clock.now());
  const missedEdge = () => missedLastEdge(shared, memory);
  const staleness = new Staleness();
  const step: ReconcileStep & typeof shared = {
    ...shared,
    ...memory,
    informers: view,
    dependencies,
    desired,
    snapshot: scopedBy(cluster, desired, compiled, session.getOrEmpty(resourceStates)),
    trigger: triggerOf({ stood, desired, missedEdge }),
    signal,
    fence: new Fence({ ...ports, session, signal, until: earliest(desired.nextChangeAt, licenseEndsAt) }),
    staleness,
  };
  await memory.recordMismatch.check(step);
  if (desired.wanted !== 'hibernated') memory.nightIsOver();
  if (desired.wanted !== 'awake') memory.scopeByDay.forget();
  const requeueAt = await reconcile(step);
  if (!signal.aborted) memory.conditions.passEnded();
  await ports.afterPass(step);
  measure(step);
  if (license !== null && desired.heldBy.length === 0 && !signal.aborted) memory.decidingPasses++;
  // Only records are looked up in this set: without records it can be emptied, so that it does not grow night after night.
  if (session.getOrEmpty(resourceStates).length === 0) memory.goneUids.clear();
  if (staleness.stale) return clock.now();
  // Nothing tells that a license cannot be read, or is not there: it is looked for again.
  const licenseAt = license === null ? clock.now() + licenseSoonMs : licenseEndsAt;
  return earliest(
    requeueAt,
    memory.reads.dueAt,
    desired.nextChangeAt,
    nextExpiry,
    ...ports.companions.map((companion) => companion.dueAt(ports)),
    licenseAt,
    clock.now() + compiled.reconcileMs,
  );
}

/** The schedule's last edge fell before this process started, and no pass of this process has moved the cluster since. */
function missedLastEdge(
  { session, compiled, clock }: Pick<ReconcileStep, 'session' | 'compiled' | 'clock'>,
  { decidingPasses, startedAt }: PassMemory,
): boolean {
  if (decidingPasses > 0 || session.getOrEmpty(phase) === null) return false;
  const edge = scheduleAt(compiled.schedule(session.getOrEmpty(scheduleOverrides)), clock.now());
  return (edge.since ?? Number.POSITIVE_INFINITY) < startedAt;
}
