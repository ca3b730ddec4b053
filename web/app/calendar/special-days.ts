import type { Schedule } from '../data/queries.ts';

type Day = Schedule['plan']['days'][number];

export interface SpecialDay {
  readonly date: string;
  readonly weekday: string;
  readonly hours: string;
  /** Holidays by name and region, other hours with their reason, clocks that change. */
  readonly what: readonly string[];
  /** Nothing but its holiday is special, and the hours are those of its weekday. */
  readonly onlyShown: boolean;
}

/** The coming dates that are not like their weekday, each with every reason. */
export function specialDays(days: readonly Day[]): readonly SpecialDay[] {
  return days.flatMap((day) => {
    const what = [
      ...(day.source === 'override' ? [`Other hours: ${day.label}`] : []),
      ...day.holidays.map(({ name, region }) => `${name} (${region})`),
      ...(day.clockChange === undefined ? [] : [day.clockChange.text]),
    ];
    const { date, weekday, hours } = day;
    return what.length === 0 ? [] : [{ date, weekday, hours, what, onlyShown: day.source === 'schedule' }];
  });
}
