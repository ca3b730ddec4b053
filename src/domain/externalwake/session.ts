import type { EpochMs } from '../workload.ts';

/** More clusters than these are not told apart. */
const mostOrigins = 100;

/** What a dependent cluster asks for; an absent field means all of them. */
export interface WakeTarget {
  readonly namespace: string;
  readonly type?: string;
  readonly name?: string;
}

/** A dependent cluster that keeps this one, or some of it, awake. */
export interface WakeSession {
  readonly id: string;
  readonly cluster: string;
  /** Empty means the whole cluster. */
  readonly resources: readonly WakeTarget[];
  readonly startedAt: EpochMs;
  readonly expiresAt: EpochMs;
  /** The clusters with a reason of their own, when they are others than the one that asked. */
  readonly origins?: readonly string[];
}

/** On whose account this cluster is awake while nothing but sessions keeps it so. */
export function originsOf(sessions: readonly WakeSession[], now: EpochMs): readonly string[] {
  const whole = sessions.filter((session) => isLive(session, now) && session.resources.length === 0);
  return [...new Set(whole.flatMap(({ origins, cluster }) => origins ?? [cluster]))].toSorted().slice(0, mostOrigins);
}

export function isLive(session: WakeSession, now: EpochMs): boolean {
  return session.expiresAt > now;
}

export function targetText({ namespace, type, name }: WakeTarget): string {
  return [type, `${namespace}/${name ?? '*'}`].filter((part) => part !== undefined).join(' ');
}
