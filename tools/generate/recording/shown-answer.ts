const shownText = 160;
const shownLines = 12;
/** A number beyond this one is a time in milliseconds. */
const firstMs = 1_000_000_000_000;

/**
 * An answer as a reference shows it: secrets and random names as words, times to the minute, and of a long list its
 * beginning. What is left is the same at every run.
 */
export function shownAnswer(body: string): string {
  const json = jsonOf(body);
  if (json !== undefined) return JSON.stringify(shown('', json), undefined, 2);
  const lines = toTheMinute(body).trimEnd().split(/\r?\n/);
  return lines.length <= shownLines ? lines.join('\n') : [...lines.slice(0, shownLines), '…'].join('\n');
}

/** Undefined for what is no JSON: a table for a spreadsheet, a calendar. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function shown(key: string, value: unknown): unknown {
  if (typeof value === 'string') return shownWord(key, value);
  if (Array.isArray(value)) {
    const kept = value.slice(0, typeof value[0] === 'object' ? 1 : 3).map((entry) => shown(key, entry));
    const more = value.length - kept.length;
    return more === 0 ? kept : [...kept, `… ${more} more`];
  }
  // How much room a state takes says nothing here, and every change of a key would change it.
  if (key === 'bytes') return '<bytes>';
  if (typeof value === 'number' && value > firstMs) return value - (value % 60_000);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(name, inner)]));
}

const words: Readonly<Record<string, string>> = {
  token: '<access token>',
  refreshToken: '<refresh token>',
  challenge: '<challenge>',
  id: '<id>',
  challengeId: '<challenge id>',
};

function shownWord(key: string, text: string): string {
  const word = words[key];
  if (word !== undefined && (key !== 'id' || text.length > 12)) return word;
  const timed = toTheMinute(text);
  return timed.length > shownText ? `${timed.slice(0, shownText)}…` : timed;
}

/** Seconds tell how fast the machine was; nobody reads a reference for them. */
export function toTheMinute(text: string): string {
  return text.replace(/(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z/g, '$1:00Z');
}
