import type { Schedule } from '../data/queries.ts';

type Day = Schedule['plan']['days'][number];

export interface Cell {
  readonly day: Day;
  /** 1 is Monday. */
  readonly column: number;
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Days laid out under their weekdays, by month. */
export function months(days: readonly Day[]): readonly { readonly title: string; readonly cells: readonly Cell[] }[] {
  const groups = Map.groupBy(days, ({ date }) => date.slice(0, 7));
  return [...groups].map(([month, group]) => ({
    title: monthTitle(month),
    cells: group.map((day) => ({ day, column: weekdays.indexOf(day.weekday as (typeof weekdays)[number]) + 1 })),
  }));
}

export const weekdayHeads = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

function monthTitle(month: string): string {
  const name = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-15T00:00:00Z`),
  );
  return `${name} ${month.slice(0, 4)}`;
}

/** `08–20`, `all day`, `off`: what fits a cell. */
export function shortHours(hours: string): string {
  if (hours === 'on') return 'all day';
  if (hours === 'off') return 'off';
  return hours
    .split(',')
    .map((range) => range.replaceAll(':00', '').replace('-', '–'))
    .join(', ');
}
