import { sessionAnnouncement } from '../../domain/announcement/external-wake.ts';
import { expireSessions } from '../../domain/externalwake/expire-sessions.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { set } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import type { RequeueAt } from '../loop/requeue.ts';

export interface ExpiryStep extends Announcing {
  readonly clock: Clock;
  readonly compiled: CompiledConfig;
}

/** Announces the sessions of other clusters that have run out, and removes them; says when the next one will. */
export async function expireExternalSessions(announcing: ExpiryStep): Promise<RequeueAt> {
  const { clock, compiled, session } = announcing;
  const { live, changes, nextExpiry } = expireSessions(session.getOrEmpty(externalWakeSessions), clock.now());
  if (changes.length === 0 || compiled.config.operations.dryRun) return nextExpiry;
  await announce(announcing, changes.map(sessionAnnouncement), [set(externalWakeSessions, live)]);
  return nextExpiry;
}
