import { WallClock } from './wall-clock.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** What the configuration and the state say of working hours, as they write it. */
export interface HoursText {
  readonly timezone: string;
  readonly schedule: Readonly<Record<string, string>>;
  /** Other hours for single dates of the zone: `{"2026-12-24": "off"}`. */
  readonly dates: Readonly<Record<string, string>>;
  /** Dates that are off, unless `dates` says otherwise. */
  readonly holidays: readonly string[];
}

/**
 * Whether an instant lies in working hours. A range holds from the first time that the clock shows its beginning to the last
 * time that it shows its end, so a clock that is set back shortens no working day, and each edge happens once.
 */
export function isWorkingTime(hours: HoursText, at: number): boolean {
  const today = Date.parse(`${WallClock.of(hours.timezone).reading(at).slice(0, 10)}T00:00Z`);
  // A clock that is set back around midnight shows a date twice.
  return [today - day, today, today + day].some((date) => coversOn(hours, dateText(date), at));
}

function coversOn(hours: HoursText, date: string, at: number): boolean {
  const clock = WallClock.of(hours.timezone);
  return rangesOn(hours, date).some(
    ([from, to]) => clock.instantsOf(from).first <= at && at < clock.instantsOf(to).last,
  );
}

/** Beginning and end as the wall clock shows them. */
function rangesOn(hours: HoursText, date: string): readonly (readonly [string, string])[] {
  const text = hoursOn(hours, date);
  const midnight = `${dateText(Date.parse(`${date}T00:00Z`) + day)}T00:00`;
  if (text === 'off') return [];
  if (text === 'on') return [[`${date}T00:00`, midnight]];
  return text.split(',').map((range) => {
    const [from = '', to = ''] = range.trim().split('-');
    return [`${date}T${from}`, to === '00:00' ? midnight : `${date}T${to}`];
  });
}

function hoursOn({ schedule, dates, holidays }: HoursText, date: string): string {
  const weekday = weekdays[new Date(`${date}T00:00Z`).getUTCDay()]!;
  return dates[date] ?? (holidays.includes(date) ? 'off' : schedule[weekday]!);
}

/** When working hours next begin after the instant; undefined when they do not within four weeks. */
export function nextBeginning(hours: HoursText, after: number): number | undefined {
  const clock = WallClock.of(hours.timezone);
  const dates = Array.from({ length: 30 }, (_, index) => dateText(after + (index - 2) * day));
  const begins = dates.flatMap((date) => rangesOn(hours, date).map(([from]) => clock.instantsOf(from).first));
  const real = begins.filter((at) => at > after && isWorkingTime(hours, at) && !isWorkingTime(hours, at - 1));
  return real.length === 0 ? undefined : Math.min(...real);
}

function dateText(midnight: number): string {
  return new Date(midnight).toISOString().slice(0, 10);
}
