import type { HolidayOff } from '../schedule/week.ts';
import { type Holiday, type HolidayData, readHolidayData } from './holiday-data.ts';
import { holidayText } from './wording.ts';

let loading: Promise<HolidayData> | undefined;

/** The data is a file of its own, loaded when somebody has configured a region. */
export function loadHolidayData(): Promise<HolidayData> {
  loading ??= import('./holidays.gen.ts').then(({ holidayText }) => readHolidayData(holidayText));
  return loading;
}

/** Public holidays of the regions from one date to another, both included. A region that does not exist has none. */
export function holidaysOf(
  data: HolidayData,
  regions: readonly string[],
  from: string,
  to: string,
): readonly Holiday[] {
  return [...new Set(regions)]
    .flatMap((region) => data.holidays(region) ?? [])
    .filter(({ date }) => date >= from && date <= to)
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** Days off, for the schedule: one a date, labelled with its names and where they are kept. */
export function daysOff(holidays: readonly Holiday[]): readonly HolidayOff[] {
  const byDate = Map.groupBy(holidays, ({ date }) => date);
  return [...byDate].map(([date, all]) => ({ date, label: holidayText(all) }));
}

/** One sentence for each configured region that does not exist, with what would be right. */
export function holidayProblems(data: HolidayData, regions: readonly string[]): readonly string[] {
  const known = new Set(data.regions);
  return regions.flatMap((region, index) => (known.has(region) ? [] : [problem(region, index, data.regions)]));
}

function problem(region: string, index: number, regions: readonly string[]): string {
  const where = `config.holidays.regions[${index}]: there are no holidays for ${JSON.stringify(region)}`;
  const [country = ''] = region.split('-');
  const siblings = regions.filter((code) => code === country || code.startsWith(`${country}-`));
  if (siblings.length === 0) return `${where}; ${country} is not a country with known holidays`;
  return `${where}; ${country} has ${siblings.join(', ')}`;
}
