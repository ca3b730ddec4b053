/** Minutes after midnight on the wall clock; `end` is exclusive and 1440 is midnight at the end of the day. */
interface MinuteRange {
  readonly start: number;
  readonly end: number;
}

/** The working hours of one day: sorted ranges that neither overlap nor touch. None is `off`, 0 to 1440 is `on`. */
export interface DaySchedule {
  readonly ranges: readonly MinuteRange[];
}

export type ParsedDay = { readonly ok: true; readonly day: DaySchedule } | Refusal;
type Refusal = { readonly ok: false; readonly message: string };

export const minutesPerDay = 1440;
const dayOn: DaySchedule = { ranges: [{ start: 0, end: minutesPerDay }] };
export const dayOff: DaySchedule = { ranges: [] };

/**
 * What `parseDay` accepts but for the order of the two times of a range, as a pattern that Go's RE2 and JavaScript read
 * alike, for JSON schemas.
 */
export const dayPattern =
  '^(on|off|([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9](,([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])*)$';

/** Reads `on`, `off` or comma-separated `HH:MM-HH:MM` ranges, in any order; overlapping and touching ranges become one. */
export function parseDay(text: string): ParsedDay {
  if (text === 'on') return { ok: true, day: dayOn };
  if (text === 'off') return { ok: true, day: dayOff };
  if (text === '') return refuse(text, 'not a day: write on, off, or ranges such as 08:00-12:00,13:00-20:00');
  const ranges: MinuteRange[] = [];
  for (const part of text.split(',')) {
    const range = parseRange(part);
    if ('ok' in range) return range;
    ranges.push(range);
  }
  return { ok: true, day: { ranges: mergeRanges(ranges) } };
}

/** The shortest text that `parseDay` reads back as the same day. */
export function formatDay(day: DaySchedule): string {
  const [first] = day.ranges;
  if (first === undefined) return 'off';
  if (first.start === 0 && first.end === minutesPerDay) return 'on';
  return day.ranges.map((range) => `${formatMinute(range.start)}-${formatMinute(range.end)}`).join(',');
}

/** `HH:MM`; midnight at the end of a day is `00:00`. */
export function formatMinute(minute: number): string {
  const inDay = minute % minutesPerDay;
  const hour = Math.floor(inDay / 60);
  return `${String(hour).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`;
}

function parseRange(text: string): MinuteRange | Refusal {
  const times = text.split('-');
  const [startText, endText] = times;
  if (times.length !== 2 || startText === undefined || endText === undefined) {
    return refuse(text, 'not a range: write HH:MM-HH:MM, for example 08:00-20:00');
  }
  const start = parseTime(startText);
  if (typeof start !== 'number') return start;
  const endOfDay = endText === '00:00';
  const end = endOfDay ? minutesPerDay : parseTime(endText);
  if (typeof end !== 'number') return end;
  if (end === start)
    return refuse(text, 'a range that ends where it starts: write on for the whole day or off for none');
  if (end < start) {
    const tonight = `${startText}-00:00`;
    return refuse(
      text,
      `a range that ends before it starts: write ${tonight} here and 00:00-${endText} on the next weekday`,
    );
  }
  return { start, end };
}

function parseTime(text: string): number | Refusal {
  if (text === '24:00') return refuse(text, 'not a time: write 00:00 for midnight at the end of the day');
  if (!/^([01][0-9]|2[0-3]):[0-5][0-9]$/.test(text)) {
    return refuse(text, 'not a time: write HH:MM with two digits each, from 00:00 to 23:59');
  }
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

function mergeRanges(ranges: readonly MinuteRange[]): readonly MinuteRange[] {
  const merged: { start: number; end: number }[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

function refuse(text: string, why: string): Refusal {
  return { ok: false, message: `${JSON.stringify(text)} is ${why}` };
}
