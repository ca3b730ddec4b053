/** A calendar date as the number of days since 1970-01-01, in no zone. */
export type DayNumber = number;

export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

export const weekdays: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];

const msPerDay = 86_400_000;

/** Reads `YYYY-MM-DD`; undefined for anything else, also for a date that no calendar has. */
export function parseDate(text: string): DayNumber | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8))) / msPerDay;
  return formatDate(day) === text ? day : undefined;
}

export function formatDate(day: DayNumber): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10);
}

export function weekdayOf(day: DayNumber): Weekday {
  // 1970-01-01 was a thursday; the double remainder keeps days before it positive.
  return weekdays[(((day + 3) % 7) + 7) % 7] as Weekday;
}
