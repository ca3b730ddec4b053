import type { EpochMs } from '../../ports/clock.ts';

export { timestamp } from '../../store/identifiers.ts';

/** Milliseconds since the epoch of a time in an object; undefined when it has none. */
export function instant(text: string | undefined): EpochMs | undefined {
  if (text === undefined) return undefined;
  let at = parsed.get(text);
  if (at === undefined) {
    if (parsed.size >= parsedLimit) parsed.clear();
    at = Date.parse(text);
    parsed.set(text, at);
  }
  return at;
}

// The same few texts are read again and again: a pod's times are parsed at each look at it.
const parsed = new Map<string, EpochMs>();
const parsedLimit = 2_000;

/** An instant on a whole second: the precision that times in objects have. */
export function wholeSecond(at: EpochMs): EpochMs {
  return Math.floor(at / 1000) * 1000;
}
