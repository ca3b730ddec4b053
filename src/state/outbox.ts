import type { Announcement } from '../domain/announcement/announcement.ts';
import { arrayText, codec } from './codec.ts';
import { elements, object, own, refuseDuplicates, text, wholeNumber } from './shape.ts';

/**
 * Announcements that are not durable in the audit log yet. Only the controller writes them, for itself: what it reads
 * here it wrote, so only the parts that tell one announcement from another are checked.
 */
export const outbox = codec<readonly Announcement[]>({
  key: 'outbox',
  empty: [],
  blankIsEmpty: true,
  read(json) {
    const announcements = elements(json, '', (element, where) => {
      const audit = object(own(object(element, where), 'audit'), `${where}, field audit`);
      text(audit, 'id', `${where}, field audit`, 256);
      text(audit, 'title', `${where}, field audit`);
      wholeNumber(audit, 'at', `${where}, field audit`, Number.MAX_SAFE_INTEGER);
      return element as Announcement;
    });
    refuseDuplicates(announcements, ({ audit }) => `announcement ${audit.id}`);
    return announcements;
  },
  write: (announcements) =>
    announcements.length === 0 ? undefined : arrayText(announcements.map((one) => JSON.stringify(one))),
});
