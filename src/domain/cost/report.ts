import type { EpochMs } from '../workload.ts';
import { money, sum } from './amounts.ts';
import { capAtSpend, type SavingsEstimate } from './estimate.ts';
import type { CostStatistics } from './statistics.ts';

/** Costs as people see them: what was billed, and apart from it what is estimated. A type, so that it is a JSON record too. */
export type CostReport = {
  readonly currency: string;
  readonly metric: string;
  readonly tag: { readonly key: string; readonly value: string };
  readonly refreshedAt: string;
  readonly nextRefreshAt: string;
  /** Absent while the last refresh went well; otherwise the cloud's own words, and the figures are those of before. */
  readonly problem?: string;
  readonly billed: {
    readonly from: string;
    readonly to: string;
    readonly amount: number;
    /** The part that the cloud may still change. */
    readonly provisional: number;
  } | null;
  readonly days: readonly {
    readonly date: string;
    readonly billed: number;
    readonly provisional: boolean;
    readonly savedEstimate?: number;
  }[];
  readonly months: readonly { readonly month: string; readonly billed: number }[];
  readonly estimate: EstimateReport;
  readonly databases: readonly DatabaseCost[];
  readonly formula: readonly CostFormula[];
};

interface EstimateReport {
  readonly available: boolean;
  readonly message: string;
  readonly method?: 'hourly' | 'daily' | 'kept';
  readonly saved?: number;
  /** What was billed for the same time: the estimate is never above it. */
  readonly billed?: number;
  readonly capped?: boolean;
  readonly asleepHours?: number;
  readonly awakeHourly?: number;
  readonly asleepHourly?: number;
}

interface DatabaseCost {
  readonly name: string;
  /** The list price of an hour; absent when there is none. */
  readonly hourly?: number;
  readonly message?: string;
  readonly savedHours: number;
  readonly savedEstimate?: number;
  readonly capped?: boolean;
}

interface CostFormula {
  readonly id: string;
  readonly label: string;
  readonly expression: string;
}

export interface DatabaseHours {
  readonly saved: number;
  readonly ran: number;
}

export interface ReportInputs {
  readonly statistics: CostStatistics;
  readonly estimate: SavingsEstimate;
  readonly tag: { readonly key: string; readonly value: string };
  readonly nextRefreshAt: EpochMs;
  readonly problem?: string;
  readonly databases: ReadonlyMap<string, DatabaseHours>;
  /** Why a database has no price. */
  readonly unpriced: ReadonlyMap<string, string>;
}

export function costReport(inputs: ReportInputs): CostReport {
  const { statistics, estimate, problem } = inputs;
  const { days, saved, months } = statistics;
  const first = days[0];
  const last = days.at(-1);
  return {
    currency: statistics.currency,
    metric: statistics.metric,
    tag: inputs.tag,
    refreshedAt: new Date(statistics.refreshedAt).toISOString(),
    nextRefreshAt: new Date(inputs.nextRefreshAt).toISOString(),
    ...(problem === undefined ? {} : { problem }),
    billed:
      first === undefined || last === undefined
        ? null
        : {
            from: first.date,
            to: last.date,
            amount: money(sum(days.map(({ amount }) => amount))),
            provisional: money(sum(days.filter(({ provisional }) => provisional).map(({ amount }) => amount))),
          },
    days: days.map(({ date, amount, provisional }) => {
      const estimated = saved.get(date);
      return {
        date,
        billed: money(amount),
        provisional,
        ...(estimated === undefined ? {} : { savedEstimate: money(estimated) }),
      };
    }),
    months: [...months]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([month, billed]) => ({ month, billed: money(billed) })),
    estimate: estimate.known || saved.size === 0 ? estimateReport(estimate) : keptEstimate(statistics),
    databases: [...inputs.databases].map(([name, hours]) => databaseCost(name, hours, inputs)),
    formula: costFormulas,
  };
}

function estimateReport(estimate: SavingsEstimate): EstimateReport {
  if (!estimate.known) return { available: false, message: estimate.why };
  const { method, capped } = estimate;
  return {
    available: true,
    message: capped
      ? 'The estimate came out above what the cluster cost in the same time and is shown as that cost.'
      : 'An estimate from what the hours awake and the hours asleep cost.',
    method,
    saved: money(estimate.saved),
    billed: money(estimate.billed),
    capped,
    asleepHours: Number(estimate.asleepHours.toFixed(2)),
    awakeHourly: money(estimate.awakeHourly),
    asleepHourly: money(estimate.asleepHourly),
  };
}

/** After a restart the hours are not known until the next refresh; what they had shown is. */
function keptEstimate({ days, saved }: CostStatistics): EstimateReport {
  const billed = sum(days.filter(({ date }) => saved.has(date)).map(({ amount }) => amount));
  const cut = capAtSpend(sum(saved.values()), billed);
  const message = 'As estimated at earlier refreshes.';
  return {
    available: true,
    message,
    method: 'kept',
    saved: money(cut.saved),
    billed: money(billed),
    capped: cut.capped,
  };
}

function databaseCost(
  name: string,
  { saved, ran }: DatabaseHours,
  { statistics, unpriced }: ReportInputs,
): DatabaseCost {
  const hourly = statistics.rates.get(name);
  const savedHours = Number(saved.toFixed(2));
  if (hourly === undefined) return { name, savedHours, message: unpriced.get(name) ?? 'Its price is not known yet.' };
  const cut = capAtSpend(saved * hourly, ran * hourly);
  return { name, hourly, savedHours, savedEstimate: money(cut.saved), capped: cut.capped };
}

const costFormulas: readonly CostFormula[] = [
  {
    id: 'hourly',
    label: 'Billed by the hour',
    expression:
      'saved = Σ over hours asleep of max(0, mean cost of an hour awake − cost of that hour), at most what was billed',
  },
  {
    id: 'daily',
    label: 'Billed by the day',
    expression:
      'cost of a day = hours awake × price awake + hours asleep × price asleep, fitted by least squares; saved = hours asleep × max(0, price awake − price asleep), at most what was billed',
  },
  {
    id: 'databases',
    label: 'Databases',
    expression: 'saved = hours stopped × list price of an hour, at most hours running × list price of an hour',
  },
];
