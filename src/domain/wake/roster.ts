// The members of a wake at one instant, with where each stands: computed once a pass and read by every rule.

import { type EpochMs, workloadKey } from '../workload.ts';
import type { WakeFigures } from './verdict/figures.ts';
import { bandEnd } from './verdict/grace.ts';
import type { Moment } from './verdict/moment.ts';
import type { DatabaseObservation, WakeObservations, WorkloadObservation } from './verdict/observation.ts';
import { type Standing, standingOf } from './verdict/standing.ts';
import type { TierState, WakeState, WriteOff } from './verdict/wake-state.ts';

export interface Member {
  readonly key: string;
  readonly observation: WorkloadObservation;
  readonly standing: Standing;
}

export interface Roster {
  /** By tier, each in the order given. */
  readonly tiers: readonly (readonly Member[])[];
  readonly databases: ReadonlyMap<string, DatabaseObservation>;
}

export function rosterOf(wake: WakeState, observations: WakeObservations, now: EpochMs, figures: WakeFigures): Roster {
  const tiers: Member[][] = wake.tiers.map(() => []);
  for (const observation of observations.workloads) {
    const index = Math.min(Math.max(0, observation.tier), tiers.length - 1);
    const from = wake.tiers[index]?.startedAt ?? now;
    const standing = standingAt(observation, { now, from, figures });
    tiers[index]?.push({ key: workloadKey(observation.ref), observation, standing });
  }
  return { tiers, databases: new Map(observations.databases.map((database) => [database.name, database])) };
}

const known = new WeakMap<WorkloadObservation, { readonly moment: Moment; readonly standing: Standing }>();

/** Judged once at an instant: who decides and who tells of it look at the same observation. */
function standingAt(observation: WorkloadObservation, moment: Moment): Standing {
  const before = known.get(observation);
  if (before !== undefined && isSame(before.moment, moment)) return before.standing;
  const standing = standingOf(observation, moment);
  known.set(observation, { moment, standing });
  return standing;
}

function isSame(one: Moment, other: Moment): boolean {
  return one.now === other.now && one.from === other.from && one.figures === other.figures;
}

export function hasLeft(member: Member): boolean {
  return member.observation.reading.kind === 'left';
}

/** There is an answer for the workload: it is up, written off (or recovered), or none of the wake's business any more. */
function isResolved(member: Member, writeOff: WriteOff | undefined): boolean {
  return member.standing.up || writeOff !== undefined || hasLeft(member);
}

/** A database nobody reported on is waited for; guessing that it runs would let its dependants start too early. */
export function startingDatabases(tier: TierState, roster: Roster): readonly string[] {
  return tier.databases.filter((name) => (roster.databases.get(name)?.status ?? 'starting') === 'starting');
}

/** The workloads of a tier that have no answer. */
export function unresolvedOf(wake: WakeState, roster: Roster, tier: number): readonly Member[] {
  return (roster.tiers[tier] ?? []).filter((member) => !isResolved(member, wake.writeOffs[member.key]));
}

/** The ends of the bands that the pods of written-off workloads justify now, ended ones included. */
export function bandEnds(wake: WakeState, roster: Roster, figures: WakeFigures): readonly EpochMs[] {
  return roster.tiers.flat().flatMap((member) => {
    const writeOff = wake.writeOffs[member.key];
    if (writeOff === undefined || hasLeft(member) || member.standing.ready) return [];
    return bandEnd(wake, writeOff, member.standing, figures) ?? [];
  });
}
