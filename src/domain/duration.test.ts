import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, durationPattern, formatDuration, parseDuration } from './duration.ts';

describe('parseDuration reads', () => {
  const rows: Record<string, [text: string, ms: number]> = {
    seconds: ['30s', 30_000],
    minutes: ['5m', 300_000],
    hours: ['168h', 604_800_000],
    milliseconds: ['250ms', 250],
    'hours and minutes': ['1h30m', 5_400_000],
    'a fraction': ['1.5h', 5_400_000],
    'a fraction of a millisecond, rounded': ['0.6ms', 1],
    'minutes that are not mistaken for milliseconds': ['1m1ms', 60_001],
    'units in any order': ['1s1h', 3_601_000],
    zero: ['0s', 0],
  };
  it.each(Object.entries(rows))('%s', (_name, [text, ms]) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms });
    expect(text).toMatch(new RegExp(durationPattern));
  });
});

describe('parseDuration refuses', () => {
  const forms = 'a duration such as "30s", "5m" or "1h30m"';
  const rows: Record<string, [text: string, error: string]> = {
    'an empty text': ['', `is empty; write ${forms}`],
    'a number without a unit': ['30', '"30" has no unit; write "30s" for seconds'],
    'days, and says the hours': ['7d', '"7d" has the unknown unit "d"; use h, m, s or ms: "168h"'],
    'weeks, and says the hours': ['2w', '"2w" has the unknown unit "w"; use h, m, s or ms: "336h"'],
    'a unit in capitals': ['5M', '"5M" has the unknown unit "M"; use h, m, s or ms'],
    'a unit spelt out': ['5min', '"5min" has the unknown unit "min"; use h, m, s or ms'],
    'a negative duration': ['-5m', `"-5m" is not a duration; write ${forms}`],
    'a space': ['5 m', `"5 m" is not a duration; write ${forms}`],
    'a number at the end': ['5m30', `"5m30" is not a duration; write ${forms}`],
    'two points': ['1.2.3s', `"1.2.3s" is not a duration; write ${forms}`],
    words: ['soon', `"soon" is not a duration; write ${forms}`],
    'a line break at the end': ['5m\n', `"5m\\n" is not a duration; write ${forms}`],
    'a very long text': [`${'1h'.repeat(17)}`, `is longer than 32 characters; write ${forms}`],
    'more than can be counted': ['99999999999999h', '"99999999999999h" is too long'],
  };
  it.each(Object.entries(rows))('%s', (_name, [text, error]) => {
    expect(parseDuration(text)).toEqual({ ok: false, error });
  });
});

describe('durations', () => {
  it('written by formatDuration are read back exactly', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000_000), (ms) => {
        expect(durationMs(formatDuration(ms))).toBe(ms);
      }),
    );
  });

  it('are written shortest', () => {
    expect([0, 250, 90_000, 5_400_000, 604_800_000].map(formatDuration)).toEqual([
      '0s',
      '250ms',
      '1m30s',
      '1h30m',
      '168h',
    ]);
  });

  it('that were not validated throw their error', () => {
    expect(() => durationMs('7d')).toThrow('"7d" has the unknown unit "d"; use h, m, s or ms: "168h"');
  });

  it('are accepted only where the pattern for schemas accepts them', () => {
    const text = fc.array(fc.constantFrom(...'0159.hms '), { maxLength: 8 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, (t) => {
        expect(parseDuration(t).ok).toBe(new RegExp(durationPattern).test(t));
      }),
    );
  });
});
