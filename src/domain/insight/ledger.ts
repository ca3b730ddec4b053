import type { EpochMs } from '../workload.ts';

/** Core-hours by architecture and gigabyte-hours of memory. */
export interface Hours {
  readonly amd64: number;
  readonly arm64: number;
  readonly memory: number;
}

/** One namespace on one day. */
export interface NamespaceRow {
  /** What was asked for by workloads that slept. */
  readonly saved: Hours;
  /** What would have been saved had everything slept exactly as the schedule says. */
  readonly planned: Hours;
  /** What was asked for by workloads that ran. */
  readonly ran: Hours;
}

/** One database on one day, in hours. */
export interface DatabaseRow {
  readonly saved: number;
  readonly planned: number;
  readonly ran: number;
}

export interface DayRow {
  readonly asleepHours: number;
  readonly plannedHours: number;
  readonly namespaces: ReadonlyMap<string, NamespaceRow>;
  readonly databases: ReadonlyMap<string, DatabaseRow>;
}

/** Days by `YYYY-MM-DD` of the schedule's zone. */
export type LedgerDays = ReadonlyMap<string, DayRow>;

export interface LedgerHead {
  /** Everything before this instant is in the books; nothing is counted twice. */
  readonly accountedUntil?: EpochMs;
  /** When the cluster slept, oldest first. */
  readonly nights: readonly { readonly from: EpochMs; readonly to: EpochMs }[];
}

const noHours: Hours = { amd64: 0, arm64: 0, memory: 0 };
export const emptyNamespace: NamespaceRow = { saved: noHours, planned: noHours, ran: noHours };
export const emptyDatabase: DatabaseRow = { saved: 0, planned: 0, ran: 0 };
export const emptyDay: DayRow = { asleepHours: 0, plannedHours: 0, namespaces: new Map(), databases: new Map() };

export function addHours(a: Hours, b: Hours, times = 1): Hours {
  return { amd64: a.amd64 + b.amd64 * times, arm64: a.arm64 + b.arm64 * times, memory: a.memory + b.memory * times };
}

export function addNamespaces(a: NamespaceRow, b: NamespaceRow): NamespaceRow {
  return { saved: addHours(a.saved, b.saved), planned: addHours(a.planned, b.planned), ran: addHours(a.ran, b.ran) };
}

export function addDatabases(a: DatabaseRow, b: DatabaseRow): DatabaseRow {
  return { saved: a.saved + b.saved, planned: a.planned + b.planned, ran: a.ran + b.ran };
}

export function coreHours({ amd64, arm64 }: Hours): number {
  return amd64 + arm64;
}

/** Two accounts of the same day as one. */
export function addDays(a: DayRow | undefined, b: DayRow): DayRow {
  if (a === undefined) return b;
  return {
    asleepHours: a.asleepHours + b.asleepHours,
    plannedHours: a.plannedHours + b.plannedHours,
    namespaces: merged(a.namespaces, b.namespaces, addNamespaces),
    databases: merged(a.databases, b.databases, addDatabases),
  };
}

function merged<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  add: (a: T, b: T) => T,
): ReadonlyMap<string, T> {
  const all = new Map(a);
  for (const [name, row] of b) {
    const known = all.get(name);
    all.set(name, known === undefined ? row : add(known, row));
  }
  return all;
}
