import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayPattern, formatDay, parseDay } from './parse-day.ts';

const times = 'write HH:MM with two digits each, from 00:00 to 23:59';
const ranges = 'write HH:MM-HH:MM, for example 08:00-20:00';

describe('parseDay reads', () => {
  const rows: Record<string, [text: string, ranges: [number, number][], written: string]> = {
    'the word on as the whole day': ['on', [[0, 1440]], 'on'],
    'the word off as no hours': ['off', [], 'off'],
    'one range': ['08:00-20:00', [[480, 1200]], '08:00-20:00'],
    'two ranges': [
      '08:00-12:00,13:00-20:00',
      [
        [480, 720],
        [780, 1200],
      ],
      '08:00-12:00,13:00-20:00',
    ],
    'ranges in any order, sorted': [
      '13:00-20:00,08:00-12:00',
      [
        [480, 720],
        [780, 1200],
      ],
      '08:00-12:00,13:00-20:00',
    ],
    'overlapping ranges as one': ['08:00-14:00,13:00-20:00', [[480, 1200]], '08:00-20:00'],
    'touching ranges as one': ['08:00-12:00,12:00-20:00', [[480, 1200]], '08:00-20:00'],
    'a range inside another as the outer one': ['08:00-20:00,09:00-10:00', [[480, 1200]], '08:00-20:00'],
    'the same range twice as one': ['08:00-20:00,08:00-20:00', [[480, 1200]], '08:00-20:00'],
    'an end of 00:00 as midnight at the end of the day': ['20:00-00:00', [[1200, 1440]], '20:00-00:00'],
    'midnight to midnight as the whole day': ['00:00-00:00', [[0, 1440]], 'on'],
    'two halves of the day as the whole day': ['12:00-00:00,00:00-12:00', [[0, 1440]], 'on'],
    'a start at midnight': ['00:00-06:00', [[0, 360]], '00:00-06:00'],
    'the last minute of a day': ['23:59-00:00', [[1439, 1440]], '23:59-00:00'],
    'the first minute of a day': ['00:00-00:01', [[0, 1]], '00:00-00:01'],
    'the latest time that can be written': ['00:00-23:59', [[0, 1439]], '00:00-23:59'],
  };
  it.each(Object.entries(rows))('%s', (_name, [text, expected, written]) => {
    const parsed = parseDay(text);
    expect(parsed).toEqual({ ok: true, day: { ranges: expected.map(([start, end]) => ({ start, end })) } });
    expect(parsed.ok && formatDay(parsed.day)).toBe(written);
    expect(text).toMatch(new RegExp(dayPattern));
  });
});

describe('parseDay refuses', () => {
  const rows: Record<string, [text: string, message: string]> = {
    'an hour of one digit': ['8:00-20:00', `"8:00" is not a time: ${times}`],
    'an hour above 23': ['08:00-25:00', `"25:00" is not a time: ${times}`],
    'a minute above 59': ['08:60-20:00', `"08:60" is not a time: ${times}`],
    'a minute of one digit': ['08:00-20:5', `"20:5" is not a time: ${times}`],
    'the hour 24': ['08:00-24:00', '"24:00" is not a time: write 00:00 for midnight at the end of the day'],
    'a time without minutes': ['08-20', `"08" is not a time: ${times}`],
    'a single time': ['08:00', `"08:00" is not a range: ${ranges}`],
    'three times in a range': ['08:00-12:00-20:00', `"08:00-12:00-20:00" is not a range: ${ranges}`],
    'an end before the start': [
      '20:00-06:00',
      '"20:00-06:00" is a range that ends before it starts: write 20:00-00:00 here and 00:00-06:00 on the next weekday',
    ],
    'an end at the start': [
      '08:00-08:00',
      '"08:00-08:00" is a range that ends where it starts: write on for the whole day or off for none',
    ],
    'an empty text': ['', '"" is not a day: write on, off, or ranges such as 08:00-12:00,13:00-20:00'],
    'a trailing comma': ['08:00-20:00,', `"" is not a range: ${ranges}`],
    'a space after the comma': ['08:00-12:00, 13:00-20:00', `" 13:00" is not a time: ${times}`],
    'a word among ranges': ['08:00-12:00,off', `"off" is not a range: ${ranges}`],
    'a word in capitals': ['ON', `"ON" is not a range: ${ranges}`],
    'digits that are not ASCII': ['٠٨:٠٠-٢٠:٠٠', `"٠٨:٠٠" is not a time: ${times}`],
    'a line break at the end': ['08:00-20:00\n', `"20:00\\n" is not a time: ${times}`],
  };
  it.each(Object.entries(rows))('%s', (_name, [text, message]) => {
    expect(parseDay(text)).toEqual({ ok: false, message });
  });
});

describe('parseDay, for any text', () => {
  const pad = (n: number) => String(n).padStart(2, '0');
  const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([h, m]) => `${pad(h)}:${pad(m)}`);
  const range = fc.tuple(time, time).map(([a, b]) => `${a}-${b}`);

  it('reads back what formatDay writes, sorted and apart', () => {
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 6 }), (parts) => {
        const parsed = parseDay(parts.join(','));
        if (!parsed.ok) return;
        for (const [index, { start, end }] of parsed.day.ranges.entries()) {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThan(parsed.day.ranges[index - 1]?.end ?? -1);
        }
        expect(parseDay(formatDay(parsed.day))).toEqual(parsed);
      }),
    );
  });

  it('never accepts what the pattern for schemas refuses', () => {
    const mutated = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...'0128:-,onf '), { maxLength: 14 }).map((c) => c.join('')),
    );
    fc.assert(
      fc.property(mutated, (text) => {
        if (parseDay(text).ok) expect(text).toMatch(new RegExp(dayPattern));
      }),
    );
  });
});
