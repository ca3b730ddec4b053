import type { EpochMs } from '../workload.ts';
import { isLive, type WakeSession } from './session.ts';
import type { SessionChange } from './session-change.ts';

export interface ExpiredSessions {
  readonly live: readonly WakeSession[];
  readonly changes: readonly SessionChange[];
  /** When the next one runs out. */
  readonly nextExpiry: EpochMs | undefined;
}

/** Parts the sessions that have run out from those that hold. */
export function expireSessions(sessions: readonly WakeSession[], now: EpochMs): ExpiredSessions {
  const live = sessions.filter((session) => isLive(session, now));
  const expired = sessions.filter((session) => !isLive(session, now));
  return {
    live,
    // Dated at the expiry, not at this pass: a pass that is repeated after a crash announces it under the same id.
    changes: expired.map((session) => ({ act: 'expired', session, at: session.expiresAt })),
    nextExpiry: live.length === 0 ? undefined : Math.min(...live.map(({ expiresAt }) => expiresAt)),
  };
}
