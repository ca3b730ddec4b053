import type { Announcement } from '../../domain/announcement/announcement.ts';
import { withAnnouncements } from '../../domain/announcement/bounds.ts';
import { outbox } from '../../state/outbox.ts';
import { type StateEdit, type StateSnapshot, set } from '../../state/snapshot.ts';
import { need } from '../state/managed-state.ts';

/** The announcements of an act, stored in the same write as the act: the controller tells them. */
export function announced(snapshot: StateSnapshot, ...announcements: readonly Announcement[]): StateEdit {
  return set(outbox, withAnnouncements(need(snapshot, outbox), announcements).waiting);
}
