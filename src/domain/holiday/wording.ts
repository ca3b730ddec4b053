import type { Holiday } from './holiday-data.ts';

/** `New Year's Day (DE, DE-BY); Epiphany (DE-BY)`: each name with the regions that keep it. */
export function holidayText(holidays: readonly Pick<Holiday, 'name' | 'region'>[]): string {
  const byName = Map.groupBy(holidays, ({ name }) => name);
  return [...byName].map(([name, kept]) => `${name} (${kept.map(({ region }) => region).join(', ')})`).join('; ');
}

/** What a calendar adds to a day: nothing where the schedule acts on the holiday, since its label names it then. */
export function shownHoliday(day: {
  readonly source: string;
  readonly holidays: readonly Pick<Holiday, 'name' | 'region'>[];
}): string | undefined {
  return day.source === 'holiday' || day.holidays.length === 0 ? undefined : holidayText(day.holidays);
}
