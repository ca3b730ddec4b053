import type { CompiledSchedule } from '../schedule/compile.ts';
import { nextOpening, scheduleAt } from '../schedule/schedule.ts';
import { clockText } from '../schedule/wording.ts';
import type { WorkloadSelector } from '../targeting/workload-selector.ts';
import type { EpochMs } from '../workload.ts';
import type { ReasonCode } from './reason.ts';

/** Somebody woke the cluster; it stays up until then. */
export interface WakeOverride {
  readonly until: EpochMs;
  readonly by: string;
  readonly at: EpochMs;
}

/** Somebody put the cluster to sleep by hand. */
export interface ManualHibernation {
  readonly by: string;
  readonly at: EpochMs;
  /** When given, it ends then and not at the next opening of the schedule. */
  readonly until?: EpochMs;
}

/** A dependent cluster needs this one, or the resources it names. */
export interface ExternalSession {
  readonly id: string;
  readonly cluster: string;
  /** Absent or empty: the whole cluster. */
  readonly resources?: readonly WorkloadSelector[];
  /** A renewal moves `expiresAt` alone. */
  readonly startedAt: EpochMs;
  readonly expiresAt: EpochMs;
}

/** What a session keeps up in a cluster that sleeps, and on whose account. */
export interface KeptAwake extends WorkloadSelector {
  readonly cluster: string;
  readonly until: EpochMs;
}

export interface Acts {
  readonly wakeOverride?: WakeOverride;
  readonly manualHibernation?: ManualHibernation;
  readonly externalSessions: readonly ExternalSession[];
  /** When the last stop (stand-down, license) ended: after it the schedule alone decides, what people did before is void. */
  readonly stopEndedAt?: EpochMs;
}

export interface Choice {
  readonly awake: boolean;
  readonly code: ReasonCode;
  readonly cause: string;
  readonly actor?: string;
  /** When to choose anew; absent when this holds for ever. */
  readonly holdsUntil?: EpochMs;
  readonly keepAwake: readonly KeptAwake[];
  readonly external: boolean;
}

/**
 * Between waking and sleeping, at an instant.
 *
 * Of a wake override and a manual hibernation the later act counts, and the earlier stays void when the later has ended.
 * A wake override ends at its `until`. A manual hibernation ends at the next opening of the schedule after it was made:
 * who hibernates at 16:00 wants the cluster back the next working morning. A session that begins after a manual
 * hibernation is answered; one that was there before is overruled, since a person decided knowing of it.
 */
export function choose(schedule: CompiledSchedule, acts: Acts, at: EpochMs): Choice {
  const override = liveOverride(acts, at);
  if (override !== undefined) return byOverride(schedule, override, at);
  const manual = liveManual(schedule, acts, at);
  const planned = scheduleAt(schedule, at);
  if (manual === undefined && planned.awake) {
    return { awake: true, ...planned.reason, ...ending(planned.until), keepAwake: [], external: false };
  }
  const sessions = acts.externalSessions.filter(
    ({ startedAt, expiresAt }) => at < expiresAt && (manual === undefined || startedAt > manual.at),
  );
  const whole = lastToExpire(sessions.filter((session) => !namesResources(session)));
  const end = manual === undefined ? planned.until : manualEnd(schedule, manual);
  if (whole !== undefined) return bySession(whole, end);
  const named = sessions.filter(namesResources);
  const asleep = manual === undefined ? planned.reason : manualCause(schedule, manual, at);
  return {
    awake: false,
    ...asleep,
    ...ending(firstOf([end, ...named.map((session) => session.expiresAt)])),
    keepAwake: named.flatMap(keptBy),
    external: false,
  };
}

function keptBy({ cluster, expiresAt, resources = [] }: ExternalSession): readonly KeptAwake[] {
  return resources.map((selector) => ({ ...selector, cluster, until: expiresAt }));
}

/** When a manual hibernation ends by itself; undefined when the schedule never opens again. */
function manualEnd(schedule: CompiledSchedule, manual: ManualHibernation): EpochMs | undefined {
  return manual.until ?? nextOpening(schedule, manual.at);
}

export function manualHasEnded(schedule: CompiledSchedule, manual: ManualHibernation, at: EpochMs): boolean {
  return at >= (manualEnd(schedule, manual) ?? Number.POSITIVE_INFINITY);
}

function byOverride(schedule: CompiledSchedule, { by, at, until }: WakeOverride, now: EpochMs): Choice {
  return {
    awake: true,
    code: 'wake_override',
    cause: `woken by ${by} at ${clockText(schedule, at, now)}`,
    actor: by,
    holdsUntil: until,
    keepAwake: [],
    external: false,
  };
}

/** The session decides until it expires, or until the cluster would be up without it. */
function bySession({ cluster, expiresAt }: ExternalSession, sleepEnds: EpochMs | undefined): Choice {
  return {
    awake: true,
    code: 'external_wake',
    cause: `cluster ${cluster} needs it (external wake)`,
    actor: cluster,
    ...ending(firstOf([expiresAt, sleepEnds])),
    keepAwake: [],
    external: true,
  };
}

function manualCause(schedule: CompiledSchedule, { by, at }: ManualHibernation, now: EpochMs) {
  const cause = `hibernated by hand by ${by} at ${clockText(schedule, at, now)}`;
  return { code: 'manual_hibernation', cause, actor: by } as const;
}

/** The act of a person that counts at an instant: one at most, since the later ends the earlier. */
export function liveActs(
  schedule: CompiledSchedule,
  acts: Acts,
  at: EpochMs,
): Pick<Acts, 'wakeOverride' | 'manualHibernation'> {
  const wakeOverride = liveOverride(acts, at);
  const manualHibernation = liveManual(schedule, acts, at);
  return {
    ...(wakeOverride === undefined ? {} : { wakeOverride }),
    ...(manualHibernation === undefined ? {} : { manualHibernation }),
  };
}

function liveOverride(acts: Acts, at: EpochMs): WakeOverride | undefined {
  const { wakeOverride, manualHibernation } = acts;
  if (wakeOverride === undefined || at >= wakeOverride.until || isVoid(acts, wakeOverride)) return undefined;
  return manualHibernation !== undefined && manualHibernation.at > wakeOverride.at ? undefined : wakeOverride;
}

function liveManual(schedule: CompiledSchedule, acts: Acts, at: EpochMs): ManualHibernation | undefined {
  const { wakeOverride, manualHibernation } = acts;
  if (manualHibernation === undefined || isVoid(acts, manualHibernation)) return undefined;
  // A wake of the same instant counts as the later act: up is the harmless side.
  if (wakeOverride !== undefined && wakeOverride.at >= manualHibernation.at) return undefined;
  return manualHasEnded(schedule, manualHibernation, at) ? undefined : manualHibernation;
}

function isVoid({ stopEndedAt }: Acts, act: { readonly at: EpochMs }): boolean {
  return stopEndedAt !== undefined && act.at < stopEndedAt;
}

function namesResources(session: ExternalSession): boolean {
  return (session.resources ?? []).length > 0;
}

function lastToExpire(sessions: readonly ExternalSession[]): ExternalSession | undefined {
  return sessions.reduce<ExternalSession | undefined>(
    (last, session) => (last === undefined || session.expiresAt > last.expiresAt ? session : last),
    undefined,
  );
}

function firstOf(instants: readonly (EpochMs | undefined)[]): EpochMs | undefined {
  const known = instants.filter((instant) => instant !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function ending(at: EpochMs | undefined): { holdsUntil?: EpochMs } {
  return at === undefined ? {} : { holdsUntil: at };
}
