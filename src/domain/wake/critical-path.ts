// Where the time of a wake went: for each tier the member that was the last to have an answer, and the longest tier of all.

import type { EpochMs } from '../workload.ts';
import type { Member, Roster } from './roster.ts';
import type { TierState, WakeState } from './verdict/wake-state.ts';

export interface PathStep {
  readonly tier: string;
  readonly ms: number;
  /** The workload or database that held the tier longest; absent for a tier without members. */
  readonly heldBy?: { readonly kind: 'workload' | 'database'; readonly name: string; readonly ms: number };
}

export interface CriticalPath {
  readonly totalMs: number;
  /** In wake order. */
  readonly steps: readonly PathStep[];
  /** The step that took longest; the earlier one of two alike. Absent when the wake had no tier. */
  readonly longest?: PathStep;
  /** What passed after the last tier was released: bands of workloads that were written off, still restarting. */
  readonly settlingMs: number;
}

export function criticalPath(wake: WakeState, roster: Roster, now: EpochMs): CriticalPath {
  const end = wake.endedAt ?? now;
  const steps = wake.tiers.flatMap(
    (tier, index) => stepOf(tier, roster.tiers[index] ?? [], { wake, roster, end }) ?? [],
  );
  const longest = steps.reduce<PathStep | undefined>(
    (best, one) => (best && best.ms >= one.ms ? best : one),
    undefined,
  );
  const released = wake.tiers.at(-1)?.releasedAt;
  return {
    totalMs: end - wake.startedAt,
    steps,
    ...(longest !== undefined && { longest }),
    settlingMs: released === undefined ? 0 : end - released,
  };
}

interface Answered {
  readonly kind: 'workload' | 'database';
  readonly name: string;
  readonly at: EpochMs;
}

function stepOf(
  tier: TierState,
  members: readonly Member[],
  { wake, roster, end }: { readonly wake: WakeState; readonly roster: Roster; readonly end: EpochMs },
): PathStep | undefined {
  const { startedAt } = tier;
  if (startedAt === undefined) return undefined;
  const until = tier.releasedAt ?? end;
  const answers = [
    ...members.map((member) => ({ kind: 'workload' as const, name: member.key, at: answeredAt(member, wake, until) })),
    ...tier.databases.map((name) => ({ kind: 'database' as const, name, at: databaseAt(name, roster, until) })),
  ];
  const last = answers.reduce<Answered | undefined>(
    (best, one) => (best && !isLater(one, best) ? best : one),
    undefined,
  );
  const step = { tier: tier.name, ms: until - startedAt };
  if (last === undefined) return step;
  const ms = Math.min(Math.max(0, last.at - startedAt), step.ms);
  return { ...step, heldBy: { kind: last.kind, name: last.name, ms } };
}

function isLater(a: Answered, b: Answered): boolean {
  return a.at !== b.at ? a.at > b.at : a.name < b.name;
}

/** A write-off is an answer, even if it was lifted later; who has none by the tier's release held it to the end. */
function answeredAt(member: Member, wake: WakeState, until: EpochMs): EpochMs {
  const writeOff = wake.writeOffs[member.key];
  const at = writeOff?.at ?? (member.standing.up ? (member.standing.upSince ?? wake.startedAt) : until);
  return Math.min(at, until);
}

function databaseAt(name: string, roster: Roster, until: EpochMs): EpochMs {
  const database = roster.databases.get(name);
  return database === undefined || database.status === 'starting' ? until : Math.min(database.since ?? 0, until);
}
