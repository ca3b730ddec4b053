import { parseDate } from '../schedule/civil-date.ts';
import {
  addNamespaces,
  type DatabaseRow,
  type DayRow,
  emptyDay,
  emptyNamespace,
  type Hours,
  type LedgerDays,
  type LedgerHead,
  type NamespaceRow,
} from './ledger.ts';

// The ledger as texts of a ConfigMap: `head`, and one key a month with a line for each day and namespace, so that it can
// be read with kubectl and a month that is over is never written again.
//
//   2026-11-02 * 12 12                                   hours asleep, planned
//   2026-11-02 shop 6 0 12 6 0 12 6 0 12                  saved, planned, ran: core-hours amd64, arm64, memory
//   2026-11-02 @orders 12 12 12                           hours of a database saved, planned, ran

export const headKey = 'head';
/** Where the namespaces of an old month go when the ledger grows too large. */
const foldedNamespace = '(all)';

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

export function encodeHead({ accountedUntil, nights }: LedgerHead): string {
  const instant = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
  const lines = nights.map(({ from, to }) => `${instant(from)} ${instant(to)}`);
  return JSON.stringify(
    { ...(accountedUntil === undefined ? {} : { accountedUntil: instant(accountedUntil) }), nights: lines },
    null,
    1,
  );
}

/** Undefined for a text that is no head; an absent one is empty. */
export function decodeHead(text: string | undefined): LedgerHead | undefined {
  if (text === undefined) return { nights: [] };
  try {
    const json = JSON.parse(text) as { accountedUntil?: string; nights?: unknown };
    const until = json.accountedUntil === undefined ? undefined : Date.parse(json.accountedUntil);
    if (!Array.isArray(json.nights) || Number.isNaN(until)) return undefined;
    const nights = json.nights.map((line) => {
      const [from = Number.NaN, to = Number.NaN] = String(line).split(' ').map(Date.parse);
      return { from, to };
    });
    if (nights.some(({ from, to }) => !(from <= to))) return undefined;
    return { ...(until === undefined ? {} : { accountedUntil: until }), nights };
  } catch {
    return undefined;
  }
}

export function encodeMonth(days: LedgerDays): string {
  const lines: string[] = [];
  for (const [date, day] of [...days].toSorted(([a], [b]) => compare(a, b))) {
    lines.push(line(date, '*', [day.asleepHours, day.plannedHours]));
    for (const [name, { saved, planned, ran }] of [...day.namespaces].toSorted(([a], [b]) => compare(a, b))) {
      lines.push(
        line(
          date,
          name,
          [saved, planned, ran].flatMap(({ amd64, arm64, memory }) => [amd64, arm64, memory]),
        ),
      );
    }
    for (const [name, { saved, planned, ran }] of [...day.databases].toSorted(([a], [b]) => compare(a, b))) {
      lines.push(line(date, `@${name}`, [saved, planned, ran]));
    }
  }
  return lines.join('\n');
}

/** Undefined for a text that is no month: it is left as it is and nothing is written over it. */
export function decodeMonth(text: string): LedgerDays | undefined {
  const days = new Map<string, MutableDay>();
  for (const one of text.split('\n')) {
    if (one.trim() === '') continue;
    const [date = '', name = '', ...figures] = one.split(' ');
    const numbers = figures.map(Number);
    if (parseDate(date) === undefined || numbers.some((figure) => !Number.isFinite(figure) || figure < 0))
      return undefined;
    const day = days.get(date) ?? { ...emptyDay, namespaces: new Map(), databases: new Map() };
    days.set(date, day);
    if (!enter(day, name, numbers)) return undefined;
  }
  return days;
}

interface MutableDay {
  asleepHours: number;
  plannedHours: number;
  readonly namespaces: Map<string, NamespaceRow>;
  readonly databases: Map<string, DatabaseRow>;
}

function enter(day: MutableDay, name: string, numbers: readonly number[]): boolean {
  const at = (index: number) => numbers[index] ?? 0;
  if (name === '*') {
    day.asleepHours = at(0);
    day.plannedHours = at(1);
    return numbers.length === 2;
  }
  if (name.startsWith('@')) {
    day.databases.set(name.slice(1), { saved: at(0), planned: at(1), ran: at(2) });
    return numbers.length === 3 && name.length > 1;
  }
  const hours = (first: number): Hours => ({ amd64: at(first), arm64: at(first + 1), memory: at(first + 2) });
  day.namespaces.set(name, { saved: hours(0), planned: hours(3), ran: hours(6) });
  return numbers.length === 9 && name !== '';
}

/** The same month without telling its namespaces apart. */
export function foldMonth(days: LedgerDays): LedgerDays {
  return new Map(
    [...days].map(([date, day]): [string, DayRow] => {
      const all = [...day.namespaces.values()].reduce(addNamespaces, emptyNamespace);
      return [
        date,
        { ...day, namespaces: day.namespaces.size === 0 ? day.namespaces : new Map([[foldedNamespace, all]]) },
      ];
    }),
  );
}

/** Four places: a third of a second of one core. */
function line(date: string, name: string, figures: readonly number[]): string {
  return [date, name, ...figures.map((figure) => Number(figure.toFixed(4)))].join(' ');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
