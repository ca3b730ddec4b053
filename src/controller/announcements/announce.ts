import type { Announcement } from '../../domain/announcement/announcement.ts';
import { withAnnouncements } from '../../domain/announcement/bounds.ts';
import type { Logger } from '../../ports/logger.ts';
import { outbox } from '../../state/outbox.ts';
import type { Room } from '../../state/session/plan-write.ts';
import { StateFull } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import type { AnnouncementDelivery } from './delivery.ts';

/** What an act needs to be told: the state it is written to, and the loop that tells it. */
export interface Announcing {
  readonly logger: Logger;
  readonly session: StateSession;
  readonly delivery: AnnouncementDelivery;
}

/**
 * Makes the edits and their announcements durable in one write, and hands them to the loop that tells them. An outbox that
 * has no room or cannot be decoded holds up no act: it is then told by this process only.
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
  const waiting = session.snapshot.read(outbox);
  if (!waiting.ok) return false;
  const next = withAnnouncements(waiting.value, announcements);
  try {
    await session.writeIn(room, [...edits, set(outbox, next.waiting)]);
  } catch (error) {
    if (error instanceof StateFull) return false;
    throw error;
  }
  // In the log they are whole; what has been told of them already was told.
  for (const { id, audit } of next.dropped) {
    logger.error('Too many announcements wait, and the oldest is given up', { id, ...(audit && { audit }) });
  }
  return true;
}
