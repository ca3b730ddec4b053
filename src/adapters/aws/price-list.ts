import type { Filter, PricingClient } from '@aws-sdk/client-pricing';
import { hourlyPrice, type PriceQuestion, type Rate } from '../../domain/cost/database-rate.ts';
import { type CallLog, type Connection, clientOptions } from './connection.ts';
import { logCalls } from './request-log.ts';

export interface PriceList {
  hourly(question: PriceQuestion): Promise<Rate>;
  destroy(): void;
}

/** The price list is served in these regions alone; it holds the prices of all. */
const servedIn = ['us-east-1', 'eu-central-1', 'ap-south-1'];
const mostListings = 300;

export async function priceList(connection: Connection, log: CallLog): Promise<PriceList> {
  const sdk = await import('@aws-sdk/client-pricing');
  const region = servedIn.includes(connection.region) ? connection.region : 'us-east-1';
  const client: PricingClient = new sdk.PricingClient({ ...clientOptions({ ...connection, region }) });
  logCalls(client, log);
  return {
    async hourly(question) {
      const listings: string[] = [];
      const pages = sdk.paginateGetProducts({ client }, { ServiceCode: 'AmazonRDS', Filters: filtersOf(question) });
      for await (const { PriceList: page } of pages) {
        listings.push(...(page ?? []).map(String));
        if (listings.length >= mostListings) break;
      }
      return hourlyPrice(question, listings);
    },
    destroy: () => client.destroy(),
  };
}

function filtersOf(question: PriceQuestion): Filter[] {
  const { region, instanceType, databaseEngine, databaseEdition, deploymentOption } = question;
  const terms = {
    regionCode: region,
    instanceType,
    databaseEngine,
    deploymentOption,
    ...(databaseEdition === undefined ? {} : { databaseEdition }),
  };
  return Object.entries(terms).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value }));
}
