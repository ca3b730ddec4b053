import type { EpochMs } from '../../domain/workload.ts';
import { arrayText, codec } from '../codec/codec.ts';
import { elements, instantField, instantText, object, refuseDuplicates, text } from '../codec/shape.ts';

/** An address under which a calendar program reads the schedule without a sign-in. */
export interface CalendarFeed {
  readonly id: string;
  readonly name: string;
  /** A keyed hash of the token in the address: whoever may read the state cannot read the calendar by it. */
  readonly token: string;
  /** Whose it is, sealed: stored data names nobody. */
  readonly owner: string;
  readonly at: EpochMs;
}

/** Some 300 bytes each: at most 60 KB of the state. */
export const mostCalendarFeeds = 200;

export const calendarFeeds = codec<readonly CalendarFeed[]>({
  key: 'calendar_feeds',
  empty: [],
  blankIsEmpty: true,
  read(json) {
    const feeds = elements(json, '', readFeed);
    refuseDuplicates(feeds, ({ id }) => `id ${id}`);
    return feeds;
  },
  write: (feeds) =>
    feeds.length === 0
      ? undefined
      : arrayText(
          feeds.map(({ id, name, token, owner, at }) =>
            JSON.stringify({ id, name, token, owner, at: instantText(at) }),
          ),
        ),
});

function readFeed(element: unknown, where: string): CalendarFeed {
  const fields = object(element, where);
  return {
    id: text(fields, 'id', where, 32),
    name: text(fields, 'name', where, 64),
    token: text(fields, 'token', where, 64),
    owner: text(fields, 'owner', where, 1024),
    at: instantField(fields, 'at', where),
  };
}
