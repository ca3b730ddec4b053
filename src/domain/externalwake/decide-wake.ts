import type { EpochMs } from '../workload.ts';
import { longestUntil, type QuotaReached, quotaReached, type WakeQuotas } from './quotas.ts';
import { isLive, targetText, type WakeSession, type WakeTarget } from './session.ts';
import type { SessionChange } from './session-change.ts';

export interface WakeAsk {
  readonly cluster: string;
  readonly resources: readonly WakeTarget[];
  /** As long as it may while absent. */
  readonly durationMs?: number;
  /** The clusters on whose account it asks; itself while absent. */
  readonly origins?: readonly string[];
  /** For the session, if this begins one. */
  readonly id: string;
}

export type WakeDecision =
  | {
      readonly outcome: 'started' | 'renewed';
      readonly session: WakeSession;
      /** All sessions afterwards, those that ran out included: the controller reports and removes them. */
      readonly sessions: readonly WakeSession[];
      /** Absent when the session is what it was. */
      readonly change?: SessionChange;
    }
  | {
      /** It needs us for nobody but ourselves: such a session would keep a ring of clusters awake for ever. */
      readonly outcome: 'needless';
      /** For the answer; it is not among the sessions. */
      readonly session: WakeSession;
      readonly sessions: readonly WakeSession[];
      /** The end of the session that there was, if there was one. */
      readonly change?: SessionChange;
    }
  | QuotaReached;

/**
 * A dependent that waits for us asks every few seconds, and every minute all day while something here stays down. Only what
 * lengthens the session by this part of it is a renewal to record: at least 7/8 of it are always left.
 */
const worthRecordingPart = 1 / 8;
/** Who wants it shorter is heard sooner. */
const worthShorteningMs = 60_000;

/** `ownName` is ours among the origins. `startedInHour` are the instants at which sessions began during the last hour, ended ones included. */
export function decideWake(
  ask: WakeAsk,
  sessions: readonly WakeSession[],
  {
    quotas,
    startedInHour,
    now,
    ownName = '',
  }: {
    readonly quotas: WakeQuotas;
    readonly startedInHour: readonly EpochMs[];
    readonly now: EpochMs;
    readonly ownName?: string;
  },
): WakeDecision {
  const expiresAt = longestUntil(quotas, now, ask.durationMs);
  const live = sessions.filter((session) => isLive(session, now));
  const held = live.find((one) => one.cluster === ask.cluster && sameTargets(one.resources, ask.resources));
  const origins = ask.origins?.every((name) => name === ask.cluster) ? undefined : ask.origins;
  const asked: WakeSession = {
    id: ask.id,
    cluster: ask.cluster,
    resources: ask.resources,
    startedAt: now,
    expiresAt,
    ...(origins === undefined ? {} : { origins }),
  };
  if (origins?.every((name) => name === ownName)) return needless(asked, held, sessions, now);
  if (held !== undefined) return renewed(held, asked, sessions, now);
  const refusal = quotaReached(quotas, { live, sessions, startedInHour }, now);
  if (refusal !== undefined) return refusal;
  const change: SessionChange = { act: 'started', session: asked, at: now };
  return { outcome: 'started', session: asked, sessions: [...sessions, asked], change };
}

export interface EndDecision {
  readonly sessions: readonly WakeSession[];
  readonly ended: readonly WakeSession[];
  readonly changes: readonly SessionChange[];
}

/** A cluster no longer needs us: its live sessions end, all of them or the one that it names. */
export function decideEnd(cluster: string, sessions: readonly WakeSession[], now: EpochMs, only?: string): EndDecision {
  const ended = sessions.filter((session) => {
    return session.cluster === cluster && isLive(session, now) && (only === undefined || session.id === only);
  });
  return {
    sessions: sessions.filter((session) => !ended.includes(session)),
    ended,
    changes: ended.map((session) => ({ act: 'ended', session, at: now })),
  };
}

function renewed(
  held: WakeSession,
  { expiresAt, origins }: WakeSession,
  sessions: readonly WakeSession[],
  now: EpochMs,
): WakeDecision {
  const laterMs = expiresAt - held.expiresAt;
  const partMs = (expiresAt - now) * worthRecordingPart;
  const moves = laterMs >= partMs || -laterMs >= Math.min(worthShorteningMs, partMs);
  const sameOrigins = JSON.stringify(origins) === JSON.stringify(held.origins);
  if (!moves && sameOrigins) return { outcome: 'renewed', session: held, sessions };
  const { origins: _, ...rest } = held;
  const session = { ...rest, expiresAt, ...(origins === undefined ? {} : { origins }) };
  return {
    outcome: 'renewed',
    session,
    sessions: sessions.map((one) => (one === held ? session : one)),
    ...(moves ? { change: { act: 'renewed', session, at: now } } : {}),
  };
}

function needless(
  session: WakeSession,
  held: WakeSession | undefined,
  sessions: readonly WakeSession[],
  now: EpochMs,
): WakeDecision {
  if (held === undefined) return { outcome: 'needless', session, sessions };
  const change: SessionChange = { act: 'ended', session: held, at: now };
  return { outcome: 'needless', session, sessions: sessions.filter((one) => one !== held), change };
}

function sameTargets(a: readonly WakeTarget[], b: readonly WakeTarget[]): boolean {
  const text = (targets: readonly WakeTarget[]) => targets.map(targetText).toSorted().join('\n');
  return text(a) === text(b);
}
