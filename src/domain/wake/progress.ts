// A running wake for the screen: tiers as steps with their barrier, each workload with its phase and the reason so far.

import type { EpochMs } from '../workload.ts';
import { classOf, type StillStartingCause, stillStartingCause } from './ending.ts';
import { stillStartingWords } from './ending-words.ts';
import { bandEnds, type Member, type Roster, rosterOf } from './roster.ts';
import { soFarWords, startingWords } from './so-far.ts';
import { barrierAt } from './tiers.ts';
import { failOpenAt } from './verdict/failopen.ts';
import { failureSentence, workloadSentence } from './verdict/failure-sentence.ts';
import type { WakeFigures } from './verdict/figures.ts';
import type { DatabaseStatus, WakeObservations } from './verdict/observation.ts';
import { phase1Of } from './verdict/phase1.ts';
import { type LiftedWriteOff, recoverySentence } from './verdict/recovery.ts';
import type { EndedBy, TierState, WaitedHost, WakeState } from './verdict/wake-state.ts';

/** `waiting` for its tier; `cluster`: phase 1, the cluster's part; `starting`: phase 2, the workload's own part. */
type WorkloadPhase = 'waiting' | 'cluster' | 'starting' | 'up' | 'failed' | 'recovered' | 'still_starting' | 'left';

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
  /** Every casualty, and of the others the first ones: a frame goes to everybody who looks. */
  readonly workloads: readonly WorkloadProgress[];
  /** How many more there are in each phase; absent when all of them are told. */
  readonly untold?: Readonly<Partial<Record<WorkloadPhase, number>>>;
  readonly databases: readonly { readonly name: string; readonly status: DatabaseStatus }[];
}

/** A screen shows fewer; what is more is counted. */
const mostTold = 200;
/** Casualties are never cut; of the rest, what moves comes before what waits or is done. */
const toldFirst: readonly WorkloadPhase[] = ['starting', 'cluster', 'still_starting', 'waiting', 'up', 'left'];

export interface WakeProgress {
  readonly id: string;
  readonly startedAt: EpochMs;
  /** When the wake stops waiting at the latest, as things stand. */
  readonly failOpenAt: EpochMs;
  readonly endedAt?: EpochMs;
  /** What ended it; a wake that was cut short never had its answers. */
  readonly endedBy?: EndedBy;
  readonly up: number;
  readonly total: number;
  readonly tiers: readonly TierProgress[];
  /** Hosting clusters that it waits for before it begins; it has no tiers until then. */
  readonly hosts?: readonly WaitedHost[];
}

export function progressOf(
  wake: WakeState,
  observations: WakeObservations,
  now: EpochMs,
  figures: WakeFigures,
): WakeProgress {
  const roster = rosterOf(wake, observations, now, figures);
  const tiers = wake.tiers.map((tier, index) => tierProgress(wake, { tier, index }, roster, figures));
  const classes = roster.tiers.flat().map((member) => classOf(member, wake.writeOffs[member.key]));
  const live = bandEnds(wake, roster, figures).filter((end) => now < end + figures.settleMarginMs);
  return {
    id: wake.id,
    startedAt: wake.startedAt,
    failOpenAt: failOpenAt(wake, live, figures),
    ...(wake.endedAt !== undefined && { endedAt: wake.endedAt }),
    ...(wake.endedBy !== undefined && { endedBy: wake.endedBy }),
    // As the end counts them: a casualty that is ready, and whose write-off was not lifted, is no success of the wake.
    up: classes.filter((kind) => kind === 'up' || kind === 'recovered').length,
    total: classes.filter((kind) => kind !== 'left').length,
    tiers,
  };
}

function tierProgress(
  wake: WakeState,
  { tier, index }: { readonly tier: TierState; readonly index: number },
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
    ...workloadsOf(wake, tier, roster.tiers[index] ?? [], figures),
    databases: tier.databases.map((name) => ({ name, status: roster.databases.get(name)?.status ?? 'starting' })),
  };
}

function workloadsOf(
  wake: WakeState,
  tier: TierState,
  members: readonly Member[],
  figures: WakeFigures,
): Pick<TierProgress, 'workloads' | 'untold'> {
  const told = (member: Member) => workloadProgress(wake, tier, member, figures);
  if (members.length <= mostTold) return { workloads: members.map(told) };
  const byPhase = Map.groupBy(members, (member) => phaseOf(wake, tier, member));
  const workloads = [...(byPhase.get('failed') ?? []), ...(byPhase.get('recovered') ?? [])].map(told);
  const untold: Partial<Record<WorkloadPhase, number>> = {};
  for (const phase of toldFirst) {
    const inPhase = byPhase.get(phase) ?? [];
    const shown = inPhase.slice(0, Math.max(0, mostTold - workloads.length));
    workloads.push(...shown.map(told));
    if (shown.length < inPhase.length) untold[phase] = inPhase.length - shown.length;
  }
  return { workloads, untold };
}

function phaseOf(wake: WakeState, tier: TierState, member: Member): WorkloadPhase {
  const kind = classOf(member, wake.writeOffs[member.key]);
  if (kind !== 'still_starting') return kind;
  if (wake.endedAt !== undefined) return 'still_starting';
  if (tier.startedAt === undefined) return 'waiting';
  return member.standing.startedSince === undefined ? 'cluster' : 'starting';
}

function workloadProgress(wake: WakeState, tier: TierState, member: Member, figures: WakeFigures): WorkloadProgress {
  const { key: workload, standing } = member;
  const writeOff = wake.writeOffs[workload];
  const phase = phaseOf(wake, tier, member);
  if (writeOff !== undefined) {
    const sentence =
      writeOff.lift === undefined
        ? failureSentence(workload, writeOff, figures)
        : recoverySentence(workload, writeOff as LiftedWriteOff, figures);
    return { workload, phase, sentence };
  }
  if (phase === 'up') {
    return { workload, phase, sentence: `${workload} ${standing.ready ? 'is up' : 'came up, and is not ready now'}` };
  }
  if (phase === 'left') return { workload, phase, sentence: `${workload} is no longer part of the wake` };
  if (phase === 'still_starting') {
    const cause = stillStartingCause(wake, tier);
    return { workload, phase, cause, sentence: workloadSentence(workload, stillStartingWords(cause)) };
  }
  if (tier.startedAt === undefined) return { workload, phase, sentence: `${workload} waits for its tier` };
  if (standing.startedSince === undefined) {
    const sentence = workloadSentence(workload, soFarWords(standing.heldUpBy));
    return { workload, phase, sentence, ...phase1Until(member, { ...tier, startedAt: tier.startedAt }, figures) };
  }
  const until = Math.max(standing.startedSince, tier.startedAt) + standing.budget.ms;
  return { workload, phase, until, sentence: workloadSentence(workload, startingWords(standing)) };
}

/** Seen from the start of the tier, so that a limit that is just passing is told too. */
function phase1Until(
  { observation, standing }: Member,
  tier: TierState & { readonly startedAt: EpochMs },
  figures: WakeFigures,
): Pick<WorkloadProgress, 'until'> {
  const phase1 = phase1Of(observation, standing.needed, tier, { now: tier.startedAt, figures });
  return 'until' in phase1 && phase1.until !== undefined ? { until: phase1.until } : {};
}
