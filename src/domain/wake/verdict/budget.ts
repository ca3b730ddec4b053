// Phase 2: how long a workload may take from started to ready, and what that figure rests on.

import type { ContainerSpec, Scalable, StartupProbe } from '../../workload.ts';
import { second, type WakeFigures } from './figures.ts';

export interface StartBudget {
  /**
   * `declared` by a start-up probe, or the `default` because nothing is declared or readable; either of them, when it is
   * longer, held to the `cap`.
   */
  readonly kind: 'declared' | 'cap' | 'default';
  readonly ms: number;
  /** How long the kubelet may still take to kill a container that used its declared budget up; 0 when no such wait applies. */
  readonly killWaitMs: number;
}

export type BudgetedSpec = Pick<Scalable, 'containers' | 'sidecars' | 'terminationGracePeriodSeconds'>;

/** `spec` is undefined when the workload cannot be read. */
export function startBudget(spec: BudgetedSpec | undefined, figures: WakeFigures): StartBudget {
  const longest = longestProbe(spec);
  if (spec === undefined || longest === undefined) {
    return (
      heldToCap(figures.settleTimeoutMs, figures) ?? { kind: 'default', ms: figures.settleTimeoutMs, killWaitMs: 0 }
    );
  }
  const declared = probeBudgetMs(longest);
  const capped = heldToCap(declared, figures);
  if (capped !== undefined) return capped;
  return { kind: 'declared', ms: declared, killWaitMs: killWaitMs(longest, spec, figures) };
}

/** The most a workload may take in all: phase 1 and its own phase 2. */
export function workloadCeilingMs(spec: BudgetedSpec | undefined, figures: WakeFigures): number {
  return figures.phase1Ms + startBudget(spec, figures).ms;
}

function heldToCap(ms: number, { budgetCapMs }: WakeFigures): StartBudget | undefined {
  return ms > budgetCapMs ? { kind: 'cap', ms: budgetCapMs, killWaitMs: 0 } : undefined;
}

function probeBudgetMs(probe: StartupProbe): number {
  return (probe.initialDelaySeconds + probe.failureThreshold * probe.periodSeconds) * second;
}

/** Of probes with the same budget the one the kubelet acts on latest, so that the order of containers decides nothing. */
function longestProbe(spec: BudgetedSpec | undefined): StartupProbe | undefined {
  if (spec === undefined) return undefined;
  const longer = (longest: StartupProbe | undefined, { startupProbe }: ContainerSpec) => {
    if (startupProbe === undefined) return longest;
    return longest === undefined || outlasts(startupProbe, longest, spec) ? startupProbe : longest;
  };
  const longest = spec.containers.reduce(longer, undefined);
  return spec.sidecars === undefined ? longest : spec.sidecars.reduce(longer, longest);
}

function outlasts(a: StartupProbe, b: StartupProbe, spec: BudgetedSpec): boolean {
  const difference = probeBudgetMs(a) - probeBudgetMs(b);
  return difference !== 0 ? difference > 0 : killSeconds(a, spec) > killSeconds(b, spec);
}

function killWaitMs(probe: StartupProbe, spec: BudgetedSpec, figures: WakeFigures): number {
  return Math.min(killSeconds(probe, spec) * second, figures.graceMs);
}

function killSeconds(probe: StartupProbe, spec: BudgetedSpec): number {
  const grace = probe.terminationGracePeriodSeconds ?? spec.terminationGracePeriodSeconds;
  return probe.periodSeconds + probe.timeoutSeconds + grace;
}
