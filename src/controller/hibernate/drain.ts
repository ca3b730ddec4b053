import type { PodView } from '../../domain/wake/verdict/pod.ts';
import type { Scalable } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Informers } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { WatchOutages } from '../transition/watch-outages.ts';

export interface DrainStep {
  readonly clock: Clock;
  readonly informers: Informers;
  readonly watchOutages: WatchOutages;
  readonly compiled: CompiledConfig;
}

/** Pods are watched only while another tier waits for this one, because they are most of the objects in a cluster. */
export async function watchLeavingPods({ informers }: DrainStep, awaited: boolean): Promise<void> {
  if (awaited) void informers.watchPods(true);
  else await informers.watchPods(false);
}

/**
 * Whether a lowered workload has pods still. Until the watch is in step there may be some; where it cannot be brought in
 * step, what the workload's own status says has to do.
 */
export function leavingPods({ clock, informers, watchOutages, compiled }: DrainStep): (workload: Scalable) => boolean {
  const outMs = watchOutages.outOfStepMs(informers, 'Pod', clock.monotonic());
  if (outMs !== undefined) return () => outMs < compiled.figures.watchGraceMs;
  return (workload) => informers.pods(workload).some(isThere);
}

/** Evicted and finished pods stay behind when their workload goes, and run no more. */
function isThere({ phase }: PodView): boolean {
  return phase !== 'Failed' && phase !== 'Succeeded';
}
