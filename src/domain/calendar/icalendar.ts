import type { EpochMs } from '../workload.ts';

/** One entry of a calendar: a stretch of time, or a whole date. */
export interface CalendarEvent {
  /** The same for the same entry whenever the calendar is read, and no other's. */
  readonly uid: string;
  readonly summary: string;
  readonly description?: string;
  readonly when: { readonly from: EpochMs; readonly to: EpochMs } | { readonly date: string };
}

export interface Calendar {
  readonly name: string;
  /** Times are written in UTC; programs may show them by this clock. */
  readonly timezone: string;
  readonly writtenAt: EpochMs;
  readonly events: readonly CalendarEvent[];
}

const longestLine = 75;

/** A calendar as RFC 5545 has it: lines that end in CRLF and are folded after 75 octets. */
export function icalendar({ name, timezone, writtenAt, events }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//svc//Cluster Hibernation Service//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${textOf(name)}`,
    `X-WR-CALNAME:${textOf(name)}`,
    `X-WR-TIMEZONE:${textOf(timezone)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap((event) => eventLines(event, writtenAt)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines({ uid, summary, description, when }: CalendarEvent, writtenAt: EpochMs): readonly string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${textOf(uid)}`,
    `DTSTAMP:${utc(writtenAt)}`,
    ...('date' in when
      ? [`DTSTART;VALUE=DATE:${when.date.replaceAll('-', '')}`]
      : [`DTSTART:${utc(when.from)}`, `DTEND:${utc(when.to)}`]),
    `SUMMARY:${textOf(summary)}`,
    ...(description === undefined ? [] : [`DESCRIPTION:${textOf(description)}`]),
    // What a cluster does takes nobody's time.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** `20261224T183000Z`. */
function utc(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** A reason that somebody typed must not become a line of its own. */
function textOf(text: string): string {
  return text
    .replaceAll(/\r\n?|[\n\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n');
}

/** Folded between characters, counted in octets: a line goes on in the next when that begins with a space. */
function folded(line: string): string {
  const parts: string[] = [];
  let [part, octets] = ['', 0];
  for (const character of line) {
    const length = octetsOf(character);
    if (octets + length > longestLine) {
      parts.push(part);
      [part, octets] = [' ', 1];
    }
    part += character;
    octets += length;
  }
  return [...parts, part].join('\r\n');
}

function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
