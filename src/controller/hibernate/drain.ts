import type { PodView } from '../../domain/wake/verdict/pod.ts';
import type { Scalable } from '../../domain/workload.ts';
import type { PassContext } from '../pass/pass-context.ts';

/** Pods are watched while a tier is waited for by another one, and only then: they are most of what a cluster holds. */
export async function watchLeavingPods({ ports }: PassContext, awaited: boolean): Promise<void> {
  if (awaited) void ports.view.watchPods(true);
  else await ports.view.watchPods(false);
}

/**
 * Whether a lowered workload has pods still. Until the watch is in step there may be some; where it cannot be brought in
 * step, what the workload's own status says has to do.
 */
export function leavingPods({ ports, watchPatience, compiled }: PassContext): (workload: Scalable) => boolean {
  const outMs = watchPatience.outOfStepMs(ports.view, 'Pod', ports.clock.monotonic());
  if (outMs !== undefined) return () => outMs < compiled.figures.readPatienceMs;
  return (workload) => ports.view.pods(workload).some(isThere);
}

/** Evicted and finished pods stay behind when their workload goes, and run no more. */
function isThere({ phase }: PodView): boolean {
  return phase !== 'Failed' && phase !== 'Succeeded';
}
