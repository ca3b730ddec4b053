import type { ScopeRules } from '../oracle/scope.ts';

/** What the rules have to know of the simulation besides the cluster. */
export interface Circumstances {
  /** Of the steady clock: nothing the actors did is younger than this. */
  lastActionAt(): number;
  /** How long something may still happen on what was known before: a second, or more while the network fails. */
  slackMs(): number;
  readonly scope: () => ScopeRules;
}
