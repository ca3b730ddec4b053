import type { Announcement } from '../domain/announcement/announcement.ts';
import { withAnnouncements } from '../domain/announcement/bounds.ts';
import { outbox } from './outbox.ts';
import { outboxSetAsideKey, type StateEdit, type StateSnapshot, set, setAside } from './snapshot.ts';

/**
 * The edit that stores announcements with their act. No act waits for the outbox: one that cannot be decoded is moved aside,
 * whole, for a person to read, and a new one is begun. Whatever is given up on the way is said once the write is done.
 */
export function storing(snapshot: StateSnapshot, announcements: readonly Announcement[]): readonly StateEdit[] {
  const known = snapshot.read(outbox);
  if (announcements.length === 0) return [];
  const { waiting, dropped } = withAnnouncements(known.ok ? known.value : [], announcements);
  const full = dropped.map(({ id, audit }) => ({ message: tooMany, fields: { id, ...(audit && { audit }) } }));
  if (known.ok) return [{ ...set(outbox, waiting), lost: [...full, ...lostParts(known.givenUp ?? [])] }];
  const error = { key: outbox.key, error: known.message, keptAs: outboxSetAsideKey };
  const [begin, ...aside] = setAside(snapshot, outbox, outboxSetAsideKey);
  return [
    { ...begin!, text: outbox.encode(waiting), lost: [...full, { message: movedAside, fields: error }] },
    ...aside,
  ];
}

const tooMany = 'Too many announcements wait, and the oldest is given up';
const movedAside =
  'The outbox cannot be decoded: it is set aside, what waited in it is not told, and a new one is begun';

/** For parts of the outbox that make no sense. */
export function lostParts(givenUp: readonly string[]): NonNullable<StateEdit['lost']> {
  const message = 'A part of an announcement that waited cannot be decoded and is given up';
  return givenUp.map((error) => ({ message, fields: { key: outbox.key, error } }));
}

interface ErrorLog {
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** In the log they are whole; what has been told of them already was told. */
export function logLostAnnouncements(log: ErrorLog, edits: readonly Pick<StateEdit, 'lost'>[]): void {
  for (const { lost } of edits) for (const { message, fields } of lost ?? []) log.error(message, fields);
}
