// One pass of a running wake: judge each workload, release tiers, end. Pure: the same wake, observations and instant give the
// same answer, and a pass at which nothing is due and nothing happened gives no change.

import type { EpochMs } from '../workload.ts';
import type { WakeChange } from './change.ts';
import { bandEnds, type Member, type Roster, rosterOf, startingDatabases, unresolvedOf } from './roster.ts';
import { barrierAt, markJudged, runningTier, startRemaining, stepTier } from './tiers.ts';
import { failOpenAt, outsideAt } from './verdict/failopen.ts';
import { failureSentence } from './verdict/failure-sentence.ts';
import type { WakeFigures } from './verdict/figures.ts';
import type { WakeObservations } from './verdict/observation.ts';
import { type LiftedWriteOff, recoverySentence } from './verdict/recovery.ts';
import type { TierState, WakeState, WriteOff } from './verdict/wake-state.ts';
import { type Judgement, judge } from './verdict/write-off.ts';

export interface AdvancedWake {
  readonly wake: WakeState;
  /** Empty: the value is as it was and need not be written. */
  readonly changes: readonly WakeChange[];
  /** When time alone would change something; undefined once the wake has ended. */
  readonly nextCheckAt: EpochMs | undefined;
}

export function advanceWake(
  wake: WakeState,
  observations: WakeObservations,
  now: EpochMs,
  figures: WakeFigures,
): AdvancedWake {
  if (wake.endedAt !== undefined) return { wake, changes: [], nextCheckAt: undefined };
  const roster = rosterOf(wake, observations, now, figures);
  const stepped = judgeAndStep(wake, roster, now, figures);
  const ended = endIfDue(stepped.wake, roster, now, figures);
  const nextCheckAt = ended.wake.endedAt === undefined ? nextCheck(ended.wake, roster, now, figures) : undefined;
  return { wake: ended.wake, changes: [...stepped.changes, ...ended.changes], nextCheckAt };
}

type Stepped = Pick<AdvancedWake, 'wake' | 'changes'>;

/** A tier that starts is judged in the same pass, and may let the next one through at once. */
function judgeAndStep(wake: WakeState, roster: Roster, now: EpochMs, figures: WakeFigures): Stepped {
  const changes: WakeChange[] = [];
  let current = wake;
  for (;;) {
    const judged = judgeAll(current, roster, now, figures);
    const marked = markJudged(judged.wake, now, figures);
    const stepped = stepTier(marked.wake, roster, now);
    changes.push(...judged.changes, ...marked.changes, ...stepped.changes);
    current = stepped.wake;
    if (!stepped.changes.some((change) => change.kind === 'tier_started')) return { wake: current, changes };
  }
}

function judgeAll(wake: WakeState, roster: Roster, now: EpochMs, figures: WakeFigures): Stepped {
  const changes: WakeChange[] = [];
  const writeOffs: Record<string, WriteOff> = { ...wake.writeOffs };
  for (const { member, tier } of startedMembers(wake, roster)) {
    const judgement = judgeMember(member, { tier, writeOff: writeOffs[member.key] }, now, figures);
    if (judgement.kind === 'unchanged') continue;
    writeOffs[member.key] = judgement.writeOff;
    changes.push(changeOf(member.key, judgement, figures));
  }
  return changes.length === 0 ? { wake, changes } : { wake: { ...wake, writeOffs }, changes };
}

function judgeMember(
  member: Member,
  { tier, writeOff }: { readonly tier: StartedTier; readonly writeOff: WriteOff | undefined },
  now: EpochMs,
  figures: WakeFigures,
): Judgement {
  return judge({ observation: member.observation, standing: member.standing, tier, writeOff }, now, figures);
}

function changeOf(
  workload: string,
  { kind, writeOff }: Exclude<Judgement, { kind: 'unchanged' }>,
  figures: WakeFigures,
): WakeChange {
  const named = { workload, reason: writeOff.code };
  if (kind === 'written_off') {
    const sentence = failureSentence(workload, writeOff, figures);
    return { kind, ...named, sentence, again: writeOff.again === true };
  }
  return { kind, ...named, sentence: recoverySentence(workload, writeOff as LiftedWriteOff, figures) };
}

function endIfDue(wake: WakeState, roster: Roster, now: EpochMs, figures: WakeFigures): Stepped {
  const ends = bandEnds(wake, roster, figures);
  if (!ends.some((end) => now < end) && isSettled(wake, roster)) return end(wake, 'settled', now);
  if (now < failOpenAt(wake, pendingBands(ends, now, figures), figures)) return { wake, changes: [] };
  const remaining = startRemaining(wake, now);
  const ended = end(remaining.wake, 'fail_open', now);
  return { wake: ended.wake, changes: [...remaining.changes, ...ended.changes] };
}

function end(wake: WakeState, by: 'settled' | 'fail_open', now: EpochMs): Stepped {
  return { wake: { ...wake, endedAt: now, endedBy: by }, changes: [{ kind: 'ended', by }] };
}

/** Every tier is released, and nobody is waited for except whom a barrier walked past. */
function isSettled(wake: WakeState, roster: Roster): boolean {
  return wake.tiers.every((tier, index) => {
    if (tier.releasedAt === undefined) return false;
    if (tier.releasedBy === 'barrier') return true;
    return unresolvedOf(wake, roster, index).length === 0 && startingDatabases(tier, roster).length === 0;
  });
}

/** Bands that are live, or whose settle margin still runs. */
function pendingBands(ends: readonly EpochMs[], now: EpochMs, figures: WakeFigures): readonly EpochMs[] {
  return ends.filter((bandEnd) => now < bandEnd + figures.settleMarginMs);
}

function nextCheck(wake: WakeState, roster: Roster, now: EpochMs, figures: WakeFigures): EpochMs {
  const ends = bandEnds(wake, roster, figures);
  const running = runningTier(wake);
  const candidates = [
    failOpenAt(wake, pendingBands(ends, now, figures), figures),
    ...ends,
    running === undefined ? undefined : barrierAt(wake, running),
    ...wake.tiers.map((tier) => phase1Limit(tier, figures)),
    ...startedMembers(wake, roster).map(({ member, tier }) => {
      const judgement = judgeMember(member, { tier, writeOff: wake.writeOffs[member.key] }, now, figures);
      return judgement.kind === 'unchanged' ? judgement.until : undefined;
    }),
  ];
  let next = outsideAt(wake, figures);
  for (const candidate of candidates) if (candidate !== undefined && candidate > now) next = Math.min(next, candidate);
  return next;
}

type StartedTier = TierState & { readonly startedAt: EpochMs };

function phase1Limit(tier: TierState, figures: WakeFigures): EpochMs | undefined {
  return tier.startedAt === undefined || tier.judgedAt !== undefined ? undefined : tier.startedAt + figures.phase1Ms;
}

function startedMembers(wake: WakeState, roster: Roster): readonly { member: Member; tier: StartedTier }[] {
  return wake.tiers.flatMap((tier, index) => {
    if (tier.startedAt === undefined) return [];
    const started = { ...tier, startedAt: tier.startedAt };
    return (roster.tiers[index] ?? []).map((member) => ({ member, tier: started }));
  });
}
