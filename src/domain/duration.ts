// Durations as people write them in the configuration: `30s`, `5m`, `168h`, `1h30m`, `1.5h`, `250ms`.

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** The grammar as a regular expression that every engine reads alike (Helm's is RE2). */
export const durationPattern = '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$';

/** Longer texts are refused unread. */
export const durationMaxLength = 32;

export type ParsedDuration =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly error: string };

const forms = 'a duration such as "30s", "5m" or "1h30m"';

export function parseDuration(text: string): ParsedDuration {
  if (text === '') return refused(`is empty; write ${forms}`);
  if (text.length > durationMaxLength) return refused(`is longer than ${durationMaxLength} characters; write ${forms}`);
  const shown = JSON.stringify(text);
  if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return refused(`${shown} has no unit; write "${text}s" for seconds`);
  const unknownUnit = firstUnknownUnit(text);
  if (unknownUnit !== undefined) return refused(unknownUnitMessage(text, unknownUnit));
  if (!new RegExp(durationPattern).test(text)) return refused(`${shown} is not a duration; write ${forms}`);

  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/([0-9.]+)([a-z]+)/g)) ms += Number(amount) * unitMs[unit!]!;
  if (ms > Number.MAX_SAFE_INTEGER) return refused(`${shown} is too long`);
  return { ok: true, ms: Math.round(ms) };
}

/** Milliseconds of a duration that was validated before; throws on any other text. */
export function durationMs(text: string): number {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new RangeError(parsed.error);
  return parsed.ms;
}

/** The shortest text that parses to the same milliseconds: `90m` is `1h30m`. */
export function formatDuration(ms: number): string {
  let left = Math.max(0, Math.round(ms));
  let text = '';
  for (const [unit, size] of Object.entries(unitMs)) {
    const amount = Math.floor(left / size);
    if (amount > 0) text += `${amount}${unit}`;
    left -= amount * size;
  }
  return text === '' ? '0s' : text;
}

function refused(error: string): ParsedDuration {
  return { ok: false, error };
}

function firstUnknownUnit(text: string): string | undefined {
  for (const [, unit] of text.matchAll(/[0-9]([A-Za-zµ]+)/g)) {
    if (!Object.hasOwn(unitMs, unit!)) return unit;
  }
  return undefined;
}

function unknownUnitMessage(text: string, unit: string): string {
  const days = /^([0-9]{1,5})(d|w)$/.exec(text);
  const hours = days === null ? undefined : Number(days[1]) * (days[2] === 'd' ? 24 : 168);
  const advice = hours === undefined ? 'use h, m, s or ms' : `use h, m, s or ms: "${hours}h"`;
  return `${JSON.stringify(text)} has the unknown unit "${unit}"; ${advice}`;
}
