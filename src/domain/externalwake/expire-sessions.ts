import type { Announcement } from '../announcement/announcement.ts';
import { sessionAnnouncement } from '../announcement/external-wake.ts';
import type { EpochMs } from '../workload.ts';
import { isLive, type WakeSession } from './session.ts';

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
