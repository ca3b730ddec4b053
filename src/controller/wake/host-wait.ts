import { wakeStarted, wakeWithdrawn } from '../../domain/announcement/wake.ts';
import { startWake } from '../../domain/wake/start.ts';
import type { WaitedHost } from '../../domain/wake/verdict/wake-state.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import { set } from '../../state/snapshot.ts';
import { announce } from '../announcements/announce.ts';
import { now, type RequeueAt } from '../loop/requeue.ts';
import { begin } from '../transition/begin-transition.ts';
import {
  isWaiting,
  transition,
  transitionId,
  type WaitingWake,
  type Wake,
  type WakePayload,
} from '../transition/transition.ts';
import type { ExternalDependencies } from '../upkeep/external-dependencies.ts';
import { answerWake } from './answer-wake.ts';
import { wakeFrame } from './course/wake-frame.ts';
import { hasSomethingToWake } from './wake-acts.ts';
import type { WakeStep } from './wake-step.ts';

export interface HostWaitStep extends WakeStep {
  /** The clusters that this one depends on; undefined when it knows of none. */
  readonly dependencies: ExternalDependencies | undefined;
}

/** A wake that is about to begin waits for the hosting clusters, as long as for any tier. Undefined when it need not wait. */
export async function waitForHosts(context: HostWaitStep): Promise<RequeueAt> {
  const { session, compiled, dependencies } = context;
  const running = session.get(transition);
  const waiting = isWaiting(running);
  const begins = waiting || (running === null && session.getOrEmpty(phase)?.phase === 'hibernated');
  if (!begins || dependencies === undefined) return undefined;
  const hosts = dependencies.waitedHosts(compiled.wakeBarrierMs, waiting ? running.startedAt : undefined);
  if (hosts.length > 0) {
    // Only records are left to be cleared: a wait would be told to nobody, and helps nobody.
    if (!waiting && session.read(resourceStates).ok && !(await hasSomethingToWake(context))) return undefined;
    dependencies.logWaiting(compiled.wakeBarrierMs);
    await showWaiting(context, hosts);
    return dependencies.recheckAt(hosts);
  }
  const timedOut = dependencies.timedOut(compiled.wakeBarrierMs);
  if (timedOut === undefined) return undefined;
  await announce(context, [timedOut], []);
  dependencies.giveUp();
  return undefined;
}

/** Who asked for the wake sees from the start what it waits for; it counts as running, and nothing is raised yet. */
async function showWaiting(context: WakeStep, hosts: readonly WaitedHost[]): Promise<void> {
  const { session, driven } = context;
  // Without the counts nobody knows what the wake would be about.
  if (!session.read(resourceStates).ok) return;
  const running = session.get(transition);
  const waiting = isWaiting(running) ? await withHosts(context, running, hosts) : await beginWaiting(context, hosts);
  if (waiting === undefined) return;
  driven.add(waiting.id);
  sendFrame(context, waiting);
}

async function withHosts(context: WakeStep, running: WaitingWake, hosts: readonly WaitedHost[]): Promise<Wake> {
  if (JSON.stringify(running.payload.hosts) === JSON.stringify(hosts)) return running;
  const next: Wake = { ...running, payload: { ...running.payload, hosts } };
  await context.session.write(set(transition, next));
  return next;
}

/** Undefined where a wake would have nothing to do, or where the state has no room to say that it waits. */
async function beginWaiting(context: WakeStep, hosts: readonly WaitedHost[]): Promise<Wake | undefined> {
  const { compiled, random, trigger } = context;
  if (!(await hasSomethingToWake(context))) return undefined;
  const at = now(context);
  const { wake } = startWake({ id: transitionId('wake', at, random), tiers: [] }, at, compiled.figures);
  const payload: WakePayload = { kind: 'wake', wake, refused: {}, hosts };
  const started: Wake = { kind: 'wake', id: wake.id, startedAt: at, trigger, payload };
  try {
    await answerWake(context);
    await begin(context, started, [wakeStarted(started)]);
    return started;
  } catch (error) {
    if (!(error instanceof StateFull)) throw error;
    return undefined;
  }
}

/** Nothing was raised, so nothing has to be lowered again: the cluster sleeps on. */
export async function withdrawWaiting(context: WakeStep, waiting: WaitingWake): Promise<void> {
  const at = now(context);
  await announce(context, [wakeWithdrawn(waiting, at)], [set(transition, null)]);
  context.logger.info('The wake is no longer wanted; it had not begun', { id: waiting.id });
  const wake = { ...waiting.payload.wake, endedAt: at, endedBy: 'superseded' as const };
  sendFrame(context, { ...waiting, payload: { kind: 'wake', wake, refused: {} } });
}

function sendFrame(context: WakeStep, waiting: Wake): void {
  const observations = { workloads: [], databases: [], cronJobs: [] };
  context.frames.send(wakeFrame(context, waiting, { wake: waiting.payload.wake, observations, at: now(context) }));
}
