import { shownHoliday } from '../../../src/domain/holiday/wording.ts';
import { endOf } from '../data/ends.ts';
import type { AuditEntry, Schedule } from '../data/queries.ts';
import { clockTime, dateText, isoDate } from '../parts/time-text.ts';

type Plan = Schedule['plan'];
type Band = NonNullable<Schedule['forecast']>[number];

/** A stretch of one day, as shares of that day from its beginning, so that a day of 23 or 25 hours fits too. */
export interface Piece {
  readonly start: number;
  readonly width: number;
  readonly awake: boolean;
  readonly kind: 'planned' | 'actual' | 'stand-down';
  readonly source: Band['source'];
  readonly text: string;
}

export interface WeekDay {
  readonly date: string;
  readonly title: string;
  readonly hours: string;
  readonly label: string;
  readonly source: Plan['days'][number]['source'];
  /** Public holidays that the schedule does not act on. */
  readonly holiday?: string;
  readonly clockChange?: { readonly text: string; readonly at: number };
  readonly pieces: readonly Piece[];
  /** Where now is, if it is on this day. */
  readonly now?: number;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly awake: boolean;
  readonly kind: Piece['kind'];
  readonly source: Piece['source'];
  readonly label: string;
}

/** What will be, day by day; before now, what was. */
export function weekDays(
  { plan, forecast = plan.bands }: Pick<Schedule, 'plan' | 'forecast'>,
  actual: readonly Stretch[],
  now: number,
): readonly WeekDay[] {
  const planned = forecast.map(
    (band): Stretch => ({
      from: Date.parse(band.from),
      to: Date.parse(band.to),
      awake: band.awake,
      kind: band.source === 'stop' ? 'stand-down' : 'planned',
      source: band.source,
      label: band.label,
    }),
  );
  return plan.days.map((day) => {
    const from = Date.parse(day.from);
    const to = Date.parse(day.to);
    const holiday = shownHoliday(day);
    return {
      date: day.date,
      title: dateText(from, plan.timezone),
      hours: day.hours,
      label: day.label,
      source: day.source,
      ...(holiday === undefined ? {} : { holiday }),
      ...(day.clockChange === undefined
        ? {}
        : { clockChange: { text: day.clockChange.text, at: share(Date.parse(day.clockChange.at), from, to) } }),
      pieces: [...actual, ...planned].flatMap((stretch) => cut(stretch, from, to, plan.timezone)),
      ...(now >= from && now < to ? { now: share(now, from, to) } : {}),
    };
  });
}

/** What has been, from the audit log: one who asks about last night should see last night. */
export function pastDays(actual: readonly Stretch[], now: number, days: number, zone: string): readonly WeekDay[] {
  const result: WeekDay[] = [];
  for (let back = days; back >= 1; back -= 1) {
    const date = isoDate(now - back * 86_400_000, zone);
    const from = dayStart(date, zone);
    const to = dayStart(isoDate(from + 36 * 3_600_000, zone), zone);
    result.push({
      date,
      title: dateText(from + 3_600_000, zone),
      hours: '',
      label: '',
      source: 'schedule',
      pieces: actual.flatMap((stretch) => cut(stretch, from, to, zone)),
    });
  }
  return result;
}

/** Stretches between the ends of wakes and hibernations of the whole cluster. Before the first of them nothing is known, so nothing is drawn. */
export function actualStretches(entries: readonly AuditEntry[], now: number): readonly Stretch[] {
  const inOrder = entries
    .map((entry) => ({ entry, at: Date.parse(entry.at) - (entry.durationMs ?? 0) }))
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at);
  const stretches: Stretch[] = [];
  const changes = inOrder.filter(({ entry }) => endOf(entry) === 'whole');
  changes.forEach(({ entry, at }, index) => {
    const awake = entry.kind.startsWith('wake');
    const to = changes[index + 1]?.at ?? now;
    stretches.push({
      from: at,
      to,
      awake,
      kind: 'actual',
      source: 'schedule',
      label: `${entry.title}, ${entry.actor}`,
    });
  });
  for (const { entry, at } of inOrder) {
    if (entry.kind !== 'stand-down') continue;
    const end = inOrder.find((other) => other.entry.kind === 'stand-down-ended' && other.at >= at)?.at ?? now;
    stretches.push({
      from: at,
      to: end,
      awake: true,
      kind: 'stand-down',
      source: 'schedule',
      label: `Stood down by ${entry.actor}`,
    });
  }
  return stretches;
}

function cut(stretch: Stretch, from: number, to: number, zone: string): readonly Piece[] {
  const start = Math.max(stretch.from, from);
  const end = Math.min(stretch.to, to);
  if (end <= start) return [];
  const { awake, kind, source, label } = stretch;
  const word = wordOf(stretch);
  const was = kind === 'actual' ? ' (actual)' : '';
  const text = `${word}${was} ${clockTime(start, zone)}–${end === to ? '24:00' : clockTime(end, zone)} (${zone}): ${label}`;
  return [
    { start: share(start, from, to), width: share(end, from, to) - share(start, from, to), awake, kind, source, text },
  ];
}

function wordOf({ kind, source, awake }: Stretch): string {
  // Whether a stand-down or the license, nobody knows yet when a stop ends.
  if (source === 'stop') return 'Nothing is scaled';
  if (kind === 'stand-down') return 'Stood down';
  return awake ? 'Awake' : 'Asleep';
}

/** What is not the calendar's doing, and so not said by a day's hours. */
export function exceptions({ pieces }: Pick<WeekDay, 'pieces'>): readonly string[] {
  return pieces.filter(({ source }) => ['act', 'cluster', 'stop'].includes(source)).map(({ text }) => text);
}

function share(at: number, from: number, to: number): number {
  return (at - from) / (to - from);
}

function dayStart(date: string, zone: string): number {
  const noon = Date.parse(`${date}T12:00:00Z`);
  // The clock at noon tells the offset, but for days whose clocks change; those are an hour off in a picture.
  const [hour, minute] = clockTime(noon, zone).split(':').map(Number) as [number, number];
  const shift = isoDate(noon, zone) === date ? 0 : isoDate(noon, zone) > date ? 24 : -24;
  return noon - ((hour + shift) * 60 + minute) * 60_000;
}
