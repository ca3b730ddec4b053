import type { EpochMs } from '../workload.ts';
import { type DayCost, dateOf, dayMs, dayStart, money, sum } from './amounts.ts';

// What is kept of the costs in one parameter of the parameter store, so that a restart asks the cloud for nothing that it
// has paid for already. A parameter holds 4,096 bytes; what does not fit goes, the oldest first.

export type CostTag = readonly [key: string, value: string];

export interface CostStatistics {
  readonly refreshedAt: EpochMs;
  /** Which cost: figures of another one are not mixed with these. */
  readonly metric: string;
  /** Key and value of the tag that they are the costs of; absent in what earlier releases stored. */
  readonly tag?: CostTag;
  readonly currency: string;
  /** Oldest first. */
  readonly days: readonly DayCost[];
  /** Estimated savings by date. */
  readonly saved: ReadonlyMap<string, number>;
  /** `YYYY-MM` to what was billed. */
  readonly months: ReadonlyMap<string, number>;
  /** Database to its price an hour. */
  readonly rates: ReadonlyMap<string, number>;
}

/** Whether they are the figures of this metric and tag, as far as they say. */
export function areOf(
  { metric, tag }: CostStatistics,
  wanted: { readonly metric: string; readonly tag: CostTag },
): boolean {
  return metric === wanted.metric && (tag === undefined || tag.join('=') === wanted.tag.join('='));
}

export const parameterLimit = 4096;
export const parameterWarningBytes = 3500;
export const parameterCriticalBytes = 3900;
const daysKept = 92;
const monthsKept = 36;
/** Days that an estimate stands on; they go last. */
const daysNeeded = 14;

/** New figures over old ones; what the cloud has corrected replaces what it said before. */
export function mergeDays(known: readonly DayCost[], fresh: readonly DayCost[]): readonly DayCost[] {
  const byDate = new Map([...known, ...fresh].map((day) => [day.date, day]));
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** A month whose days are all known, so far as it has gone, is their sum; any other stays as it was. */
export function mergeMonths(known: ReadonlyMap<string, number>, days: readonly DayCost[]): ReadonlyMap<string, number> {
  const months = new Map(known);
  for (const month of new Set(days.map(({ date }) => date.slice(0, 7)))) {
    const own = days.filter(({ date }) => date.startsWith(month));
    if (own[0]?.date.endsWith('-01')) months.set(month, money(sum(own.map(({ amount }) => amount))));
  }
  return months;
}

/** What was stored, with what has been learned since it could last be read. */
export function mergeStatistics(
  stored: CostStatistics | undefined,
  known: CostStatistics | undefined,
): CostStatistics | undefined {
  if (stored === undefined || known === undefined) return known ?? stored;
  return {
    ...known,
    days: mergeDays(stored.days, known.days),
    saved: new Map([...stored.saved, ...known.saved]),
    months: new Map([...stored.months, ...known.months]),
  };
}

export interface FittedStatistics {
  readonly text: string;
  readonly bytes: number;
  /** How much had to go so that it fits. */
  readonly dropped: { readonly months: number; readonly days: number; readonly rates: number };
}

export function fitStatistics(statistics: CostStatistics): FittedStatistics {
  let days = statistics.days.slice(-daysKept);
  let months = newest(statistics.months, monthsKept);
  let rates = [...statistics.rates].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const dropped = { months: 0, days: 0, rates: 0 };
  for (;;) {
    const text = encode({ ...statistics, days, months: new Map(months), rates: new Map(rates) });
    const bytes = new TextEncoder().encode(text).length;
    if (bytes <= parameterLimit) return { text, bytes, dropped };
    if (months.length > 0) {
      months = months.slice(1);
      dropped.months++;
    } else if (days.length > daysNeeded) {
      days = days.slice(1);
      dropped.days++;
    } else {
      rates = rates.slice(0, -1);
      dropped.rates++;
    }
  }
}

function newest(months: ReadonlyMap<string, number>, most: number): readonly [string, number][] {
  return [...months].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(-most);
}

/** Days as two rows of figures from one date on: a third of the size of a list of objects. */
function encode({ refreshedAt, metric, tag, currency, days, saved, months, rates }: CostStatistics): string {
  const first = days[0]?.date;
  const dates = first === undefined ? [] : datesFrom(first, days.at(-1)!.date);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const figure = (amount: number | undefined) => (amount === undefined ? null : money(amount));
  return JSON.stringify({
    v: 1,
    at: new Date(refreshedAt).toISOString(),
    metric,
    ...(tag === undefined ? {} : { tag }),
    currency,
    ...(first === undefined ? {} : { from: first }),
    billed: dates.map((date) => figure(byDate.get(date)?.amount)),
    saved: dates.map((date) => figure(saved.get(date))),
    provisional: days
      .filter(({ provisional }) => provisional)
      .map(({ date }) => (dayStart(date) - dayStart(first!)) / dayMs),
    months: Object.fromEntries(months),
    rates: Object.fromEntries(rates),
  });
}

function datesFrom(first: string, last: string): readonly string[] {
  const dates: string[] = [];
  for (let at = dayStart(first); at <= dayStart(last); at += dayMs) dates.push(dateOf(at));
  return dates;
}

/** Undefined for anything else than what `fitStatistics` writes: figures that cannot be read are asked for again. */
export function decodeStatistics(text: string): CostStatistics | undefined {
  try {
    return read(JSON.parse(text) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

function read(json: Record<string, unknown>): CostStatistics | undefined {
  const { v, at, metric, tag, currency, from, billed, saved, provisional, months, rates } = json;
  const refreshedAt = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  if (v !== 1 || Number.isNaN(refreshedAt) || typeof metric !== 'string' || typeof currency !== 'string')
    return undefined;
  if (!Array.isArray(billed) || !Array.isArray(saved) || !Array.isArray(provisional)) return undefined;
  const start = typeof from === 'string' ? dayStart(from) : 0;
  if (Number.isNaN(start)) return undefined;
  const dated = (row: readonly unknown[]) =>
    row.flatMap((amount, index): [string, number][] =>
      typeof amount === 'number' ? [[dateOf(start + index * dayMs), amount]] : [],
    );
  const open = new Set(provisional.map((index) => dateOf(start + Number(index) * dayMs)));
  return {
    refreshedAt,
    metric,
    ...(isTag(tag) ? { tag } : {}),
    currency,
    days: dated(billed).map(([date, amount]) => ({ date, amount, provisional: open.has(date) })),
    saved: new Map(dated(saved)),
    months: figures(months),
    rates: figures(rates),
  };
}

function isTag(value: unknown): value is CostTag {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

function figures(value: unknown): ReadonlyMap<string, number> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}
