import type { EpochMs } from '../ports/clock.ts';
import { zoneOffsets } from './machinery/zone-offsets.ts';

/** The minutes at which a CronJob runs. */
export interface CronSchedule {
  /** The first run after the instant; undefined when there is none within five years. */
  next(after: EpochMs): EpochMs | undefined;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: months },
  { name: 'day of week', least: 0, most: 7, words: weekdays },
];

const named: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const minute = 60_000;
const day = 1440 * minute;
const horizon = 5 * 366 * day;

interface Matcher {
  readonly minutes: readonly boolean[];
  readonly hours: readonly boolean[];
  readonly matchesDay: (date: Date) => boolean;
}

/** Five fields, the names such as `@hourly`, or `@every 1h30m`; throws with what is wrong with the text. */
export function parseCron(text: string, timeZone = 'UTC'): CronSchedule {
  const every = /^@every (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text.trim());
  if (every !== null) return everySpan(text, every);
  const parts = (named[text.trim()] ?? text.trim()).split(/\s+/);
  if (parts.length !== fields.length) {
    throw new Error(`schedule "${text}" has ${parts.length} fields; it needs five, such as 30 2 * * 1-5.`);
  }
  const allowed = fields.map((field, index) => parseField(parts[index]!, field, text));
  const matcher: Matcher = {
    minutes: allowed[0]!,
    hours: allowed[1]!,
    matchesDay: dayMatcher(allowed, isStar(parts[2]!), isStar(parts[4]!)),
  };
  const offsets = zoneOffsets(timeZone);
  return { next: (after) => nextMatch(matcher, offsets, after) };
}

function isStar(part: string): boolean {
  return part.startsWith('*') || part === '?';
}

function everySpan(text: string, match: RegExpExecArray): CronSchedule {
  const [hours, minutes, seconds] = [1, 2, 3].map((group) => Number(match[group] ?? 0));
  const span = (hours! * 3600 + minutes! * 60 + seconds!) * 1000;
  if (span === 0) throw new Error(`schedule "${text}" needs a span such as @every 1h30m.`);
  return { next: (after) => Math.floor(after / 1000) * 1000 + span };
}

function parseField(part: string, field: Field, text: string): boolean[] {
  const allowed: boolean[] = new Array(field.most + 1).fill(false);
  for (const item of part.split(',')) {
    const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d+))?$/i.exec(item);
    const range = match === null ? undefined : rangeOf(match, field);
    if (range === undefined) {
      throw new Error(
        `schedule "${text}": "${item}" is not a ${field.name}; allowed is ${field.least} to ${field.most}.`,
      );
    }
    for (let value = range.from; value <= range.to; value += range.step) allowed[value] = true;
  }
  // Sunday has two numbers.
  if (field.name === 'day of week' && allowed[7] === true) allowed[0] = true;
  return allowed;
}

function rangeOf(match: RegExpExecArray, field: Field) {
  const [, low, high, by] = match;
  const step = by === undefined ? 1 : Number(by);
  const star = low === '*' || low === '?';
  const from = star ? field.least : numberOf(low!, field);
  const open = star || by !== undefined;
  const to = high !== undefined ? numberOf(high, field) : open ? field.most : from;
  if (step < 1 || from < field.least || to > field.most || Number.isNaN(from) || !(to >= from)) return undefined;
  return { from, to, step };
}

function numberOf(text: string, field: Field): number {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1;
  if (word >= 0) return word + field.least;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** When both days are restricted, either is enough. */
function dayMatcher(allowed: readonly boolean[][], anyDate: boolean, anyWeekday: boolean): (date: Date) => boolean {
  const [, , dates, monthsAllowed, days] = allowed;
  return (date) => {
    if (monthsAllowed![date.getUTCMonth() + 1] !== true) return false;
    const byDate = dates![date.getUTCDate()] === true;
    const byWeekday = days![date.getUTCDay()] === true;
    return anyDate || anyWeekday ? byDate && byWeekday : byDate || byWeekday;
  };
}

/** Looks at local minutes in spans of one offset: a minute that the clock skips never comes, one it repeats comes twice. */
function nextMatch(matcher: Matcher, offsets: ReturnType<typeof zoneOffsets>, after: EpochMs): EpochMs | undefined {
  let at = Math.floor(after / minute) * minute + minute;
  const limit = after + horizon;
  while (at < limit) {
    const { offset, until } = offsets.at(at);
    const local = nextLocal(matcher, at + offset, Math.min(until, limit) + offset);
    if (local !== undefined) return local - offset;
    at = until;
  }
  return undefined;
}

function nextLocal(matcher: Matcher, from: number, until: number): number | undefined {
  let at = from;
  while (at < until) {
    const dayStart = Math.floor(at / day) * day;
    const found = matcher.matchesDay(new Date(dayStart)) ? nextInDay(matcher, (at - dayStart) / minute) : undefined;
    if (found !== undefined) {
      const match = dayStart + found * minute;
      return match < until ? match : undefined;
    }
    at = dayStart + day;
  }
  return undefined;
}

function nextInDay(matcher: Matcher, fromMinute: number): number | undefined {
  for (let hour = Math.floor(fromMinute / 60); hour < 24; hour++) {
    if (matcher.hours[hour] !== true) continue;
    for (let inHour = Math.max(0, fromMinute - hour * 60); inHour < 60; inHour++) {
      if (matcher.minutes[inHour] === true) return hour * 60 + inHour;
    }
  }
  return undefined;
}
