import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CalendarEvent, icalendar } from './icalendar.ts';

const at = Date.UTC(2026, 11, 23, 19);
const written = (...events: CalendarEvent[]) =>
  icalendar({ name: 'demo', timezone: 'Europe/Berlin', writtenAt: at, events });
const asleep: CalendarEvent = {
  uid: 'asleep-1@demo',
  summary: 'demo hibernated',
  description: 'Outside working hours',
  when: { from: at, to: at + 13 * 3_600_000 },
};
/** As a program reads it: folded lines joined. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

describe('a calendar', () => {
  it('is written as RFC 5545 has it, in UTC', () => {
    expect(linesOf(written(asleep, { uid: 'h', summary: 'Christmas', when: { date: '2026-12-25' } }))).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//svc//Cluster Hibernation Service//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'NAME:demo',
      'X-WR-CALNAME:demo',
      'X-WR-TIMEZONE:Europe/Berlin',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'X-PUBLISHED-TTL:PT1H',
      'BEGIN:VEVENT',
      'UID:asleep-1@demo',
      'DTSTAMP:20261223T190000Z',
      'DTSTART:20261223T190000Z',
      'DTEND:20261224T080000Z',
      'SUMMARY:demo hibernated',
      'DESCRIPTION:Outside working hours',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:h',
      'DTSTAMP:20261223T190000Z',
      'DTSTART;VALUE=DATE:20261225',
      'SUMMARY:Christmas',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('lets no text become a line: separators are escaped, control characters go', () => {
    const text = written({ ...asleep, summary: 'a;b,c\\d\r\nEND:VCALENDAR\u0000\u2028x' });
    expect(linesOf(text)).toContain('SUMMARY:a\\;b\\,c\\\\d\\nEND:VCALENDAR\\nx');
    expect(linesOf(text).filter((line) => line === 'END:VCALENDAR')).toHaveLength(1);
  });

  it('has no line of more than 75 octets, and loses no character in folding', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (summary) => {
        const clean = summary.replaceAll(/[\p{Cc}\u2028\u2029\\;,]/gu, '');
        const text = written({ ...asleep, summary: clean });
        expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
        expect(linesOf(text)).toContain(`SUMMARY:${clean}`);
      }),
    );
  });
});
