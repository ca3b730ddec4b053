import type { TransitionFrame } from '../data/transition.ts';
import { beginsWith, keyOf, type WorkloadName } from './workload-name.ts';

/** What the wake that runs says of a workload; undefined when none runs, or it says nothing of it. */
export function saidNow(workload: WorkloadName, frame: TransitionFrame | undefined): string | undefined {
  if (frame?.kind !== 'wake' || frame.progress.endedAt !== undefined) return undefined;
  return frame.progress.tiers
    .flatMap(({ workloads }) => workloads.map(({ sentence }) => sentence))
    .find((sentence) => {
      const found = beginsWith(sentence);
      return found !== undefined && keyOf(found.workload) === keyOf(workload);
    });
}
