import { wakeStarted, wakeWithdrawn } from '../../domain/announcement/wake.ts';
import { startWake } from '../../domain/wake/start.ts';
import type { WaitedHost } from '../../domain/wake/wake-state.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import { set } from '../../state/snapshot.ts';
import { now, type PassContext } from '../pass/pass-context.ts';
import { announce } from '../tell/announce.ts';
import { begin } from '../tell/begin-transition.ts';
import { isWaiting, transition, transitionId, type WaitingWake, type Wake, type WakePayload } from '../transition.ts';
import { answerWake, hasSomethingToWake } from './drive-up.ts';
import { wakeFrame } from './wake-frame.ts';

/** Who asked for the wake sees from the start what it waits for; it counts as running, and nothing is raised yet. */
export async function showWaiting(
  context: PassContext,
  hosts: readonly WaitedHost[],
  driven: Set<string>,
): Promise<void> {
  const running = context.session.get(transition);
  const waiting = isWaiting(running) ? await withHosts(context, running, hosts) : await beginWaiting(context, hosts);
  if (waiting === undefined) return;
  driven.add(waiting.id);
  sendFrame(context, waiting);
}

async function withHosts(context: PassContext, running: WaitingWake, hosts: readonly WaitedHost[]): Promise<Wake> {
  if (JSON.stringify(running.payload.hosts) === JSON.stringify(hosts)) return running;
  const next: Wake = { ...running, payload: { ...running.payload, hosts } };
  await context.session.write(set(transition, next));
  return next;
}

/** Undefined where a wake would have nothing to do, or where the state has no room to say that it waits. */
async function beginWaiting(context: PassContext, hosts: readonly WaitedHost[]): Promise<Wake | undefined> {
  const { session, ports, compiled, trigger } = context;
  if (!session.read(resourceStates).ok || !(await hasSomethingToWake(context))) return undefined;
  const at = now(context);
  const { wake } = startWake({ id: transitionId('wake', at, ports.random), tiers: [] }, at, compiled.figures);
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
export async function withdrawWaiting(context: PassContext, waiting: WaitingWake): Promise<void> {
  const at = now(context);
  await announce(context, [wakeWithdrawn(waiting, at)], [set(transition, null)]);
  context.ports.logger.info('The wake is no longer wanted; it had not begun', { id: waiting.id });
  const wake = { ...waiting.payload.wake, endedAt: at, endedBy: 'superseded' as const };
  sendFrame(context, { ...waiting, payload: { kind: 'wake', wake, refused: {} } });
}

function sendFrame(context: PassContext, waiting: Wake): void {
  const observations = { workloads: [], databases: [], cronJobs: [] };
  context.ports.frames.send(wakeFrame(context, waiting, waiting.payload.wake, observations));
}
