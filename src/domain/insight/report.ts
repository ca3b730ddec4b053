import { co2eGrams, type EnergyFactors, energyFormula, energyKWh, type FormulaStep, round } from './energy.ts';
import {
  addDatabases,
  addHours,
  addNamespaces,
  coreHours,
  type DatabaseRow,
  type DayRow,
  emptyDatabase,
  emptyNamespace,
  type Hours,
  type LedgerDays,
  type LedgerHead,
  type NamespaceRow,
} from './ledger.ts';

/** Hours and what they come to. */
interface Figures {
  readonly coreHours: number;
  readonly memoryGBHours: number;
  readonly energyKWh: number;
  readonly co2eGrams: number;
}

interface Saved {
  readonly saved: Figures;
  /** Had everything slept exactly as the schedule says. */
  readonly planned: Figures;
  /** What workloads that ran asked for in the same time; saved and ran together are all there was to ask for. */
  readonly ran: Figures;
}

/** What hibernation saved. A type, so that it is a JSON record too. */
export type InsightsReport = {
  readonly timezone: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly accountedUntil: string | null;
  readonly asleepHours: number;
  readonly plannedAsleepHours: number;
  readonly totals: Saved & { readonly databaseHours: DatabaseRow };
  readonly days: readonly (Saved & {
    readonly date: string;
    readonly asleepHours: number;
    readonly plannedAsleepHours: number;
    readonly databaseHours: DatabaseRow;
  })[];
  readonly namespaces: readonly (Saved & { readonly namespace: string })[];
  readonly databases: readonly ({ readonly name: string } & DatabaseRow)[];
  readonly formula: readonly FormulaStep[];
};

export interface InsightsInputs {
  readonly timezone: string;
  readonly head: LedgerHead;
  readonly days: LedgerDays;
  readonly factors: EnergyFactors;
}

export function insightsReport({ timezone, head, days, factors }: InsightsInputs): InsightsReport {
  const rows = [...days].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const namespaces = totalsBy(
    rows.flatMap(([, day]) => [...day.namespaces]),
    emptyNamespace,
    addNamespaces,
  );
  const databases = totalsBy(
    rows.flatMap(([, day]) => [...day.databases]),
    emptyDatabase,
    addDatabases,
  );
  const total = [...namespaces.values()].reduce(addNamespaces, emptyNamespace);
  return {
    timezone,
    from: rows[0]?.[0] ?? null,
    to: rows.at(-1)?.[0] ?? null,
    accountedUntil: head.accountedUntil === undefined ? null : new Date(head.accountedUntil).toISOString(),
    asleepHours: round(rows.reduce((sum, [, day]) => sum + day.asleepHours, 0)),
    plannedAsleepHours: round(rows.reduce((sum, [, day]) => sum + day.plannedHours, 0)),
    totals: { ...savedOf(total, factors), databaseHours: rounded(sumDatabases(databases.values())) },
    days: rows.map(([date, day]) => ({
      date,
      asleepHours: round(day.asleepHours),
      plannedAsleepHours: round(day.plannedHours),
      ...savedOf(totalOf(day), factors),
      databaseHours: rounded(sumDatabases(day.databases.values())),
    })),
    namespaces: [...namespaces]
      .map(([namespace, row]) => ({ namespace, ...savedOf(row, factors) }))
      .toSorted((a, b) => b.saved.coreHours - a.saved.coreHours || (a.namespace < b.namespace ? -1 : 1)),
    databases: [...databases]
      .map(([name, row]) => ({ name, ...rounded(row) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    formula: energyFormula(total.saved, factors),
  };
}

function totalOf(day: DayRow): NamespaceRow {
  return [...day.namespaces.values()].reduce(addNamespaces, emptyNamespace);
}

function savedOf({ saved, planned, ran }: NamespaceRow, factors: EnergyFactors): Saved {
  return { saved: figures(saved, factors), planned: figures(planned, factors), ran: figures(ran, factors) };
}

function figures(hours: Hours, factors: EnergyFactors): Figures {
  const kWh = energyKWh(hours, factors);
  return {
    coreHours: round(coreHours(hours)),
    memoryGBHours: round(hours.memory),
    energyKWh: round(kWh),
    co2eGrams: round(co2eGrams(kWh, factors)),
  };
}

function totalsBy<T>(
  entries: readonly (readonly [string, T])[],
  empty: T,
  add: (a: T, b: T) => T,
): ReadonlyMap<string, T> {
  const totals = new Map<string, T>();
  for (const [name, row] of entries) totals.set(name, add(totals.get(name) ?? empty, row));
  return totals;
}

function sumDatabases(rows: Iterable<DatabaseRow>): DatabaseRow {
  return [...rows].reduce(addDatabases, emptyDatabase);
}

function rounded({ saved, planned, ran }: DatabaseRow): DatabaseRow {
  return { saved: round(saved), planned: round(planned), ran: round(ran) };
}

/** Core-hours of all namespaces that a ledger has saved: what the metric counts. */
export function savedCoreHours(days: LedgerDays): number {
  let total = addHours({ amd64: 0, arm64: 0, memory: 0 }, { amd64: 0, arm64: 0, memory: 0 });
  for (const day of days.values()) for (const { saved } of day.namespaces.values()) total = addHours(total, saved);
  return coreHours(total);
}
