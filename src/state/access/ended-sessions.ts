import type { EpochMs } from '../../domain/workload.ts';
import { arrayText, codec } from '../codec/codec.ts';
import { elements, instantField, instantText, object, text } from '../codec/shape.ts';

/** A sign-in that was ended before its tokens expire. */
export interface EndedSession {
  /** A hash: whoever may read the state learns nothing that is worth anything. Or `everySession`. */
  readonly session: string;
  /** Whose it was, as a hash that only the API can make; unknown where an older release wrote it. */
  readonly of?: string;
  /** When it was ended: all its tokens were issued by then. Unknown where an older release wrote it. */
  readonly at?: EpochMs;
  /** When the last of its tokens has expired anyway. */
  readonly until: EpochMs;
}

/** Some 130 bytes each: at most 65 KB of the state. */
export const mostEndedSessions = 500;

/**
 * Those of one person that are told apart; where all of them together are too many, fewer. Whoever signs in and out all day long makes
 * room among his own.
 */
export const mostOfOnePerson = [20, 5, 1] as const;

/** In the place of a session: every one whose tokens were issued by `at`, of the person that is named, or of everybody. */
const everySession = '*';

export const endedSessions = codec<readonly EndedSession[]>({
  key: 'ended_sessions',
  empty: [],
  blankIsEmpty: true,
  read: (json) => elements(json, '', readEnded),
  write: (ended) => (ended.length === 0 ? undefined : arrayText(ended.map(endedText))),
});

function readEnded(element: unknown, where: string): EndedSession {
  const fields = object(element, where);
  return {
    session: text(fields, 'session', where, 64),
    ...(fields['of'] === undefined ? {} : { of: text(fields, 'of', where, 64) }),
    ...(fields['at'] === undefined ? {} : { at: instantField(fields, 'at', where) }),
    until: instantField(fields, 'until', where),
  };
}

function endedText({ session, of, at, until }: EndedSession): string {
  return JSON.stringify({
    session,
    ...(of === undefined ? {} : { of }),
    ...(at === undefined ? {} : { at: instantText(at) }),
    until: instantText(until),
  });
}

/**
 * With these added; what has expired goes. Beyond the bound those that expire first are no longer told apart: whatever was
 * issued by the time that they ended has ended with them, so that none of them ever lives again. Those of one person go together
 * first, which nobody else notices; only where people are too many does it reach everybody.
 */
export function withEnded(
  known: readonly EndedSession[],
  more: readonly EndedSession[],
  now: EpochMs,
): readonly EndedSession[] {
  const living = [...known, ...more].filter(({ until }) => until > now).toSorted((a, b) => a.until - b.until);
  const everybody = living.filter((one) => one.session === everySession && one.of === undefined);
  const named = new Map<string, EndedSession>();
  const ofPeople: EndedSession[] = [];
  for (const one of living) {
    if (one.session !== everySession) named.set(one.session, one);
    else if (one.of !== undefined) ofPeople.push(one);
  }
  let all: readonly EndedSession[] = [...ofPeople, ...named.values()];
  for (const most of mostOfOnePerson) {
    if (most === mostOfOnePerson[0] || all.length > mostEndedSessions) all = boundedByPerson(all, most, now);
  }
  all = all.toSorted((a, b) => a.until - b.until);
  const tooMany = all.slice(0, Math.max(0, all.length - mostEndedSessions));
  const together = [...everybody, ...tooMany];
  return together.length === 0 ? all : [asOne(together, now), ...all.slice(tooMany.length)];
}

/** At most so many of each person, one of which stands for the others; what is nobody's stays as it is. */
function boundedByPerson(all: readonly EndedSession[], most: number, now: EpochMs): readonly EndedSession[] {
  return [...Map.groupBy(all, ({ of }) => of)].flatMap(([of, own]) => {
    if (of === undefined) return own;
    const named = own.filter(({ session }) => session !== everySession).toSorted((a, b) => a.until - b.until);
    const before = own.filter(({ session }) => session === everySession);
    if (before.length === 0 && named.length <= most) return named;
    const apart = Math.max(0, named.length - (most - 1));
    return [{ ...asOne([...before, ...named.slice(0, apart)], now), of }, ...named.slice(apart)];
  });
}

function asOne(together: readonly EndedSession[], now: EpochMs): EndedSession {
  return {
    session: everySession,
    at: Math.max(...together.map(({ at }) => at ?? now)),
    until: Math.max(...together.map(({ until }) => until)),
  };
}

/** The time by which every token had been issued that is good no more, whosever it is. */
export function allEndedBy(ended: readonly EndedSession[]): EpochMs {
  return Math.max(0, ...ended.filter(({ of }) => of === undefined).map(everyEndedBy));
}

/** The same of each person who has such a time of their own. */
export function endedByPerson(ended: readonly EndedSession[]): ReadonlyMap<string, EpochMs> {
  const times = new Map<string, EpochMs>();
  for (const one of ended) {
    const time = everyEndedBy(one);
    if (one.of !== undefined && time > (times.get(one.of) ?? 0)) times.set(one.of, time);
  }
  return times;
}

/** Whether it is one session, and not all of a time. */
export function isNamed({ session }: EndedSession): boolean {
  return session !== everySession;
}

function everyEndedBy({ session, at }: EndedSession): EpochMs {
  return session === everySession ? (at ?? 0) : 0;
}
