import type { Announcement } from '../../domain/announcement/announcement.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Room } from '../../state/session/plan-write.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import type { StateEdit } from '../../state/snapshot.ts';
import { logLostAnnouncements, storing } from '../../state/storing.ts';
import type { AnnouncementDelivery } from './delivery.ts';

/** What an act needs to be told: the state it is written to, and the loop that tells it. */
export interface Announcing {
  readonly logger: Logger;
  readonly session: StateSession;
  readonly delivery: AnnouncementDelivery;
}

/**
 * Makes the edits and their announcements durable in one write, and hands them to the loop that tells them. An outbox that
 * has no room holds up no act: it is then told by this process only.
 */
export async function announce(
  announcing: Announcing,
  announcements: readonly Announcement[],
  edits: readonly StateEdit[],
  room: Room = 'reserve',
): Promise<void> {
  const { logger, session, delivery } = announcing;
  const stored = announcements.length > 0 && (await writeTogether(announcing, announcements, edits, room));
  if (!stored) await session.writeIn(room, edits);
  if (!stored && announcements.length > 0) {
    const ids = announcements.map(({ id }) => id);
    logger.error('Announcements could not be stored with their act: a restart now would lose them', { ids });
  }
  for (const announcement of announcements) delivery.take(announcement);
}

async function writeTogether(
  { logger, session }: Announcing,
  announcements: readonly Announcement[],
  edits: readonly StateEdit[],
  room: Room,
): Promise<boolean> {
  const told = storing(session.snapshot, announcements);
  try {
    await session.writeIn(room, [...edits, ...told]);
  } catch (error) {
    if (error instanceof StateFull) return false;
    throw error;
  }
  logLostAnnouncements(logger, told);
  return true;
}
