import type { EpochMs } from '../../domain/workload.ts';
import { arrayText, codec } from '../codec.ts';
import { elements, instantField, instantText, object, text } from '../shape.ts';

/** A sign-in that was ended before its tokens expire. */
export interface EndedSession {
  /** A hash: whoever may read the state learns nothing that is worth anything. Or `everySession`. */
  readonly session: string;
  /** When it was ended: all its tokens were issued by then. Unknown where an older release wrote it. */
  readonly at?: EpochMs;
  /** When the last of its tokens has expired anyway. */
  readonly until: EpochMs;
}

/** Some 110 bytes each: at most 55 KB of the state. */
export const mostEndedSessions = 500;

/** In the place of a session: every one whose tokens were issued by `at`. */
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
  const ended = { session: text(fields, 'session', where, 64), until: instantField(fields, 'until', where) };
  return fields['at'] === undefined ? ended : { ...ended, at: instantField(fields, 'at', where) };
}

function endedText({ session, at, until }: EndedSession): string {
  return JSON.stringify({ session, ...(at === undefined ? {} : { at: instantText(at) }), until: instantText(until) });
}

/**
 * With these added; what has expired goes. Beyond the bound those that expire first are no longer told apart: whatever was
 * issued by the time that they ended has ended with them, so that none of them ever lives again.
 */
export function withEnded(
  known: readonly EndedSession[],
  more: readonly EndedSession[],
  now: EpochMs,
): readonly EndedSession[] {
  const living = [...known, ...more].filter(({ until }) => until > now).toSorted((a, b) => a.until - b.until);
  const named = new Map(living.flatMap((one) => (one.session === everySession ? [] : [[one.session, one] as const])));
  const all = [...named.values()].toSorted((a, b) => a.until - b.until);
  const tooMany = all.slice(0, Math.max(0, all.length - mostEndedSessions));
  const together = [...living.filter(({ session }) => session === everySession), ...tooMany];
  if (together.length === 0) return all;
  const every = {
    session: everySession,
    at: Math.max(...together.map(({ at }) => at ?? now)),
    until: Math.max(...together.map(({ until }) => until)),
  };
  return [every, ...all.slice(tooMany.length)];
}

/** The time by which every token had been issued that is good no more, whosever it is. */
export function allEndedBy(ended: readonly EndedSession[]): EpochMs {
  return Math.max(0, ...ended.map(({ session, at }) => (session === everySession ? (at ?? 0) : 0)));
}
