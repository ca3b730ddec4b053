import type { Announcement } from '../domain/announcement/announcement.ts';
import { arrayText, codec } from './codec.ts';
import { elements, type Fields, object, own, refuseDuplicates, strings, text, wholeNumber, wrong } from './shape.ts';

/**
 * Announcements that are not durable in the audit log yet. Only the controller writes them, for itself: what it reads
 * here it wrote, so only the parts that tell one announcement from another are checked.
 */
export const outbox = codec<readonly Announcement[]>({
  key: 'outbox',
  empty: [],
  blankIsEmpty: true,
  read(json) {
    const announcements = elements(json, '', readAnnouncement);
    refuseDuplicates(announcements, ({ audit }) => `announcement ${audit.id}`);
    return announcements;
  },
  write: (announcements) =>
    announcements.length === 0 ? undefined : arrayText(announcements.map((one) => JSON.stringify(storedOnce(one)))),
});

function readAnnouncement(element: unknown, where: string): Announcement {
  const fields = object(element, where);
  const audit = object(own(fields, 'audit'), `${where}, field audit`);
  text(audit, 'id', `${where}, field audit`, 256);
  text(audit, 'title', `${where}, field audit`);
  wholeNumber(audit, 'at', `${where}, field audit`, Number.MAX_SAFE_INTEGER);
  const { sentencesInAudit, ...announcement } = fields;
  if (sentencesInAudit === undefined) return element as Announcement;
  return { ...announcement, notice: withSentences(fields, audit, where) } as Announcement;
}

/** A card says the same sentences as the audit entry, and a wake of thousands has thousands of them: they are stored once. */
const sentences = [
  ['casualties', 'workloads_failed_detail'],
  ['recoveries', 'workloads_recovered_detail'],
] as const;

function storedOnce(announcement: Announcement): object {
  const { audit, notice } = announcement;
  if (notice === undefined) return announcement;
  const same = sentences.filter(([card, entry]) => {
    const lines = notice[card];
    return lines !== undefined && lines.length > 0 && JSON.stringify(lines) === JSON.stringify(audit[entry]);
  });
  if (same.length === 0) return announcement;
  const names: readonly string[] = same.map(([card]) => card);
  const rest = Object.fromEntries(Object.entries(notice).filter(([field]) => !names.includes(field)));
  return { ...announcement, notice: rest, sentencesInAudit: names };
}

function withSentences(fields: Fields, audit: Fields, where: string): object {
  const notice = object(own(fields, 'notice'), `${where}, field notice`);
  const restored = strings(fields, 'sentencesInAudit', where).map((name) => {
    const entry = sentences.find(([card]) => card === name)?.[1];
    if (entry === undefined) throw wrong(`${where}, field sentencesInAudit`, 'casualties or recoveries', name);
    return [name, strings(audit, entry, `${where}, field audit`)];
  });
  return { ...notice, ...Object.fromEntries(restored) };
}
