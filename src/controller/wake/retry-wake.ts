import { workloadKey } from '../../domain/workload.ts';
import { type WakeRetry, wakeRetries } from '../../state/intents/wake-retries.ts';
import { set } from '../../state/snapshot.ts';
import { now } from '../loop/requeue.ts';
import type { Wake } from '../transition/transition.ts';
import { startWakeTransition } from './course/start-wake.ts';
import type { WakeStep } from './wake-step.ts';

// While the cluster is awake, somebody may want a workload that did not come up tried again: it has a wake of its own, with a
// verdict of its own, and nothing else is touched.

/** A retry that could not begin for this long is dropped: whoever asked for it no longer expects it. */
const expiresAfterMs = 10 * 60_000;

/** Begins a wake of the workloads that somebody wants tried again; undefined when there are none. */
export async function startRetryWake(context: WakeStep): Promise<Wake | undefined> {
  const { session, backoff } = context;
  const asked = session.getOrEmpty(wakeRetries);
  if (asked.length === 0) return undefined;
  const clear = set(wakeRetries, []);
  const due = asked.filter((retry) => isDue(context, retry));
  if (due.length === 0) {
    await session.write(clear);
    return undefined;
  }
  // What the cluster refused before is asked for at once: somebody may have seen to it.
  for (const retry of due) {
    for (const act of ['raise', 'resume', 'read']) backoff.ended(`${act} ${workloadKey(retry)}`);
  }
  const actor = [...new Set(due.map(({ by }) => by))].join(', ');
  const part = due.map(({ kind, namespace, name }) => ({ namespace, type: kind, name }));
  const because = due.map((retry) => `${workloadKey(retry)} is tried again`);
  const trigger = { actor, cause: 'retry' };
  return startWakeTransition({ ...context, trigger }, because, { part, retry: true }, [clear]);
}

/** What went away or is no longer wanted up meanwhile is not woken. */
function isDue(context: WakeStep, retry: WakeRetry): boolean {
  const workload = context.snapshot.workload(retry);
  return workload !== undefined && now(context) - retry.at < expiresAfterMs && context.snapshot.want(workload) === 'up';
}
