import { describe, expect, it } from 'vitest';
import type { InstanceFacts } from '../database/stoppable.ts';
import { hourlyPrice, type PriceQuestion, priceQuestion } from './database-rate.ts';

const instance: InstanceFacts = {
  kind: 'instance',
  identifier: 'orders',
  status: 'available',
  engine: 'postgres',
  instanceClass: 'db.t4g.medium',
  multiAz: false,
  storageType: 'gp3',
  replicas: [],
};

describe('priceQuestion', () => {
  const rows: Record<string, [Partial<InstanceFacts>, object | string]> = {
    'an instance in one zone': [
      {},
      { databaseEngine: 'PostgreSQL', deploymentOption: 'Single-AZ', ioOptimized: false },
    ],
    'an instance in several zones': [
      { multiAz: true, engine: 'mariadb' },
      { databaseEngine: 'MariaDB', deploymentOption: 'Multi-AZ' },
    ],
    'a licensed engine with its edition': [
      { engine: 'sqlserver-se' },
      { databaseEngine: 'SQL Server', databaseEdition: 'Standard' },
    ],
    'Oracle as a container database': [
      { engine: 'oracle-se2-cdb' },
      { databaseEngine: 'Oracle', databaseEdition: 'Standard Two' },
    ],
    'a member of Aurora with its input and output included': [
      { engine: 'aurora-postgresql', storageType: 'aurora-iopt1' },
      { databaseEngine: 'Aurora PostgreSQL', ioOptimized: true },
    ],
    'a serverless member has no price an hour': [
      { instanceClass: 'db.serverless' },
      'Aurora Serverless is billed by its capacity, not by the hour.',
    ],
    'an engine that the list does not know': [{ engine: 'db2-se' }, 'The list of prices has no engine for db2-se.'],
  };
  for (const [sentence, [facts, expected]] of Object.entries(rows)) {
    it(sentence, () => {
      const question = priceQuestion('eu-central-1', { ...instance, ...facts });
      if (typeof expected === 'string') expect(question).toBe(expected);
      else expect(question).toMatchObject(expected);
    });
  }
});

describe('hourlyPrice', () => {
  const question = priceQuestion('eu-central-1', instance) as PriceQuestion;
  const listing = (usagetype: string, price: string, unit = 'Hrs') =>
    JSON.stringify({
      product: { attributes: { usagetype } },
      terms: { OnDemand: { a: { priceDimensions: { b: { unit, pricePerUnit: { USD: price } } } } }, Reserved: {} },
    });

  it('takes the price of an hour, and the lowest of several', () => {
    expect(hourlyPrice(question, [listing('EUC1-InstanceUsage:db.t4g.med', '0.0730000000')])).toEqual({
      known: true,
      hourly: 0.073,
    });
    expect(hourlyPrice(question, [listing('x', '0.2'), listing('y', '0.1')])).toEqual({ known: true, hourly: 0.1 });
  });

  it('leaves out other units, free ones, other storage and what is no listing', () => {
    const why = 'The list of prices has no hour of db.t4g.medium with PostgreSQL (Single-AZ) in eu-central-1.';
    const useless = [
      listing('x', '0.1', 'GB-Mo'),
      listing('x', '0.0000000000'),
      listing('EUC1-InstanceUsageIOOptimized:x', '0.3'),
      'no json',
    ];
    expect(hourlyPrice(question, useless)).toEqual({ known: false, why });
    expect(hourlyPrice({ ...question, ioOptimized: true }, useless)).toEqual({ known: true, hourly: 0.3 });
  });
});
