import { expireSessions } from '../../domain/externalwake/expire-sessions.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { set } from '../../state/snapshot.ts';
import type { LookAt } from '../pass/pass-context.ts';
import { announce, type Telling } from '../tell/announce.ts';

/** Announces the sessions of other clusters that have run out, and removes them; says when the next one will. */
export async function expireExternalSessions(telling: Telling): Promise<LookAt> {
  const { ports, session } = telling;
  const { live, announcements, nextExpiry } = expireSessions(
    session.getOrEmpty(externalWakeSessions),
    ports.clock.now(),
  );
  if (announcements.length === 0 || ports.config().operations.dryRun) return nextExpiry;
  await announce(telling, announcements, [set(externalWakeSessions, live)]);
  return nextExpiry;
}
