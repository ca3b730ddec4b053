// The end of a wake: each workload in exactly one class, and what title, card and audit entry follow from that.
//
// A wake with workloads still starting is a success that is not complete. The audit entry's `result` has one word for it,
// `incomplete`, whatever the cause; `completeness` says the same beside `failed`, where the one word cannot.

import type { EpochMs } from '../workload.ts';
import { type CriticalPath, criticalPath } from './critical-path.ts';
import { hasLeft, type Member, type Roster, rosterOf, startingDatabases } from './roster.ts';
import { type FailureReason, failureSentence, type ReasonCode } from './verdict/failure-sentence.ts';
import type { WakeFigures } from './verdict/figures.ts';
import type { CronJobObservation, WakeObservations } from './verdict/observation.ts';
import { type LiftedWriteOff, recoverySentence } from './verdict/recovery.ts';
import { counted } from './verdict/span.ts';
import type { TierState, WakeState, WriteOff } from './verdict/wake-state.ts';

export type StillStartingCause = 'fail_open' | 'walked_past' | 'superseded' | 'not_observed';
export type WorkloadClass = 'up' | 'recovered' | 'failed' | 'still_starting' | 'left';
type AuditResult = 'failed' | 'incomplete' | 'success';

/** One that was written off, for good or until it came up after all. */
interface WrittenOff {
  readonly workload: string;
  readonly reason: ReasonCode;
  readonly sentence: string;
}

interface StillStarting {
  readonly workload: string;
  readonly cause: StillStartingCause;
}

export interface WakeEnding {
  readonly title: string;
  readonly color: 'green' | 'red';
  readonly result: AuditResult;
  readonly completeness: 'complete' | 'incomplete';
  /** A degraded wake also reaches those who take high-priority events only; a recovery does not escalate. */
  readonly escalated: boolean;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
  /** Each list sorted by workload. The casualty list is never cut. */
  readonly up: readonly string[];
  readonly failed: readonly WrittenOff[];
  readonly recovered: readonly WrittenOff[];
  readonly stillStarting: readonly StillStarting[];
  /** Deleted or taken over by their owner during the wake; they count for nothing. */
  readonly left: readonly string[];
  /** Services that could not be pointed back: whoever calls them reaches a stand-in, whatever runs behind it. */
  readonly redirected: readonly string[];
  readonly criticalPath: CriticalPath;
}

/** `observations` are those of the pass that ended the wake. */
export function endOf(wake: WakeState, observations: WakeObservations, now: EpochMs, figures: WakeFigures): WakeEnding {
  const roster = rosterOf(wake, observations, now, figures);
  const lists = withCronJobs(classLists(wake, roster, figures), wake, observations.cronJobs, figures);
  const failed = lists.failed.length;
  const redirected = [...(observations.redirected ?? [])].sort(compare);
  const notUp = lists.stillStarting.length + databasesNotUp(wake, roster);
  const incomplete = notUp + redirected.length > 0;
  return {
    title: failed === 0 ? 'Wake Complete' : `Wake Complete - ${counted(failed, 'workload')} failed`,
    color: failed === 0 ? 'green' : 'red',
    result: failed > 0 ? 'failed' : incomplete ? 'incomplete' : 'success',
    completeness: incomplete ? 'incomplete' : 'complete',
    escalated: failed + redirected.length > 0,
    startedAt: wake.startedAt,
    endedAt: wake.endedAt ?? now,
    ...lists,
    redirected,
    criticalPath: criticalPath(wake, roster, now),
  };
}

/** The class of one workload, as it stands in this pass. */
export function classOf(member: Member, writeOff: WriteOff | undefined): WorkloadClass {
  if (writeOff !== undefined) return writeOff.lift === undefined ? 'failed' : 'recovered';
  if (hasLeft(member)) return 'left';
  return member.standing.up ? 'up' : 'still_starting';
}

/**
 * What ended the whole wake comes first; then a tier's release, which stopped waiting for the workload before the fail-open
 * did. A workload that a barrier walked past is in this class only if it had neither come up nor been written off by the end.
 */
export function stillStartingCause(wake: WakeState, tier: TierState | undefined): StillStartingCause {
  if (wake.endedBy === 'superseded' || wake.endedBy === 'not_observed') return wake.endedBy;
  return tier?.releasedBy === 'barrier' ? 'walked_past' : 'fail_open';
}

type ClassLists = Pick<WakeEnding, 'up' | 'failed' | 'recovered' | 'stillStarting' | 'left'>;

function classLists(wake: WakeState, roster: Roster, figures: WakeFigures): ClassLists {
  const up: string[] = [];
  const left: string[] = [];
  const stillStarting: StillStarting[] = [];
  for (const [index, tier] of wake.tiers.entries()) {
    for (const member of roster.tiers[index] ?? []) {
      const kind = classOf(member, wake.writeOffs[member.key]);
      if (kind === 'up') up.push(member.key);
      if (kind === 'left') left.push(member.key);
      if (kind === 'still_starting')
        stillStarting.push({ workload: member.key, cause: stillStartingCause(wake, tier) });
    }
  }
  const records = Object.entries(wake.writeOffs).sort(([a], [b]) => compare(a, b));
  return {
    up: up.sort(compare),
    left: left.sort(compare),
    stillStarting: stillStarting.sort((a, b) => compare(a.workload, b.workload)),
    failed: records.flatMap(([key, writeOff]) => (isLifted(writeOff) ? [] : failedWorkload(key, writeOff, figures))),
    recovered: records.flatMap(([key, writeOff]) =>
      isLifted(writeOff) ? recoveredWorkload(key, writeOff, figures) : [],
    ),
  };
}

/** A CronJob that is suspended still is no success: refused, or not come to in time. */
function withCronJobs(
  lists: ClassLists,
  wake: WakeState,
  cronJobs: readonly CronJobObservation[],
  figures: WakeFigures,
): ClassLists {
  if (cronJobs.length === 0) return lists;
  const refused = cronJobs.flatMap(({ workload, refused: message }) =>
    message === undefined ? [] : [failedWorkload(workload, { code: 'scale_refused', detail: message }, figures)],
  );
  const late = cronJobs
    .filter((one) => one.refused === undefined)
    .map(({ workload, tier }) => ({ workload, cause: stillStartingCause(wake, wake.tiers[tier]) }));
  const byWorkload = (a: { readonly workload: string }, b: { readonly workload: string }) =>
    compare(a.workload, b.workload);
  return {
    ...lists,
    failed: [...lists.failed, ...refused].sort(byWorkload),
    stillStarting: [...lists.stillStarting, ...late].sort(byWorkload),
  };
}

function failedWorkload(workload: string, reason: FailureReason, figures: WakeFigures): WrittenOff {
  return { workload, reason: reason.code, sentence: failureSentence(workload, reason, figures) };
}

function recoveredWorkload(workload: string, writeOff: LiftedWriteOff, figures: WakeFigures): WrittenOff {
  return {
    workload,
    reason: writeOff.code,
    sentence: recoverySentence(workload, writeOff, figures),
  };
}

function databasesNotUp(wake: WakeState, roster: Roster): number {
  const names = wake.tiers.flatMap((tier) => tier.databases);
  const starting = wake.tiers.flatMap((tier) => startingDatabases(tier, roster));
  return starting.length + names.filter((name) => roster.databases.get(name)?.status === 'failed').length;
}

function isLifted(writeOff: WriteOff): writeOff is LiftedWriteOff {
  return writeOff.lift !== undefined;
}

/** By code unit, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
