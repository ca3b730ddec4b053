import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { databasesBefore } from '../../domain/ordering/databases-before.ts';
import type { Workload } from '../../domain/workload.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { ScopedSnapshot } from './snapshot.ts';

export interface KeptUp {
  readonly snapshot: ScopedSnapshot;
  readonly desired: DesiredState;
  readonly compiled: CompiledConfig;
}

/** Targeted workloads that other clusters keep up while the cluster sleeps. */
export function keptUp({ snapshot, desired }: KeptUp): readonly Workload[] {
  if (desired.keepAwake.length === 0) return [];
  return snapshot.workloads
    .filter(({ want, skipped }) => want === 'up' && skipped === undefined)
    .map(({ workload }) => workload);
}

/** The databases that the workloads kept up for other clusters need, and which therefore stay up too. */
export function databasesKeptUp(context: KeptUp): ReadonlySet<string> {
  return new Set(databasesBefore(context.compiled.config.wakeOrdering, keptUp(context)));
}
