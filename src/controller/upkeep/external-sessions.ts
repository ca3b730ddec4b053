import { expireSessions } from '../../domain/externalwake/expire-sessions.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { set } from '../../state/snapshot.ts';
import type { LookAt } from '../pass/requeue.ts';
import { announce, type Telling } from '../tell/announce.ts';

export interface ExpiryStep extends Telling {
  readonly clock: Clock;
  readonly compiled: CompiledConfig;
}

/** Announces the sessions of other clusters that have run out, and removes them; says when the next one will. */
export async function expireExternalSessions(telling: ExpiryStep): Promise<LookAt> {
  const { clock, compiled, session } = telling;
  const { live, announcements, nextExpiry } = expireSessions(session.getOrEmpty(externalWakeSessions), clock.now());
  if (announcements.length === 0 || compiled.config.operations.dryRun) return nextExpiry;
  await announce(telling, announcements, [set(externalWakeSessions, live)]);
  return nextExpiry;
}
