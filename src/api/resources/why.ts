import type { AnswerOf } from '../../contract/operations.ts';
import { wantedForAny } from '../../domain/desired/wanted-up.ts';
import { isReplicaRecord } from '../../domain/record/record.ts';
import { isScalable, workloadKey } from '../../domain/workload.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { instant } from '../outlook/wire.ts';
import { type ListedWorkload, ownerOf } from '../outlook/workloads-snapshot.ts';
import { wireRecord } from './listing.ts';

/** Why a workload is what it is, from the same decisions that the controller acts on. */
export function whyOf(item: ListedWorkload, outlook: Outlook): AnswerOf<'why'> {
  const { workload, skipped, record } = item;
  const { kind, namespace, name } = workload;
  const { desired, compiled } = outlook;
  const targeted = skipped === undefined;
  const wantedOf = wantedForAny(desired, compiled.config.externalWake.excludedNamespaces);
  // What left our scope is handed back, if there is anything of ours in it.
  const wanted = targeted || record !== undefined ? wantedOf(workload, skipped) : 'leave';
  return {
    kind,
    namespace,
    name,
    targeted,
    ...(skipped === undefined ? {} : { skipped }),
    wanted,
    reason: desired.reason,
    recorded: wireRecord(record),
    sentences: sentences(item, outlook, wanted),
  };
}

function sentences(item: ListedWorkload, outlook: Outlook, wanted: 'up' | 'down' | 'leave'): string[] {
  const { workload, skipped, record } = item;
  const key = workloadKey(workload);
  const owner = ownerOf(workload);
  const { operations } = outlook.compiled.config;
  return [
    `${key} is ${standing(item)}.`,
    scope(skipped, wanted),
    ...(wanted === 'down' && raisedInTheNight(item, outlook)
      ? ['It was raised by hand while the cluster sleeps, so it is left as it is until the next wake.']
      : []),
    `${outlook.desired.reason.text}.`,
    ...(record === undefined ? [] : [`It was recorded ${recorded(item)} at ${instant(record.at)}.`]),
    ...(owner === undefined ? [] : [`It is also driven by ${owner}.`]),
    ...(operations.dryRun ? ['Dry run is on: nothing is changed.'] : []),
  ];
}

/** With a record and up in a cluster that sleeps: its owner's doing, unless the cluster would not let us lower it. */
function raisedInTheNight({ record, state }: ListedWorkload, outlook: Outlook): boolean {
  const up = state === 'up' || state === 'starting';
  return up && outlook.state === 'hibernated' && record !== undefined && record.provisional !== true;
}

function scope(skipped: ListedWorkload['skipped'], wanted: 'up' | 'down' | 'leave'): string {
  if (skipped === undefined) return `The service scales it; it is wanted ${wanted === 'leave' ? 'as it is' : wanted}.`;
  return wanted === 'up'
    ? `The service hands it back and leaves it alone from then on: ${skipped.text}.`
    : `The service leaves it alone: ${skipped.text}.`;
}

function standing({ workload, state }: ListedWorkload): string {
  if (!isScalable(workload)) {
    if (!workload.suspended) return 'not suspended';
    return state === 'hibernated' ? 'suspended by the service' : 'suspended by its owner';
  }
  if (state === 'hibernated') return 'at 0 replicas, taken down by the service';
  if (state === 'down') return 'at 0 replicas, by its owner';
  return `at ${replicas(workload.replicas)}, ${workload.readyReplicas} ready`;
}

function recorded({ record }: ListedWorkload): string {
  if (record === undefined) return '';
  if (isReplicaRecord(record)) return `with ${replicas(record.replicas)}`;
  return record.suspended ? 'as suspended by its owner' : 'as not suspended';
}

function replicas(count: number): string {
  return count === 1 ? '1 replica' : `${count} replicas`;
}
