import type { Config } from '../../config/config.ts';
import { priceQuestion, type Rate } from '../../domain/cost/database-rate.ts';
import type { ClusterFacts, InstanceFacts } from '../../domain/database/stoppable.ts';
import { cloudError, cloudWords } from './cloud-error.ts';
import { type CallLog, type Connection, databaseConnection } from './connection.ts';
import { type PriceList, priceList } from './price-list.ts';
import { type RdsCalls, rdsCalls } from './rds-client.ts';
import { clusterFacts, instanceFacts } from './rds-facts.ts';

export interface RateSources {
  readonly rds: (connection: Connection, log: CallLog) => Promise<RdsCalls>;
  readonly prices: (connection: Connection, log: CallLog) => Promise<PriceList>;
}

export const cloudSources: RateSources = { rds: rdsCalls, prices: priceList };

/** What an hour of each configured database costs: as configured, or by the list. A cluster costs what its members cost. */
export async function databaseRates(
  config: Config,
  costs: Connection,
  log: CallLog,
  { rds, prices }: RateSources,
): Promise<ReadonlyMap<string, Rate>> {
  const rates = new Map<string, Rate>();
  const unpriced: [string, Database][] = [];
  for (const [name, database] of Object.entries(config.databases)) {
    const { hourlyRate } = database;
    if (hourlyRate === undefined) unpriced.push([name, database]);
    else rates.set(name, { known: true, hourly: hourlyRate });
  }
  if (unpriced.length === 0) return rates;
  const list = await prices(costs, log);
  try {
    for (const [name, database] of unpriced) {
      const calls = await rds(databaseConnection(database, config.proxyURL), log);
      try {
        rates.set(name, await rateOf(database, calls, list));
      } catch (error) {
        rates.set(name, { known: false, why: cloudWords(cloudError(error)) });
      } finally {
        calls.destroy();
      }
    }
  } finally {
    list.destroy();
  }
  return rates;
}

type Database = Config['databases'][string];

async function rateOf({ type, identifier, region }: Database, calls: RdsCalls, list: PriceList): Promise<Rate> {
  const cluster = type === 'cluster' ? (await calls.clusters([identifier])).map(clusterFacts)[0] : undefined;
  const members = type === 'cluster' ? (cluster?.members ?? []) : [identifier];
  const instances = members.length === 0 ? [] : (await calls.instances(members)).map(instanceFacts);
  if (instances.length === 0) return { known: false, why: `there is no ${type} ${identifier} in region ${region}` };
  let hourly = 0;
  for (const instance of instances) {
    const rate = await instanceRate(region, instance, cluster, list);
    if (!rate.known) return rate;
    hourly += rate.hourly;
  }
  return { known: true, hourly };
}

async function instanceRate(
  region: string,
  instance: InstanceFacts,
  cluster: ClusterFacts | undefined,
  list: PriceList,
): Promise<Rate> {
  const question = priceQuestion(region, instance, cluster);
  return typeof question === 'string' ? { known: false, why: question } : list.hourly(question);
}
