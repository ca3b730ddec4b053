import { goingDownInTheNight } from '../../domain/drift/decide-drift.ts';
import { nobodyQuiet, raisedAgain } from '../../domain/targeting/appliers.ts';
import { type Workload, workloadKey } from '../../domain/workload.ts';
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
  const down = goingDownNow(outlook);
  return ({ workload }) => down.has(workload);
}

function goingDownNow({ workloads: { items } }: Outlook): ReadonlySet<Workload> {
  const workloads = items.filter(wouldSleep).map(({ workload }) => workload);
  const records = new Map(
    items.flatMap(({ workload, record }) => (record === undefined ? [] : [[workloadKey(workload), record]])),
  );
  return new Set(
    goingDownInTheNight({
      workloads,
      records,
      raisedAgain: raisedAgain(workloads, records, nobodyQuiet),
    }),
  );
}

/** How many a hibernation would take down now. */
export function goingDown(outlook: Outlook): number {
  return isAtRest(outlook) ? goingDownNow(outlook).size : outlook.workloads.counts.wouldSleep;
}
