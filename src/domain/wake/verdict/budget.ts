// Phase 2: how long a workload may take from started to ready, and what that figure rests on.

import type { Scalable, StartupProbe } from '../../workload.ts';
import { second, type WakeFigures } from '../figures.ts';

export interface StartBudget {
  /** `declared` by a start-up probe, held to the `cap`, or the `default` because nothing is declared or readable. */
  readonly kind: 'declared' | 'cap' | 'default';
  readonly ms: number;
  /** How long the kubelet may still take to kill a container that used its declared budget up; 0 when no such wait applies. */
  readonly killWaitMs: number;
}

export type BudgetedSpec = Pick<Scalable, 'containers' | 'terminationGracePeriodSeconds'>;

/** `spec` is undefined when the workload cannot be read. */
export function startBudget(spec: BudgetedSpec | undefined, figures: WakeFigures): StartBudget {
  const longest = longestProbe(spec);
  if (spec === undefined || longest === undefined) {
    return { kind: 'default', ms: figures.settleTimeoutMs, killWaitMs: 0 };
  }
  const declared = probeBudgetMs(longest);
  if (declared > figures.budgetCapMs) return { kind: 'cap', ms: figures.budgetCapMs, killWaitMs: 0 };
  return { kind: 'declared', ms: declared, killWaitMs: killWaitMs(longest, spec, figures) };
}

/** The most a workload may take in all: phase 1 and its own phase 2. */
export function workloadCeilingMs(spec: BudgetedSpec | undefined, figures: WakeFigures): number {
  return figures.phase1Ms + startBudget(spec, figures).ms;
}

function probeBudgetMs(probe: StartupProbe): number {
  return (probe.initialDelaySeconds + probe.failureThreshold * probe.periodSeconds) * second;
}

/** Of probes with the same budget the one the kubelet acts on latest, so that the order of containers decides nothing. */
function longestProbe(spec: BudgetedSpec | undefined): StartupProbe | undefined {
  let longest: StartupProbe | undefined;
  for (const { startupProbe } of spec?.containers ?? []) {
    if (startupProbe === undefined) continue;
    if (longest === undefined || outlasts(startupProbe, longest)) longest = startupProbe;
  }
  return longest;
}

function outlasts(a: StartupProbe, b: StartupProbe): boolean {
  const difference = probeBudgetMs(a) - probeBudgetMs(b);
  if (difference !== 0) return difference > 0;
  return a.periodSeconds + a.timeoutSeconds > b.periodSeconds + b.timeoutSeconds;
}

function killWaitMs(probe: StartupProbe, spec: BudgetedSpec, figures: WakeFigures): number {
  const seconds = probe.periodSeconds + probe.timeoutSeconds + spec.terminationGracePeriodSeconds;
  return Math.min(seconds * second, figures.graceMs);
}
