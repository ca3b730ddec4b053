import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastRefreshAt, nextRefreshAt, retryDelayMs } from './refresh.ts';

const at = (text: string) => Date.parse(text);

describe('the daily refresh', () => {
  const rows: Record<string, [string, string, string]> = {
    'a minute before: yesterday was the last': ['2026-03-10T05:49:59Z', '2026-03-09T05:50:00Z', '2026-03-10T05:50:00Z'],
    'at the minute itself: it is due': ['2026-03-10T05:50:00Z', '2026-03-10T05:50:00Z', '2026-03-11T05:50:00Z'],
    'late in the day: tomorrow is the next': ['2026-03-10T23:59:59Z', '2026-03-10T05:50:00Z', '2026-03-11T05:50:00Z'],
  };
  for (const [sentence, [now, last, next]] of Object.entries(rows)) {
    it(sentence, () => {
      expect(lastRefreshAt(at(now), '05:50')).toBe(at(last));
      expect(nextRefreshAt(at(now), '05:50')).toBe(at(next));
    });
  }

  it('is never more than a day away in either direction', () => {
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), time, (now, text) => {
        const last = lastRefreshAt(now, text);
        const next = nextRefreshAt(now, text);
        return (
          last <= now && now < next && next - last === 86_400_000 && new Date(next).toISOString().slice(11, 16) === text
        );
      }),
    );
  });

  it('refuses anything but HH:MM', () => {
    expect(() => lastRefreshAt(0, '5:50')).toThrow('"5:50" is not a time of day such as 05:50');
  });

  it('waits longer after each failure, up to three hours', () => {
    expect([1, 2, 3, 4, 9].map((failures) => retryDelayMs(failures) / 60_000)).toEqual([5, 15, 60, 180, 180]);
  });
});
