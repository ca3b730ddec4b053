import { loadHolidayData } from '../../../src/domain/holiday/holidays.ts';

/** A day of the coming week, and a region that has a holiday then. */
export interface HolidayAhead {
  readonly date: string;
  readonly region: string;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export const weekdayOf = (date: string) => weekdays[Temporal.PlainDate.from(date).dayOfWeek - 1]!;

/** Two days of the coming week, the earlier one first, each with a region that has a holiday on it and none on the other. */
export async function holidaysAhead(today: string): Promise<readonly [HolidayAhead, HolidayAhead]> {
  const data = await loadHolidayData();
  const days = [1, 2, 3, 4, 5, 6].map((count) => Temporal.PlainDate.from(today).add({ days: count }).toString());
  const datesOf = new Map(
    data.regions.map((region) => [region, new Set(data.holidays(region)?.map(({ date }) => date))]),
  );
  const regionWith = (date: string, without: string) =>
    [...datesOf].find(([, dates]) => dates.has(date) && !dates.has(without))?.[0];
  for (const [index, first] of days.entries()) {
    for (const second of days.slice(index + 1)) {
      const [one, other] = [regionWith(first, second), regionWith(second, first)];
      if (one !== undefined && other !== undefined) {
        return [
          { date: first, region: one },
          { date: second, region: other },
        ];
      }
    }
  }
  throw new Error(`No two days of the week after ${today} are holidays somewhere.`);
}
