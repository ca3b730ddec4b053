import { expireSessions } from '../../domain/externalwake/session.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { outbox } from '../../state/outbox.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import type { LookAt } from '../pass/pass-context.ts';
import type { ControllerPorts } from '../ports.ts';
import { emptyOutbox } from '../tell/announce.ts';

/** Reports the sessions of other clusters that have run out, and removes them; says when the next one will. */
export async function expireExternalSessions(ports: ControllerPorts, session: StateSession): Promise<LookAt> {
  const { live, announcements, nextExpiry } = expireSessions(session.get(externalWakeSessions), ports.clock.now());
  if (announcements.length === 0 || ports.config().operations.dryRun) return nextExpiry;
  await session.write(set(externalWakeSessions, live), set(outbox, [...session.get(outbox), ...announcements]));
  await emptyOutbox(ports, session);
  return nextExpiry;
}
