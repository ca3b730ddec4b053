import type { AnswerOf } from '../../contract/operations.ts';
import type { Reason } from '../../domain/desired/reason.ts';
import { keepersOf, type WantedForWorkload, wantedForAny } from '../../domain/desired/wanted-up.ts';
import { isReplicaRecord } from '../../domain/record/record.ts';
import { clockText, stateText } from '../../domain/schedule/wording.ts';
import { isScalable, workloadKey } from '../../domain/workload.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { type ListedWorkload, ownerOf } from '../outlook/workloads-snapshot.ts';
import { wireRecord } from './listing.ts';

/** Why a workload is what it is, from the same decisions that the controller acts on. */
export function whyOf(item: ListedWorkload, outlook: Outlook): AnswerOf<'why'> {
  const { workload, skipped, record } = item;
  const { kind, namespace, name } = workload;
  const targeted = skipped === undefined;
  const wanted = wantedOf(item, outlook);
  return {
    kind,
    namespace,
    name,
    targeted,
    ...(skipped === undefined ? {} : { skipped }),
    wanted,
    reason: reasonFor(item, outlook),
    recorded: wireRecord(record),
    sentences: sentences(item, outlook, wanted),
  };
}

/** Of what is not ours only that is wanted back which has something of ours in it. */
function wantedOf({ workload, skipped, record }: ListedWorkload, { desired, compiled }: Outlook): WantedForWorkload {
  if (skipped !== undefined && record === undefined) return 'leave';
  const wanted = wantedForAny(desired, compiled.config.externalWake.excludedNamespaces)(workload, skipped);
  // A cluster that is up for another takes nothing down: what the other one may not wake sleeps on, and what is up there stays.
  return wanted === 'down' && desired.wanted === 'awake' && record === undefined ? 'leave' : wanted;
}

/** The cluster's own reason, but for what other clusters keep up while it sleeps. */
function reasonFor({ workload, skipped }: ListedWorkload, { desired, compiled, schedule, now }: Outlook): Reason {
  if (skipped !== undefined || desired.heldBy.length > 0) return desired.reason;
  const keepers = keepersOf(desired, compiled.config.externalWake.excludedNamespaces)(workload);
  const [last] = keepers;
  if (last === undefined) return desired.reason;
  const names = keepers.map(({ cluster }) => cluster).join(', ');
  const cause = keepers.length === 1 ? `cluster ${names} needs it` : `clusters ${names} need it`;
  const text = `${stateText(schedule, 'Up', now, last.until)}: ${cause} (external wake)`;
  return { code: 'external_wake', text, actor: last.cluster };
}

function sentences(item: ListedWorkload, outlook: Outlook, wanted: WantedForWorkload): string[] {
  const { workload, skipped, record } = item;
  const key = workloadKey(workload);
  const owner = ownerOf(workload);
  const { compiled, schedule, now } = outlook;
  const { operations } = compiled.config;
  const reason = reasonFor(item, outlook);
  return [
    `${key} is ${standing(item)}.`,
    scope(skipped, wanted),
    ...(wanted === 'down' ? whyStillUp(item, outlook) : []),
    `${reason.text}.`,
    ...(reason === outlook.desired.reason ? [] : [`The cluster itself: ${outlook.desired.reason.text}.`]),
    ...(record === undefined
      ? []
      : [`It was recorded ${recorded(item)} at ${clockText(schedule, record.at, now)} (${schedule.timezone}).`]),
    ...(owner === undefined ? [] : [`It is also driven by ${owner}.`]),
    ...(operations.dryRun ? ['Dry run is on: no workload is changed.'] : []),
  ];
}

/** With a record and up in a cluster that sleeps: its owner's doing, unless the cluster would not let us lower it. */
function whyStillUp({ record, state }: ListedWorkload, outlook: Outlook): readonly string[] {
  const up = state === 'up' || state === 'starting';
  if (!up || record === undefined) return [];
  if (record.provisional === true) return [notLet];
  return outlook.state === 'hibernated'
    ? ['It was raised by hand while the cluster sleeps, so it is left as it is until the next wake.']
    : [];
}

/** The words themselves are told once, by the hibernation: a state of ten thousand records has no room for them. */
const notLet =
  "The cluster did not let the service take it down, and it is tried again. The cluster's words are in the log of the controller, in the entry of the hibernation (`svc audit -o json`) and on the Activity page.";

function scope(skipped: ListedWorkload['skipped'], wanted: WantedForWorkload): string {
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
