import type { Announcement } from '../domain/announcement/announcement.ts';
import type { Notice } from '../domain/notification/notice.ts';
import { arrayText, codec } from './codec.ts';
import { elements, type Fields, object, own, refuseDuplicates, text, wholeNumber } from './shape.ts';

/**
 * What the world has not been told yet. Only the service writes it, for itself, so only what tells one announcement from
 * another is checked: a part that makes no sense is given up when it is told. One that an earlier version wrote has the id
 * and the time of its audit entry.
 */
export const outbox = codec<readonly Announcement[]>({
  key: 'outbox',
  empty: [],
  blankIsEmpty: true,
  read(json) {
    const announcements = elements(json, '', readAnnouncement);
    refuseDuplicates(announcements, ({ id }) => `announcement ${id}`);
    return announcements;
  },
  write: (announcements) =>
    announcements.length === 0 ? undefined : arrayText(announcements.map((one) => JSON.stringify(stored(one)))),
});

function readAnnouncement(element: unknown, where: string): Announcement {
  const fields = object(element, where);
  const audit = own(fields, 'audit');
  const bare = own(fields, 'id') !== undefined;
  if (!bare || audit !== undefined) checkEntry(object(audit, `${where}, field audit`), `${where}, field audit`);
  const identity = bare ? fields : (audit as Fields);
  const id = text(identity, 'id', where, 256);
  const at = wholeNumber(identity, 'at', where, Number.MAX_SAFE_INTEGER);
  return withLists(withColor({ ...(element as Announcement), id, at }));
}

function checkEntry(audit: Fields, where: string): void {
  text(audit, 'id', where, 256);
  text(audit, 'title', where);
  wholeNumber(audit, 'at', where, Number.MAX_SAFE_INTEGER);
}

/** Stands for a list of the card that the audit entry beside it holds too: no sentence is stored twice. */
const asInAudit = 'as in audit';

function stored(announcement: Announcement): object {
  const { audit, notice } = announcement;
  if (audit === undefined || notice === undefined) return announcement;
  const same = (a: readonly string[] | undefined, b: readonly string[] | undefined) =>
    a !== undefined && a.length > 0 && JSON.stringify(a) === JSON.stringify(b);
  return {
    ...announcement,
    notice: {
      ...notice,
      ...(same(notice.casualties, audit.workloads_failed_detail) ? { casualties: asInAudit } : {}),
      ...(same(notice.recoveries, audit.workloads_recovered_detail) ? { recoveries: asInAudit } : {}),
    },
  };
}

/** Earlier versions spelled it `colour`. */
function withColor(announcement: Announcement): Announcement {
  const { notice } = announcement;
  if (typeof notice !== 'object' || notice === null || !('colour' in notice)) return announcement;
  const { colour, ...rest } = notice as Notice & { readonly colour: Notice['color'] };
  return { ...announcement, notice: { ...rest, color: colour } };
}

function withLists(announcement: Announcement): Announcement {
  const { audit, notice } = announcement;
  if (audit === undefined || typeof notice !== 'object') return announcement;
  const isSame = (list: unknown) => list === asInAudit;
  return {
    ...announcement,
    notice: {
      ...notice,
      ...(isSame(notice.casualties) ? { casualties: audit.workloads_failed_detail ?? [] } : {}),
      ...(isSame(notice.recoveries) ? { recoveries: audit.workloads_recovered_detail ?? [] } : {}),
    },
  };
}
