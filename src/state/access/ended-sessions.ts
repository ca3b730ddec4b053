import type { EpochMs } from '../../domain/workload.ts';
import { arrayText, codec } from '../codec.ts';
import { elements, instantField, instantText, object, text } from '../shape.ts';

/** A sign-in that was ended before its tokens expire. */
export interface EndedSession {
  /** A hash: whoever may read the state learns nothing that is worth anything. */
  readonly session: string;
  /** When the last of its tokens has expired anyway. */
  readonly until: EpochMs;
}

/** Some 80 bytes each: at most 40 KB of the state. */
export const mostEndedSessions = 500;

export const endedSessions = codec<readonly EndedSession[]>({
  key: 'ended_sessions',
  empty: [],
  blankIsEmpty: true,
  read: (json) => elements(json, '', readEnded),
  write: (ended) =>
    ended.length === 0
      ? undefined
      : arrayText(ended.map(({ session, until }) => JSON.stringify({ session, until: instantText(until) }))),
});

function readEnded(element: unknown, where: string): EndedSession {
  const fields = object(element, where);
  return { session: text(fields, 'session', where, 64), until: instantField(fields, 'until', where) };
}

/** With these added; what has expired goes, and beyond the bound what expires first. */
export function withEnded(
  known: readonly EndedSession[],
  more: readonly EndedSession[],
  now: EpochMs,
): readonly EndedSession[] {
  const all = new Map([...known, ...more].map((one) => [one.session, one] as const));
  return [...all.values()]
    .filter(({ until }) => until > now)
    .toSorted((a, b) => a.until - b.until)
    .slice(-mostEndedSessions);
}
