import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  jsonError,
  type RecordedAnswer,
  RecordedCloud,
  type RecordedRequest,
} from '../../../test/support/recorded-cloud.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import { cloudSources, databaseRates } from './database-rates.ts';

/** As the price list answers, cut to what is read. */
const listing = (usagetype: string, USD: string) =>
  JSON.stringify({
    product: { productFamily: 'Database Instance', attributes: { usagetype, regionCode: 'eu-central-1' } },
    serviceCode: 'AmazonRDS',
    terms: { OnDemand: { 'S.T': { priceDimensions: { 'S.T.R': { unit: 'Hrs', pricePerUnit: { USD } } } } } },
  });

const xml = (name: string, inner: string): RecordedAnswer => ({
  body: `<${name}Response><${name}Result>${inner}</${name}Result></${name}Response>`,
});
const instance = (identifier: string, engine: string, instanceClass: string, cluster = '') =>
  `<DBInstance><DBInstanceIdentifier>${identifier}</DBInstanceIdentifier><DBInstanceClass>${instanceClass}</DBInstanceClass><Engine>${engine}</Engine>${cluster}</DBInstance>`;

describe('prices of databases', () => {
  let cloud: RecordedCloud;
  let endpoint: string;
  beforeEach(async () => {
    cloud = new RecordedCloud();
    endpoint = await cloud.start();
  });
  afterEach(() => cloud.stop());

  const log = { logger: silentLogger, verbose: () => false };
  const ask = (config: Config) => databaseRates(config, { region: 'eu-west-3', endpoint }, log, cloudSources);

  function answers({ call, body }: RecordedRequest): RecordedAnswer {
    if (call === 'GetProducts') {
      const price = body.includes('Aurora PostgreSQL')
        ? listing('EUC1-InstanceUsage:db.r6g.large', '0.313')
        : listing('EUC1-InstanceUsage:db.t4g.med', '0.073');
      return {
        body: JSON.stringify({
          FormatVersion: 'aws_v1',
          PriceList: [price, listing('EUC1-InstanceUsageIOOptimized:db.r6g.large', '0.407')],
        }),
      };
    }
    if (call === 'DescribeDBClusters') {
      const member = (name: string) =>
        `<DBClusterMember><DBInstanceIdentifier>${name}</DBInstanceIdentifier></DBClusterMember>`;
      return xml(
        'DescribeDBClusters',
        `<DBClusters><DBCluster><DBClusterIdentifier>ledger</DBClusterIdentifier><Engine>aurora-postgresql</Engine><DBClusterMembers>${member('ledger-1')}${member('ledger-2')}</DBClusterMembers></DBCluster></DBClusters>`,
      );
    }
    const found = body.includes('ledger-1')
      ? instance('ledger-1', 'aurora-postgresql', 'db.r6g.large') +
        instance('ledger-2', 'aurora-postgresql', 'db.r6g.large')
      : body.includes('orders')
        ? instance('orders', 'postgres', 'db.t4g.medium')
        : '';
    return xml('DescribeDBInstances', `<DBInstances>${found}</DBInstances>`);
  }

  it('prices an instance by its class and a cluster by its members', async () => {
    cloud.answer = answers;
    const rates = await ask(configOf({ orders: 'instance', ledger: 'cluster', nowhere: 'instance' }));
    expect(Object.fromEntries(rates)).toEqual({
      orders: { known: true, hourly: 0.073 },
      ledger: { known: true, hourly: 0.626 },
      nowhere: { known: false, why: 'there is no instance nowhere in region eu-central-1' },
    });
    const [asked] = cloud.requests.filter(({ call }) => call === 'GetProducts');
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      ServiceCode: 'AmazonRDS',
      Filters: [
        { Type: 'TERM_MATCH', Field: 'regionCode', Value: 'eu-central-1' },
        { Type: 'TERM_MATCH', Field: 'instanceType', Value: 'db.t4g.medium' },
        { Type: 'TERM_MATCH', Field: 'databaseEngine', Value: 'PostgreSQL' },
        { Type: 'TERM_MATCH', Field: 'deploymentOption', Value: 'Single-AZ' },
      ],
    });
    // The list is not served in the region of the costs, so its home is asked.
    expect(String(asked?.headers['authorization'])).toContain('/us-east-1/pricing/');
  });

  it('says why there is no price when the list may not be read', async () => {
    cloud.answer = (request) =>
      request.call === 'GetProducts' ? jsonError('AccessDeniedException', 'no pricing:GetProducts') : answers(request);
    expect(Object.fromEntries(await ask(configOf({ orders: 'instance' })))).toEqual({
      orders: { known: false, why: 'AccessDeniedException: no pricing:GetProducts' },
    });
  });

  it('takes the rate of the configuration, zero as well, and asks nobody about that database', async () => {
    cloud.answer = answers;
    const config = configOf({ orders: 'instance', ledger: 'cluster', free: 'instance' });
    const { orders, ledger, free } = config.databases;
    const databases = { orders: orders!, ledger: { ...ledger!, hourlyRate: 1.25 }, free: { ...free!, hourlyRate: 0 } };
    expect(Object.fromEntries(await ask({ ...config, databases }))).toEqual({
      orders: { known: true, hourly: 0.073 },
      ledger: { known: true, hourly: 1.25 },
      free: { known: true, hourly: 0 },
    });
    expect(cloud.requests.map(({ call }) => call)).toEqual(['DescribeDBInstances', 'GetProducts']);
  });

  it('asks nobody without databases', async () => {
    expect((await ask(configOf({}))).size).toBe(0);
    expect(cloud.requests).toEqual([]);
  });

  function configOf(databases: Readonly<Record<string, 'instance' | 'cluster'>>): Config {
    const places = Object.fromEntries(
      Object.entries(databases).map(([name, type]) => [
        name,
        { type, identifier: name, region: 'eu-central-1', endpoint },
      ]),
    );
    const parsed = parseConfig({ clusterName: 'dev', externalUrl: 'https://svc.example.com', databases: places });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    return parsed.config;
  }
});
