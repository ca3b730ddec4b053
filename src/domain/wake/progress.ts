// A running wake for the screen: tiers as steps with their barrier, each workload with its phase and the reason so far.

import type { EpochMs } from '../workload.ts';
import { classOf, type StillStartingCause, stillStartingCause } from './ending.ts';
import { failOpenAt } from './failopen.ts';
import type { WakeFigures } from './figures.ts';
import type { DatabaseStatus, WakeObservations } from './observation.ts';
import { stillStartingWords } from './record.ts';
import { type LiftedWriteOff, recoverySentence } from './recovery.ts';
import { bandEnds, hasLeft, type Member, type Roster, rosterOf } from './roster.ts';
import { failureSentence, workloadSentence } from './sentence.ts';
import { soFarWords, startingWords } from './so-far.ts';
import { barrierAt } from './tiers.ts';
import type { TierState, WakeState } from './wake-state.ts';

/** `waiting` for its tier; `cluster`: phase 1, the cluster's part; `starting`: phase 2, the workload's own part. */
export type WorkloadPhase =
  | 'waiting'
  | 'cluster'
  | 'starting'
  | 'up'
  | 'failed'
  | 'recovered'
  | 'still_starting'
  | 'left';

export interface WorkloadProgress {
  readonly workload: string;
  readonly phase: WorkloadPhase;
  readonly sentence: string;
  /** When the phase runs out. */
  readonly until?: EpochMs;
  readonly cause?: StillStartingCause;
}

export interface TierProgress {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'released';
  /** Released by its barrier: its group was not waited for. */
  readonly walkedPast: boolean;
  readonly startedAt?: EpochMs;
  readonly barrierAt?: EpochMs;
  readonly releasedAt?: EpochMs;
  readonly workloads: readonly WorkloadProgress[];
  readonly databases: readonly { readonly name: string; readonly status: DatabaseStatus }[];
}

export interface WakeProgress {
  readonly id: string;
  readonly startedAt: EpochMs;
  /** When the wake stops waiting at the latest, as things stand. */
  readonly failOpenAt: EpochMs;
  readonly endedAt?: EpochMs;
  readonly up: number;
  readonly total: number;
  readonly tiers: readonly TierProgress[];
}

export function progressOf(
  wake: WakeState,
  observations: WakeObservations,
  now: EpochMs,
  figures: WakeFigures,
): WakeProgress {
  const roster = rosterOf(wake, observations, figures);
  const tiers = wake.tiers.map((tier, index) => tierProgress(wake, tier, index, roster, figures));
  const members = roster.tiers.flat().filter((member) => !hasLeft(member));
  const live = bandEnds(wake, roster, figures).filter((end) => now < end + figures.settleMarginMs);
  return {
    id: wake.id,
    startedAt: wake.startedAt,
    failOpenAt: failOpenAt(wake, live, figures),
    ...(wake.endedAt !== undefined && { endedAt: wake.endedAt }),
    up: members.filter((member) => member.standing.up).length,
    total: members.length,
    tiers,
  };
}

function tierProgress(
  wake: WakeState,
  tier: TierState,
  index: number,
  roster: Roster,
  figures: WakeFigures,
): TierProgress {
  const barrier = barrierAt(wake, index);
  return {
    name: tier.name,
    state: tier.startedAt === undefined ? 'waiting' : tier.releasedAt === undefined ? 'running' : 'released',
    walkedPast: tier.releasedBy === 'barrier',
    ...(tier.startedAt !== undefined && { startedAt: tier.startedAt }),
    ...(barrier !== undefined && { barrierAt: barrier }),
    ...(tier.releasedAt !== undefined && { releasedAt: tier.releasedAt }),
    workloads: (roster.tiers[index] ?? []).map((member) => workloadProgress(wake, tier, member, figures)),
    databases: tier.databases.map((name) => ({ name, status: roster.databases.get(name)?.status ?? 'starting' })),
  };
}

function workloadProgress(wake: WakeState, tier: TierState, member: Member, figures: WakeFigures): WorkloadProgress {
  const { key: workload } = member;
  const writeOff = wake.writeOffs[workload];
  const kind = classOf(member, writeOff);
  if (writeOff !== undefined) {
    const sentence =
      writeOff.lift === undefined
        ? failureSentence(workload, writeOff, figures)
        : recoverySentence(workload, writeOff as LiftedWriteOff, figures);
    return { workload, phase: kind, sentence };
  }
  if (kind === 'up') return { workload, phase: 'up', sentence: `${workload} is up` };
  if (kind === 'left') return { workload, phase: 'left', sentence: `${workload} is no longer part of the wake` };
  return unresolved(wake, tier, member, figures);
}

function unresolved(wake: WakeState, tier: TierState, member: Member, figures: WakeFigures): WorkloadProgress {
  const { key: workload, standing } = member;
  if (wake.endedAt !== undefined) {
    const cause = stillStartingCause(wake, tier);
    return {
      workload,
      phase: 'still_starting',
      cause,
      sentence: workloadSentence(workload, stillStartingWords(cause)),
    };
  }
  if (tier.startedAt === undefined) return { workload, phase: 'waiting', sentence: `${workload} waits for its tier` };
  if (standing.startedSince === undefined) {
    const sentence = workloadSentence(workload, soFarWords(standing.heldUpBy));
    const until = tier.judgedAt === undefined ? { until: tier.startedAt + figures.phase1Ms } : {};
    return { workload, phase: 'cluster', sentence, ...until };
  }
  const until = Math.max(standing.startedSince, tier.startedAt) + standing.budget.ms;
  return { workload, phase: 'starting', until, sentence: workloadSentence(workload, startingWords(standing)) };
}
