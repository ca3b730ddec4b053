import { databasesBefore } from '../../domain/ordering/databases-before.ts';
import type { Workload } from '../../domain/workload.ts';
import { lookAround, type PassContext } from './pass-context.ts';

/** Targeted workloads that other clusters keep up while the cluster sleeps. */
export function keptUp(context: PassContext): readonly Workload[] {
  if (context.desired.keepAwake.length === 0) return [];
  return lookAround(context)
    .workloads.filter(({ want, skipped }) => want === 'up' && skipped === undefined)
    .map(({ workload }) => workload);
}

/** The databases that stay up with them. */
export function databasesKeptUp(context: PassContext): ReadonlySet<string> {
  return new Set(databasesBefore(context.compiled.config.wakeOrdering, keptUp(context)));
}
