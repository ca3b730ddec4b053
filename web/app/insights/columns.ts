import type { CostReport } from '../../../src/domain/cost/report.ts';
import type { InsightsReport } from '../../../src/domain/insight/report.ts';

/** A day or a week of a measure: what came of it beside what was planned, or what was billed beside what is estimated. */
export interface Column {
  /** The day, or the monday of the week. */
  readonly date: string;
  readonly values: readonly [number, number];
}

export type MeasureName = 'asleep' | 'cores' | 'money' | 'energy' | 'co2e';

export interface Measure {
  readonly name: MeasureName;
  readonly title: string;
  readonly unit: string;
  /** What the two values are. */
  readonly series: readonly [string, string];
  readonly days: readonly Column[];
}

/** Everything there are figures for. */
export function measuresOf(
  insights: Pick<InsightsReport, 'days'> | undefined,
  costs: Pick<CostReport, 'currency' | 'days'> | undefined,
): readonly Measure[] {
  const days = insights?.days ?? [];
  const both = ['Actual', 'Planned'] as const;
  const measure = (
    name: MeasureName,
    title: string,
    unit: string,
    of: (day: InsightsReport['days'][number]) => readonly [number, number],
  ): Measure => ({ name, title, unit, series: both, days: days.map((day) => ({ date: day.date, values: of(day) })) });
  const saved = (costs?.days ?? []).map(({ date, billed, savedEstimate }) => ({
    date,
    values: [billed, savedEstimate ?? 0] as const,
  }));
  return [
    measure('asleep', 'Hours asleep', 'h', (day) => [day.asleepHours, day.plannedAsleepHours]),
    measure('cores', 'Core-hours saved', 'core-hours', ({ saved: is, planned }) => [is.coreHours, planned.coreHours]),
    { name: 'money', title: 'Money', unit: costs?.currency ?? '', series: ['Billed', 'Saved (estimate)'], days: saved },
    measure('energy', 'Energy saved', 'kWh', ({ saved: is, planned }) => [is.energyKWh, planned.energyKWh]),
    measure('co2e', 'CO2e avoided', 'kg', ({ saved: is, planned }) => [is.co2eGrams / 1000, planned.co2eGrams / 1000]),
  ];
}

/** By the monday they belong to; a week is the sum of its days, however many are known. */
export function byWeek(days: readonly Column[]): readonly Column[] {
  const weeks = new Map<string, readonly [number, number]>();
  for (const { date, values } of days) {
    const monday = mondayOf(date);
    const [first, second] = weeks.get(monday) ?? [0, 0];
    weeks.set(monday, [first + values[0], second + values[1]]);
  }
  return [...weeks].map(([date, values]) => ({ date, values }));
}

const dayMs = 86_400_000;

function mondayOf(date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * dayMs).toISOString().slice(0, 10);
}

/** `Tue 3 Nov` */
export function dayText(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(Date.parse(`${date}T00:00:00Z`))
    .replace(',', '');
}

/** `3 Nov` */
export function shortDay(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(`${date}T00:00:00Z`),
  );
}
