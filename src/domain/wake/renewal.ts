// A wake that would change nothing only renews the wake override: no overlay, card, mail or duration. Anything that has to be
// raised, resumed or started makes it a transition.

import type { WorkloadKind } from '../kinds/kinds.ts';
import { counted } from './verdict/span.ts';

export interface WakeActs {
  readonly workloadsToRaise: number;
  /** The kind of each that is to be resumed. */
  readonly toResume: readonly WorkloadKind[];
  /** A database to start has acted even while no replica has changed yet: the wake waits at its tier. */
  readonly databasesToStart: number;
}

export function isRenewal(acts: WakeActs): boolean {
  return actsNamed(acts).length === 0;
}

/** Why the wake is a transition, for logs: `3 workloads to raise, 1 database to start`; empty for a renewal. */
export function actsNamed(acts: WakeActs): readonly string[] {
  return [
    ...named(acts.workloadsToRaise, 'workload', 'to raise'),
    ...[...Map.groupBy(acts.toResume, (kind) => kind)].flatMap(([kind, all]) => named(all.length, kind, 'to resume')),
    ...named(acts.databasesToStart, 'database', 'to start'),
  ];
}

function named(count: number, noun: string, act: string): readonly string[] {
  return count === 0 ? [] : [`${counted(count, noun)} ${act}`];
}
