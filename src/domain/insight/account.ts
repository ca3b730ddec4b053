import { formatDate } from '../schedule/civil-date.ts';
import type { CompiledSchedule } from '../schedule/compile.ts';
import type { EpochMs } from '../workload.ts';
import {
  addHours,
  type DayRow,
  emptyDatabase,
  emptyDay,
  emptyNamespace,
  type Hours,
  type LedgerDays,
  type LedgerHead,
} from './ledger.ts';

/** What asks for resources: one workload, or several of a namespace taken together. */
export interface SampledUse {
  readonly namespace: string;
  readonly request: Hours;
  /** Since when it sleeps; absent while it runs. */
  readonly downSince?: EpochMs;
}

export interface SampledDatabase {
  readonly name: string;
  /** Since when we have it stopped; absent while it runs. */
  readonly downSince?: EpochMs;
}

/** The cluster as one pass left it. It holds until the next pass: whoever changes something causes one. */
export interface Sample {
  readonly asleepSince?: EpochMs;
  readonly uses: readonly SampledUse[];
  readonly databases: readonly SampledDatabase[];
}

export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

const hourMs = 3_600_000;

/** Enters a span of time, in which the sample held, into the days it covers. */
export function accountSpan(days: LedgerDays, span: Span, sample: Sample, schedule: CompiledSchedule): LedgerDays {
  const next = new Map(days);
  for (const { date, from, to } of daysOf(span, schedule)) {
    next.set(
      date,
      accountDay(next.get(date) ?? emptyDay, { from, to }, sample, plannedAsleepMs(schedule, from, to) / hourMs),
    );
  }
  return next;
}

function accountDay(day: DayRow, span: Span, sample: Sample, planned: number): DayRow {
  const namespaces = new Map(day.namespaces);
  for (const { namespace, request, downSince } of sample.uses) {
    const row = namespaces.get(namespace) ?? emptyNamespace;
    const saved = downHours(span, downSince);
    namespaces.set(namespace, {
      saved: addHours(row.saved, request, saved),
      planned: addHours(row.planned, request, planned),
      ran: addHours(row.ran, request, hours(span) - saved),
    });
  }
  const databases = new Map(day.databases);
  for (const { name, downSince } of sample.databases) {
    const row = databases.get(name) ?? emptyDatabase;
    const saved = downHours(span, downSince);
    databases.set(name, {
      saved: row.saved + saved,
      planned: row.planned + planned,
      ran: row.ran + hours(span) - saved,
    });
  }
  return {
    asleepHours: day.asleepHours + downHours(span, sample.asleepSince),
    plannedHours: day.plannedHours + planned,
    namespaces,
    databases,
  };
}

/** The span is in the books from now on; a night goes on where the last one ended. */
export function accountHead(head: LedgerHead, span: Span, { asleepSince }: Sample): LedgerHead {
  const accountedUntil = span.to;
  const from = Math.max(span.from, asleepSince ?? span.to);
  if (from >= span.to) return { ...head, accountedUntil };
  const last = head.nights.at(-1);
  const nights =
    last !== undefined && last.to >= from
      ? [...head.nights.slice(0, -1), { from: last.from, to: Math.max(last.to, span.to) }]
      : [...head.nights, { from, to: span.to }];
  return { accountedUntil, nights };
}

/** How much of the span the schedule has the cluster asleep. */
export function plannedAsleepMs(schedule: CompiledSchedule, from: EpochMs, to: EpochMs): number {
  let asleep = 0;
  let cursor = from;
  while (cursor < to) {
    const stretch = schedule.stretchAt(cursor);
    const end = Math.min(stretch.to ?? to, to);
    if (!stretch.awake) asleep += end - cursor;
    cursor = end;
  }
  return asleep;
}

/** Uses of a namespace that are alike for every later moment, as one: thousands of workloads are a few rows then. */
export function condensed(sample: Sample, at: EpochMs): Sample {
  const groups = new Map<string, SampledUse>();
  for (const use of sample.uses) {
    const down = use.downSince === undefined ? 'up' : use.downSince <= at ? 'down' : String(use.downSince);
    const key = `${down} ${use.namespace}`;
    const known = groups.get(key);
    groups.set(key, known === undefined ? use : { ...known, request: addHours(known.request, use.request) });
  }
  return { ...sample, uses: [...groups.values()] };
}

function* daysOf({ from, to }: Span, { zone }: CompiledSchedule): Generator<Span & { readonly date: string }> {
  let cursor = from;
  while (cursor < to) {
    const { day } = zone.wallTime(cursor);
    const first = zone.firstReading(day + 1, 0);
    // Clocks that are set back right after midnight show the rest of the old day twice.
    const midnight = first > cursor ? first : zone.lastReading(day + 1, 0);
    const end = Math.min(midnight > cursor ? midnight : cursor + hourMs, to);
    yield { date: formatDate(day), from: cursor, to: end };
    cursor = end;
  }
}

function hours({ from, to }: Span): number {
  return (to - from) / hourMs;
}

function downHours({ from, to }: Span, downSince: EpochMs | undefined): number {
  if (downSince === undefined) return 0;
  return Math.max(0, to - Math.max(from, downSince)) / hourMs;
}
