import type { Announcement } from '../announcement/announcement.ts';
import { auditEntry } from '../audit/entry.ts';
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

const titles = {
  started: 'External Wake Started',
  renewed: 'External Wake Renewed',
  expired: 'External Wake Expired',
  ended: 'External Wake Ended',
} as const;

const keys = {
  started: 'externalWakeStarted',
  renewed: 'externalWakeRenewed',
  expired: 'externalWakeExpired',
} as const;

/** What is recorded of a session, and whoever wants to hears. An end that its cluster asked for is recorded only. */
export function sessionAnnouncement(act: keyof typeof titles, session: WakeSession, at: EpochMs): Announcement {
  const { id, cluster, resources, expiresAt } = session;
  const title = titles[act];
  const what = resources.length === 0 ? ['the whole cluster'] : resources.map(targetText);
  const audit = {
    id: `external-wake-${act}-${id}-${at}`,
    at,
    kind: `external-wake-${act}`,
    title,
    actor: cluster,
    details: { session: id, resources: what, expiresAt: instant(expiresAt) },
  };
  if (act === 'ended') return { audit: auditEntry({ ...audit, kind: 'external-wake-ended' }) };
  return {
    audit,
    notice: {
      id: audit.id,
      key: keys[act],
      at,
      title,
      colour: 'blue',
      facts: [
        { name: 'Cluster', value: cluster },
        { name: 'Resources', value: what.join(', ') },
        { name: act === 'expired' ? 'Expired' : 'Expires', value: instant(expiresAt) },
      ],
    },
  };
}

export interface ExpiredSessions {
  readonly live: readonly WakeSession[];
  readonly announcements: readonly Announcement[];
  /** When the next one runs out. */
  readonly nextExpiry: EpochMs | undefined;
}

/** Parts the sessions that have run out from those that hold. */
export function expireSessions(sessions: readonly WakeSession[], now: EpochMs): ExpiredSessions {
  const live = sessions.filter((session) => isLive(session, now));
  const expired = sessions.filter((session) => !isLive(session, now));
  return {
    live,
    // The instant of the expiry, not of the look: a look that is repeated after a crash tells the same event.
    announcements: expired.map((session) => sessionAnnouncement('expired', session, session.expiresAt)),
    nextExpiry: live.length === 0 ? undefined : Math.min(...live.map(({ expiresAt }) => expiresAt)),
  };
}

export function targetText({ namespace, type, name }: WakeTarget): string {
  return [type, `${namespace}/${name ?? '*'}`].filter((part) => part !== undefined).join(' ');
}

function instant(at: EpochMs): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
