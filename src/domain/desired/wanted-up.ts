import { matchesGlob } from '../targeting/glob.ts';
import type { SkipCode, SkipReason } from '../targeting/targeting.ts';
import { compileSelector, type Selectable } from '../targeting/workload-selector.ts';
import type { EpochMs } from '../workload.ts';
import type { DesiredState } from './desired-state.ts';

/** `leave`: not to be touched in either direction. */
export type WantedForWorkload = 'up' | 'down' | 'leave';

/**
 * What is wanted of one targeted workload. `neverWokenExternally` is `config.externalWake.excludedNamespaces`, names or
 * patterns: a session of another cluster raises nothing there, so what sleeps there sleeps on. A cluster that is up for
 * another takes nothing down: what is up there when working hours end stays up until the cluster hibernates.
 */
export function wantedForWorkload(
  desired: DesiredState,
  neverWokenExternally: readonly string[],
): (workload: Selectable) => WantedForWorkload {
  if (desired.wanted === 'nothing') return () => 'leave';
  if (desired.wanted === 'handback') return () => 'up';
  if (desired.wanted === 'awake') {
    return (workload) => (desired.external && isShut(workload, neverWokenExternally) ? 'down' : 'up');
  }
  const keepers = keepersOf(desired, neverWokenExternally);
  return (workload) => (keepers(workload).length > 0 ? 'up' : 'down');
}

/** A cluster that keeps a workload up while the others sleep. */
export interface Keeper {
  readonly cluster: string;
  /** When the last of its sessions that need the workload ends. */
  readonly until: EpochMs;
}

/** Who keeps a workload up in a cluster that sleeps; whoever needs it longest comes first. */
export function keepersOf(
  { keepAwake }: Pick<DesiredState, 'keepAwake'>,
  neverWokenExternally: readonly string[],
): (workload: Selectable) => readonly Keeper[] {
  const kept = keepAwake.map(({ cluster, until, ...selector }) => ({
    cluster,
    until,
    named: compileSelector(selector),
  }));
  return (workload) => {
    if (kept.length === 0 || isShut(workload, neverWokenExternally)) return [];
    const last = new Map<string, EpochMs>();
    for (const { cluster, until, named } of kept) {
      if (named(workload)) last.set(cluster, Math.max(until, last.get(cluster) ?? until));
    }
    return [...last].map(([cluster, until]) => ({ cluster, until })).toSorted((a, b) => b.until - a.until);
  };
}

function isShut({ namespace }: Selectable, neverWokenExternally: readonly string[]): boolean {
  return neverWokenExternally.some((pattern) => matchesGlob(pattern, namespace));
}

/** Reasons that say nothing about whose the workload is: it is on its way out, or not wholly read yet. */
const passing: ReadonlySet<SkipCode> = new Set(['deleting', 'namespace_unknown', 'namespace_terminating']);

/**
 * The same for any workload that we may hold a record of. What left our scope is wanted up: it is handed back. What is only
 * passing through is left as it is.
 */
export function wantedForAny(
  desired: DesiredState,
  neverWokenExternally: readonly string[],
): (workload: Selectable, skipped: SkipReason | undefined) => WantedForWorkload {
  const ofOurs = wantedForWorkload(desired, neverWokenExternally);
  return (workload, skipped) => {
    if (skipped === undefined) return ofOurs(workload);
    return passing.has(skipped.code) ? 'leave' : 'up';
  };
}
