import type { HolidayOff } from '../schedule/week.ts';
import type { Holiday, HolidayData } from './holiday-data.ts';
import { daysOff, holidayProblems, holidaysOf } from './holidays.ts';

/** `config.holidays`. */
export interface HolidaySettings {
  readonly regions: readonly string[];
  readonly act: boolean;
}

/** The holidays of a configuration: those that the calendar shows, and those that the schedule acts on. */
export interface RegionalHolidays {
  /** By name and region, on a date `YYYY-MM-DD`; acted on or not. */
  on(date: string): readonly Holiday[];
  /** Days off: none unless the configuration says to act on holidays. */
  readonly off: readonly HolidayOff[];
  /** A sentence for each region that does not exist. */
  readonly problems: readonly string[];
}

const none: readonly never[] = Object.freeze([]);

export const noHolidays: RegionalHolidays = { on: () => none, off: none, problems: none };

export function regionalHolidays({ regions, act }: HolidaySettings, data: HolidayData): RegionalHolidays {
  const all = holidaysOf(data, regions, '0000-01-01', '9999-12-31');
  const byDate = Map.groupBy(all, ({ date }) => date);
  return {
    on: (date) => byDate.get(date) ?? none,
    off: act ? daysOff(all) : none,
    problems: holidayProblems(data, regions),
  };
}
