import { wantedForAny } from '../../domain/desired/wanted-up.ts';
import { isReplicaRecord } from '../../domain/record/record.ts';
import { isScalable } from '../../domain/workload.ts';
import type { Outlook } from '../outlook/outlook.ts';
import type { ListedWorkload } from '../outlook/workloads-snapshot.ts';

export interface RetryDecision {
  readonly possible: boolean;
  /** Why not, or what it would do. */
  readonly text: string;
}

/** Whether a wake of this workload alone would do anything, and what. */
export function decideRetry(item: ListedWorkload, outlook: Outlook): RetryDecision {
  const why = whyNot(item, outlook);
  return why === undefined ? { possible: true, text: effect(item) } : { possible: false, text: why };
}

function whyNot(item: ListedWorkload, { desired, compiled, transition }: Outlook): string | undefined {
  const { workload, skipped, record, state } = item;
  if (desired.causes.length > 0) return `${desired.reason.text}.`;
  if (skipped !== undefined && record === undefined) return `The service leaves it alone: ${skipped.text}.`;
  if (compiled.config.operations.dryRun) return 'Dry run is on: no workload is changed.';
  const wanted = wantedForAny(desired, compiled.config.externalWake.excludedNamespaces)(workload, skipped);
  if (wanted !== 'up') return `It is not wanted up now. ${desired.reason.text}.`;
  if (state === 'up') return 'It is up.';
  if (state === 'down') return isScalable(workload) ? 'Its owner has it at 0 replicas.' : 'Its owner suspended it.';
  if (transition !== null) return 'A wake or hibernation runs now; try again when it has ended.';
  return undefined;
}

function effect({ workload, record }: ListedWorkload): string {
  if (!isScalable(workload)) return 'It is resumed at once.';
  if (workload.replicas === 0) {
    const count = record !== undefined && isReplicaRecord(record) ? record.replicas : undefined;
    return `It is brought back to ${count === undefined ? 'its recorded count' : replicas(count)} at once, and waited for with a verdict of its own.`;
  }
  return `It asks for ${replicas(workload.replicas)} already: it is waited for anew, with a verdict of its own. Its pods are not restarted.`;
}

function replicas(count: number): string {
  return count === 1 ? '1 replica' : `${count} replicas`;
}
