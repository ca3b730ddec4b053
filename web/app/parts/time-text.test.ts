import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockTime, counted, dateTime, instantOf, isoDate, localField, spanText } from './time-text.ts';

const winter = Date.UTC(2026, 0, 5, 19, 0);

describe('times', () => {
  it('are told by the clock of the zone', () => {
    expect(clockTime(winter, 'Europe/Berlin')).toBe('20:00');
    expect(clockTime(Date.UTC(2026, 0, 5, 23), 'Europe/Berlin')).toBe('00:00');
    expect(dateTime(winter, 'Asia/Tokyo')).toBe('Tue 6 Jan 2026, 04:00');
    expect(isoDate(winter, 'Asia/Tokyo')).toBe('2026-01-06');
  });

  const spans: [number, string][] = [
    [-5, '0 s'],
    [59_499, '59 s'],
    [60_000, '1 min 00 s'],
    [245_000, '4 min 05 s'],
    [7_380_000, '2 h 03 min'],
    [273_600_000, '3 d 4 h'],
  ];
  it.each(spans)('a span of %i ms is %s', (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });

  it('are counted with the right ending', () => {
    expect([counted(0, 'workload'), counted(1, 'workload'), counted(1234, 'workload')]).toEqual([
      '0 workloads',
      '1 workload',
      '1,234 workloads',
    ]);
  });
});

describe('a date and time typed into a form', () => {
  const rows: [string, string, string, string][] = [
    ['winter', '2026-01-05T20:00', 'Europe/Berlin', '2026-01-05T19:00:00.000Z'],
    ['summer', '2026-07-05T20:00', 'Europe/Berlin', '2026-07-05T18:00:00.000Z'],
    ['the evening before the clocks go forward', '2026-03-28T23:30', 'Europe/Berlin', '2026-03-28T22:30:00.000Z'],
    ['just after they did', '2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['a zone with a half hour', '2026-01-05T20:00', 'Asia/Kolkata', '2026-01-05T14:30:00.000Z'],
  ];
  it.each(rows)('%s', (_, local, zone, instant) => {
    expect(new Date(instantOf(local, zone)!).toISOString()).toBe(instant);
  });

  it('is nothing when it is no time', () => {
    expect(instantOf('', 'Europe/Berlin')).toBeUndefined();
    expect(instantOf('tomorrow', 'Europe/Berlin')).toBeUndefined();
  });

  it('comes back as it was written', () => {
    const minute = 60_000;
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2024, 0) / minute, max: Date.UTC(2030, 0) / minute }),
        fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'UTC'),
        (minutes, zone) => {
          const field = localField(minutes * minute, zone);
          expect(localField(instantOf(field, zone)!, zone)).toBe(field);
        },
      ),
    );
  });
});
