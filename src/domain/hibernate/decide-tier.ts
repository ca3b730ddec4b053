import { ownMark, stoodBefore } from '../record/mark.ts';
import {
  isPlausibleCount,
  isPlausibleValue,
  isReplicaRecord,
  replicaRecord,
  standsAs,
  suspendRecord,
  type WorkloadRecord,
} from '../record/record.ts';
import type { EpochMs, Scalable, Switched, Workload } from '../workload.ts';
import { isDown, isScalable, workloadKey } from '../workload.ts';

export interface TierInput {
  readonly members: readonly Workload[];
  /** By workload key, as they are stored: only what is durable allows an act. */
  readonly records: ReadonlyMap<string, WorkloadRecord>;
  /** Keys of workloads that their owner raised while this hibernation ran: they are left alone. */
  readonly respected: ReadonlySet<string>;
  /** Whether pods of a lowered workload are there still: the status of a Deployment leaves out those on their way out. */
  readonly hasPods: (workload: Scalable) => boolean;
  /** Whether we have taken it down before in this night: what is up without our mark was put back whole. */
  readonly wasLowered: (workload: Workload) => boolean;
  readonly now: EpochMs;
}

export interface TierDecision {
  /** To be stored before anything of it is lowered. */
  readonly record: readonly WorkloadRecord[];
  readonly lower: readonly { readonly workload: Scalable; readonly count: number }[];
  readonly suspend: readonly Switched[];
  /** Raised by their owner after we had lowered them: the mark goes, the record takes their count, nobody fights. */
  readonly respect: readonly Workload[];
  /** Lowered, and their pods are not gone yet. */
  readonly draining: readonly Scalable[];
}

/**
 * The next acts of one hibernate tier, in the order of the record protocol: what is not recorded as it stands now is
 * recorded; what is recorded is lowered; what is lowered is waited for.
 */
export function decideTier(input: TierInput): TierDecision {
  const decision: Draft = { record: [], lower: [], suspend: [], respect: [], draining: [] };
  for (const workload of input.members) {
    const key = workloadKey(workload);
    if (workload.deleting || input.respected.has(key)) continue;
    const stored = input.records.get(key);
    const record = stored !== undefined && stored.uid === workload.uid ? stored : undefined;
    if (!isDown(workload) && input.wasLowered(workload)) decision.respect.push(workload);
    else if (isScalable(workload)) decideScalable(workload, record, input, decision);
    else decideSwitched(workload, record, input.now, decision);
  }
  return decision;
}

type Draft = {
  record: WorkloadRecord[];
  lower: { workload: Scalable; count: number }[];
  suspend: Switched[];
  respect: Workload[];
  draining: Scalable[];
};

function decideScalable(
  workload: Scalable,
  record: WorkloadRecord | undefined,
  { now, hasPods }: Pick<TierInput, 'now' | 'hasPods'>,
  draft: Draft,
): void {
  const recorded = record !== undefined && isReplicaRecord(record) ? record.replicas : undefined;
  const mark = ownMark(workload, recorded !== undefined);
  if (mark !== undefined) {
    if (workload.replicas > 0) draft.respect.push(workload);
    // Lowered by us, its record lost: the mark gives it back. Our own zero is never what is recorded.
    else if (recorded === undefined && mark.count !== undefined)
      draft.record.push(replicaRecord(workload, mark.count, now));
    else if (isDraining(workload, hasPods)) draft.draining.push(workload);
    return;
  }
  // More than any real workload runs: such a count could not be given back, so it is not taken.
  if (!isPlausibleCount(workload.replicas)) return;
  // At zero without our mark although a count is recorded: its owner's zero, or ours with the mark stripped. The wake
  // finds out by whose field manager it is; until then the count stays.
  if (workload.replicas === 0 && recorded !== undefined) return;
  if (recorded !== workload.replicas) draft.record.push(replicaRecord(workload, workload.replicas, now));
  else if (workload.replicas > 0) draft.lower.push({ workload, count: workload.replicas });
}

function isDraining(workload: Scalable, hasPods: TierInput['hasPods']): boolean {
  return workload.statusReplicas > 0 || hasPods(workload);
}

function decideSwitched(workload: Switched, record: WorkloadRecord | undefined, now: EpochMs, draft: Draft): void {
  const recorded = record !== undefined && !isReplicaRecord(record) ? record : undefined;
  const own = ownMark(workload, recorded !== undefined);
  if (own !== undefined) {
    const stood = stoodBefore(own);
    if (!workload.suspended) draft.respect.push(workload);
    else if (recorded === undefined && stood !== undefined) draft.record.push(suspendRecord(workload, stood, now));
    return;
  }
  // Longer than any value that could be given back, so it is not taken.
  if (!isPlausibleValue(workload.value)) return;
  // Suspended without our mark although it is recorded as running: as with a zero, the wake finds out whose it is.
  if (workload.suspended && recorded?.suspended === false) return;
  if (recorded === undefined || !standsAs(recorded, workload))
    draft.record.push(suspendRecord(workload, workload, now));
  else if (!workload.suspended) draft.suspend.push(workload);
}
