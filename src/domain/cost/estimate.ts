import { asleepMs, type DayCost, dateOf, dayMs, dayStart, type HourCost, hourMs, type Night, sum } from './amounts.ts';

// What the bill does not say: what the cluster would have cost had it not slept. Always an estimate, told apart from
// what was billed, and never above it.

export type SavingsEstimate =
  | {
      readonly known: true;
      readonly method: 'hourly' | 'daily';
      /** What an hour awake and an hour asleep cost. */
      readonly awakeHourly: number;
      readonly asleepHourly: number;
      readonly asleepHours: number;
      /** What was billed for the time that the estimate is about. */
      readonly billed: number;
      readonly saved: number;
      /** The estimate came out above what was billed and was cut to it. */
      readonly capped: boolean;
      readonly byDate: ReadonlyMap<string, number>;
    }
  | { readonly known: false; readonly why: string };

/** An hour that was awake throughout gives the price of being awake; what a sleeping hour cost less was saved. */
export function estimateByHour(hours: readonly HourCost[], nights: readonly Night[]): SavingsEstimate {
  const rows = hours.map(({ at, amount }) => ({ at, amount, asleep: asleepMs(nights, at, at + hourMs) / hourMs }));
  const awake = rows.filter(({ asleep }) => asleep === 0);
  const asleep = rows.filter(({ asleep: share }) => share > 0);
  if (asleep.length === 0)
    return { known: false, why: 'The cluster has not slept in the time that was billed by the hour.' };
  if (awake.length === 0)
    return { known: false, why: 'The cluster was not awake for a whole hour in the time that was billed by the hour.' };
  const awakeHourly = Math.max(0, sum(awake.map(({ amount }) => amount)) / awake.length);
  const byDate = new Map<string, number>();
  for (const { at, amount } of asleep) add(byDate, dateOf(at), Math.max(0, awakeHourly - Math.max(0, amount)));
  return capped({
    method: 'hourly',
    awakeHourly,
    asleepHourly: sum(asleep.map(({ amount }) => amount)) / asleep.length,
    asleepHours: sum(asleep.map((row) => row.asleep)),
    billed: sum(rows.map(({ amount }) => amount)),
    byDate,
  });
}

const fewestDays = 4;

/**
 * Days that slept more and days that slept less give two prices, of an hour awake and an hour asleep: the pair that
 * fits the bills best (least squares). Days that are all alike fit any pair, so nothing is said about them.
 */
export function estimateByDay(days: readonly DayCost[], nights: readonly Night[]): SavingsEstimate {
  const rows = days.map(({ date, amount }) => {
    const start = dayStart(date);
    const asleep = asleepMs(nights, start, start + dayMs) / hourMs;
    return { date, amount, asleep, awake: 24 - asleep };
  });
  const slept = rows.filter(({ asleep }) => asleep > 0);
  if (slept.length === 0) return { known: false, why: 'The cluster has not slept in the time that was billed.' };
  const fit = rows.length < fewestDays ? undefined : twoPrices(rows);
  if (fit === undefined) {
    return {
      known: false,
      why: `An estimate needs at least ${fewestDays} billed days, some of which slept longer than others.`,
    };
  }
  const perHour = Math.max(0, fit.awake - Math.max(0, fit.asleep));
  return capped({
    method: 'daily',
    awakeHourly: fit.awake,
    asleepHourly: fit.asleep,
    asleepHours: sum(slept.map(({ asleep }) => asleep)),
    billed: sum(rows.map(({ amount }) => amount)),
    byDate: new Map(slept.map(({ date, asleep }) => [date, asleep * perHour])),
  });
}

interface Uncapped {
  readonly method: 'hourly' | 'daily';
  readonly awakeHourly: number;
  readonly asleepHourly: number;
  readonly asleepHours: number;
  readonly billed: number;
  readonly byDate: ReadonlyMap<string, number>;
}

/** Nobody believes a saving above the spending, so none is claimed; each day is cut in proportion. */
function capped(estimate: Uncapped): SavingsEstimate {
  const raw = sum(estimate.byDate.values());
  const cut = capAtSpend(raw, estimate.billed);
  const share = raw === 0 ? 0 : cut.saved / raw;
  const byDate = cut.capped
    ? new Map([...estimate.byDate].map(([date, saved]) => [date, saved * share]))
    : estimate.byDate;
  return { known: true, ...estimate, ...cut, byDate };
}

export function capAtSpend(saved: number, spent: number): { readonly saved: number; readonly capped: boolean } {
  const most = Math.max(0, spent);
  return saved > most ? { saved: most, capped: true } : { saved: Math.max(0, saved), capped: false };
}

interface DayRow {
  readonly awake: number;
  readonly asleep: number;
  readonly amount: number;
}

function twoPrices(rows: readonly DayRow[]): { readonly awake: number; readonly asleep: number } | undefined {
  const aa = sum(rows.map(({ awake }) => awake * awake));
  const ss = sum(rows.map(({ asleep }) => asleep * asleep));
  const as = sum(rows.map(({ awake, asleep }) => awake * asleep));
  const ay = sum(rows.map(({ awake, amount }) => awake * amount));
  const sy = sum(rows.map(({ asleep, amount }) => asleep * amount));
  const determinant = aa * ss - as * as;
  // Below this the days are alike but for noise, and the prices would be noise.
  if (determinant < 1e-3 * aa * ss || determinant <= 0) return undefined;
  return { awake: (ay * ss - sy * as) / determinant, asleep: (sy * aa - ay * as) / determinant };
}

function add(totals: Map<string, number>, key: string, amount: number): void {
  totals.set(key, (totals.get(key) ?? 0) + amount);
}
