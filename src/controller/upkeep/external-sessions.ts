import { expireSessions } from '../../domain/externalwake/session.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import type { LookAt } from '../pass/pass-context.ts';
import type { ControllerPorts } from '../ports.ts';
import { announceAll } from '../tell/announce.ts';

/** Reports the sessions of other clusters that have run out, and removes them; says when the next one will. */
export async function expireExternalSessions(ports: ControllerPorts, session: StateSession): Promise<LookAt> {
  const { live, announcements, nextExpiry } = expireSessions(
    session.getOrEmpty(externalWakeSessions),
    ports.clock.now(),
  );
  if (announcements.length === 0 || ports.config().operations.dryRun) return nextExpiry;
  await announceAll(ports, session, announcements, [set(externalWakeSessions, live)]);
  return nextExpiry;
}
