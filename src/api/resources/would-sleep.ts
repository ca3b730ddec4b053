import { goesDownInTheNight } from '../../domain/drift/decide-drift.ts';
import { isAsleep } from '../../state/phase.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { type ListedWorkload, wouldSleep } from '../outlook/workloads-snapshot.ts';

/** Whether the cluster sleeps and nothing runs: a hibernation then leaves what its owners raised. */
function isAtRest({ transition, deciding }: Outlook): boolean {
  return transition === null && isAsleep(deciding.phase);
}

/** Whether a hibernation would take it down now. */
export function goesDown(outlook: Outlook): (item: ListedWorkload) => boolean {
  if (!isAtRest(outlook)) return wouldSleep;
  return (item) => wouldSleep(item) && goesDownInTheNight(item.workload, item.record);
}

/** How many a hibernation would take down now. */
export function goingDown(outlook: Outlook): number {
  const { items, counts } = outlook.workloads;
  return isAtRest(outlook) ? items.filter(goesDown(outlook)).length : counts.wouldSleep;
}
