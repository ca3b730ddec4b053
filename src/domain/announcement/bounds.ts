import type { AuditDetail, AuditEntry } from '../audit/entry.ts';
import type { Notice } from '../notification/notice.ts';
import type { Announcement } from './announcement.ts';

// The outbox is a key of the state, and the state must have room for records: what waits there is bounded. Whoever tells
// an announcement in the process that made it tells it whole; only what a crash leaves behind is told as it was stored.

export const mostWaiting = 200;
export const mostBytes = 131_072;
const mostBytesEach = 49_152;
const longestText = 1_000;
const longestSentence = 400;
/** A few lists of an announcement share its room; those of the card and the log line are stored once, as the audit entry has them. */
const lists = 4;

export interface Waiting {
  readonly waiting: readonly Announcement[];
  /** The oldest, for which there was no room any more. */
  readonly dropped: readonly Announcement[];
}

/** Adds what is new; an id that waits already is not added again. Past the bounds the oldest give way. */
export function withAnnouncements(waiting: readonly Announcement[], added: readonly Announcement[]): Waiting {
  const known = new Set(waiting.map(({ id }) => id));
  const fresh = added.filter(({ id }) => !known.has(id) && known.add(id)).map(bounded);
  const all = [...waiting, ...fresh];
  let first = Math.max(0, all.length - mostWaiting);
  const sizes = all.map(bytesOf);
  let bytes = sizes.slice(first).reduce((sum, size) => sum + size, 0);
  while (bytes > mostBytes && first < all.length - 1) bytes -= sizes[first++]!;
  return { waiting: all.slice(first), dropped: all.slice(0, first) };
}

/** The form in which it is stored: long texts cut, and lists that would not fit ended with their count. */
export function bounded(announcement: Announcement): Announcement {
  if (bytesOf(announcement) <= longestText) return announcement;
  const cut = withTexts(announcement, Number.POSITIVE_INFINITY);
  return bytesOf(cut) <= mostBytesEach ? cut : withTexts(announcement, mostBytesEach / lists);
}

function withTexts(announcement: Announcement, listRoom: number): Announcement {
  const { audit, event, notice, log } = announcement;
  return {
    ...announcement,
    ...(audit === undefined ? {} : { audit: cutEntry(audit, listRoom) }),
    ...(event === undefined ? {} : { event: { ...event, message: cutText(event.message) } }),
    ...(notice === undefined ? {} : { notice: cutNotice(notice, listRoom) }),
    ...(log === undefined ? {} : { log: { ...log, fields: cutValues(log.fields, listRoom) } }),
  };
}

function cutEntry(entry: AuditEntry, room: number): AuditEntry {
  const { workloads_failed_detail: failed, workloads_recovered_detail: recovered, details } = entry;
  return {
    ...entry,
    ...(failed === undefined ? {} : { workloads_failed_detail: cutList(failed, room) }),
    ...(recovered === undefined ? {} : { workloads_recovered_detail: cutList(recovered, room) }),
    ...(details === undefined ? {} : { details: cutValues(details, room / Object.keys(details).length) }),
  };
}

function cutNotice(notice: Notice, room: number): Notice {
  const { title, text, casualties, recoveries, facts } = notice;
  return {
    ...notice,
    title: cutText(title),
    ...(text === undefined ? {} : { text: cutText(text) }),
    ...(casualties === undefined ? {} : { casualties: cutList(casualties, room) }),
    ...(recoveries === undefined ? {} : { recoveries: cutList(recoveries, room) }),
    ...(facts === undefined ? {} : { facts: facts.map(({ name, value }) => ({ name, value: cutText(value) })) }),
  };
}

function cutValues(values: Readonly<Record<string, AuditDetail>>, room: number): Record<string, AuditDetail> {
  const cut = (value: AuditDetail): AuditDetail => {
    if (typeof value === 'string') return cutText(value);
    return typeof value === 'object' ? cutList(value, room) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]));
}

function cutList(sentences: readonly string[], room: number): readonly string[] {
  if (room === Number.POSITIVE_INFINITY) return sentences.map((sentence) => cutText(sentence, longestSentence));
  const kept: string[] = [];
  let used = 0;
  for (const sentence of sentences) {
    const short = cutText(sentence, longestSentence);
    used += bytesOf(short) + 1;
    if (used > room) return [...kept, `and ${sentences.length - kept.length} more`];
    kept.push(short);
  }
  return kept;
}

function cutText(text: string, most = longestText): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
