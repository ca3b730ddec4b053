import type { HolidayData } from '../../src/domain/holiday/holiday-data.ts';
import { holidaysOf } from '../../src/domain/holiday/holidays.ts';

/** Large companies and their holidays; the first is where the demo is at home. */
const countries = [
  'DE',
  'FR',
  'GB',
  'US',
  'PL',
  'IT',
  'ES',
  'AT',
  'BE',
  'JP',
  'KR',
  'IN',
  'BR',
  'CA',
  'AU',
  'MX',
  'ZA',
];

/** The whole dates of so many days before `now`, the oldest first, as the zone's calendar has them. */
export function datesBefore(now: number, zone: string, days: number): readonly Temporal.PlainDate[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  return Array.from({ length: Math.max(0, days - 1) }, (_, index) => today.subtract({ days: days - 1 - index }));
}

export function isWeekday(date: Temporal.PlainDate): boolean {
  return date.dayOfWeek <= 5;
}

/** Regions of which one had a holiday on a weekday of these dates, wherever in the year they are. */
export function regionsWithHoliday(data: HolidayData, dates: readonly Temporal.PlainDate[]): readonly string[] {
  const weekdays = new Set(dates.filter(isWeekday).map(String));
  const [from = '', to = ''] = [String(dates[0]), String(dates.at(-1))];
  const [home = '', ...others] = countries;
  const had = (region: string) => holidaysOf(data, [region], from, to).some(({ date }) => weekdays.has(date));
  if (had(home)) return [home];
  const other = others.find(had);
  return other === undefined ? [home] : [home, other];
}
