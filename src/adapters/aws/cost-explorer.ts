import type { CostExplorerClient, GetCostAndUsageCommandInput, ResultByTime } from '@aws-sdk/client-cost-explorer';
import { type DayCost, dateOf, type HourCost } from '../../domain/cost/amounts.ts';
import type { EpochMs } from '../../domain/workload.ts';
import { type CallLog, type Connection, clientOptions } from './connection.ts';
import { logCalls } from './request-log.ts';

export interface CostQuestion {
  readonly tagKey: string;
  readonly tagValue: string;
  readonly metric: string;
  /** Midnight, UTC; `to` is not part of it. */
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Each answer costs a cent. */
export interface CostQueries {
  days(question: CostQuestion): Promise<{ readonly days: readonly DayCost[]; readonly currency: string }>;
  hours(question: CostQuestion): Promise<readonly HourCost[]>;
  destroy(): void;
}

export async function costQueries(connection: Connection, log: CallLog): Promise<CostQueries> {
  const sdk = await import('@aws-sdk/client-cost-explorer');
  const client: CostExplorerClient = new sdk.CostExplorerClient({ ...clientOptions(connection) });
  logCalls(client, log);
  const ask = async (question: CostQuestion, Granularity: 'DAILY' | 'HOURLY'): Promise<readonly ResultByTime[]> => {
    const results: ResultByTime[] = [];
    const input = inputOf(question, Granularity);
    let NextPageToken: string | undefined;
    do {
      const page = await client.send(
        new sdk.GetCostAndUsageCommand({ ...input, ...(NextPageToken === undefined ? {} : { NextPageToken }) }),
      );
      results.push(...(page.ResultsByTime ?? []));
      NextPageToken = page.NextPageToken;
    } while (NextPageToken !== undefined && NextPageToken !== '');
    return results;
  };
  return {
    async days(question) {
      const results = await ask(question, 'DAILY');
      return {
        days: results.flatMap((result) => dayOf(result, question.metric)),
        currency: currencyOf(results, question),
      };
    },
    async hours(question) {
      return (await ask(question, 'HOURLY')).flatMap((result) => hourOf(result, question.metric));
    },
    destroy: () => client.destroy(),
  };
}

function inputOf(
  { tagKey, tagValue, metric, from, to }: CostQuestion,
  granularity: 'DAILY' | 'HOURLY',
): GetCostAndUsageCommandInput {
  const instant = (at: EpochMs) =>
    granularity === 'DAILY' ? dateOf(at) : new Date(at).toISOString().replace('.000Z', 'Z');
  return {
    TimePeriod: { Start: instant(from), End: instant(to) },
    Granularity: granularity,
    Metrics: [metric],
    Filter: { Tags: { Key: tagKey, Values: [tagValue], MatchOptions: ['EQUALS'] } },
  };
}

function dayOf(result: ResultByTime, metric: string): readonly DayCost[] {
  const amount = amountOf(result, metric);
  const date = result.TimePeriod?.Start?.slice(0, 10);
  if (amount === undefined || date === undefined) return [];
  return [{ date, amount, provisional: result.Estimated ?? false }];
}

function hourOf(result: ResultByTime, metric: string): readonly HourCost[] {
  const amount = amountOf(result, metric);
  const at = Date.parse(result.TimePeriod?.Start ?? '');
  return amount === undefined || Number.isNaN(at) ? [] : [{ at, amount }];
}

function amountOf(result: ResultByTime, metric: string): number | undefined {
  const amount = Number(result.Total?.[metric]?.Amount ?? Number.NaN);
  return Number.isFinite(amount) ? amount : undefined;
}

function currencyOf(results: readonly ResultByTime[], { metric }: CostQuestion): string {
  return results.find((result) => result.Total?.[metric]?.Unit !== undefined)?.Total?.[metric]?.Unit ?? 'USD';
}
