import { matchesGlob } from '../targeting/glob.ts';
import { compileSelector, type Selectable } from '../targeting/workload-selector.ts';
import type { DesiredState } from './desired-state.ts';

/** `leave`: not to be touched in either direction. */
export type WantedForWorkload = 'up' | 'down' | 'leave';

/**
 * What is wanted of one targeted workload. `neverWokenExternally` is `config.externalWake.excludedNamespaces`, names or
 * patterns: a session of another cluster keeps nothing up there.
 */
export function wantedForWorkload(
  desired: DesiredState,
  neverWokenExternally: readonly string[],
): (workload: Selectable) => WantedForWorkload {
  if (desired.wanted === 'nothing') return () => 'leave';
  if (desired.wanted === 'handback') return () => 'up';
  const shut = ({ namespace }: Selectable) => neverWokenExternally.some((pattern) => matchesGlob(pattern, namespace));
  if (desired.wanted === 'awake') return (workload) => (desired.external && shut(workload) ? 'down' : 'up');
  const kept = desired.keepAwake.map(compileSelector);
  return (workload) => (kept.some((matches) => matches(workload)) && !shut(workload) ? 'up' : 'down');
}
