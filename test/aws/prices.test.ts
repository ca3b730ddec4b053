import { CreateDBInstanceCommand, RDSClient } from '@aws-sdk/client-rds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CostDesk } from '../../src/adapters/aws/cost-desk.ts';
import { cloudSources, databaseRates } from '../../src/adapters/aws/database-rates.ts';
import { type PriceList, priceList } from '../../src/adapters/aws/price-list.ts';
import { type Config, parseConfig } from '../../src/config/config.ts';
import type { PriceQuestion } from '../../src/domain/cost/database-rate.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type Moto, resetMoto, startMoto } from './moto.ts';
import { recordedLog } from './recorded-log.ts';

// The emulator runs databases and has no price list: the questions to the list come from what it says of the databases,
// the answers are recorded ones (see src/adapters/aws/database-rates.test.ts for the list itself).

let moto: Moto;
beforeAll(async () => {
  moto = await startMoto();
}, 120_000);
afterAll(() => moto.stop());
beforeEach(async () => {
  await resetMoto(moto);
  const rds = new RDSClient({ region: 'eu-central-1', endpoint: moto.url });
  for (const [DBInstanceIdentifier, Engine, MultiAZ] of [
    ['orders', 'postgres', false],
    ['carts', 'mysql', true],
  ] as const) {
    await rds.send(
      new CreateDBInstanceCommand({
        DBInstanceIdentifier,
        Engine,
        MultiAZ,
        DBInstanceClass: 'db.t4g.medium',
        AllocatedStorage: 20,
        MasterUsername: 'root',
        MasterUserPassword: 'canary-password',
      }),
    );
  }
});

const log = () => ({ logger: recordedLog().logger, verbose: () => false });

function configOf(hourlyRate?: number): Config {
  const place = (identifier: string) => ({
    type: 'instance',
    identifier,
    region: 'eu-central-1',
    endpoint: moto.url,
  });
  const parsed = parseConfig({
    clusterName: 'dev',
    externalUrl: 'https://svc.example.com',
    awsCosts: { enabled: true, tagValue: 'dev' },
    databases: {
      orders: place('orders'),
      carts: { ...place('carts'), ...(hourlyRate === undefined ? {} : { hourlyRate }) },
      nowhere: place('nowhere'),
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

describe('prices of databases in the emulator', () => {
  const costs = () => ({ region: 'us-east-1', endpoint: moto.url });

  it('ask the list for what the database service says of each', async () => {
    const asked: PriceQuestion[] = [];
    const prices = async (): Promise<PriceList> => ({
      hourly: async (question) => {
        asked.push(question);
        return { known: true, hourly: asked.length };
      },
      destroy() {},
    });
    expect(Object.fromEntries(await databaseRates(configOf(), costs(), log(), { ...cloudSources, prices }))).toEqual({
      orders: { known: true, hourly: 1 },
      carts: { known: true, hourly: 2 },
      nowhere: { known: false, why: expect.stringContaining('nowhere') },
    });
    const alike = { region: 'eu-central-1', instanceType: 'db.t4g.medium', ioOptimized: false };
    expect(asked).toEqual([
      { ...alike, databaseEngine: 'PostgreSQL', deploymentOption: 'Single-AZ' },
      { ...alike, databaseEngine: 'MySQL', deploymentOption: 'Multi-AZ' },
    ]);
  });

  it('are unknown with the reason where there is no list, and need none where the configuration names them', async () => {
    const list = await priceList(costs(), log());
    await expect(
      list.hourly({
        region: 'eu-central-1',
        instanceType: 'db.t4g.medium',
        databaseEngine: 'PostgreSQL',
        deploymentOption: 'Single-AZ',
        ioOptimized: false,
      }),
    ).rejects.toThrow();
    list.destroy();
    const rates = Object.fromEntries(await databaseRates(configOf(0.2), costs(), log(), cloudSources));
    expect(rates['carts']).toEqual({ known: true, hourly: 0.2 });
    expect(rates['orders']).toEqual({ known: false, why: expect.any(String) });
  }, 60_000);

  it('that cannot be read hold up neither the costs nor the rates that are known', async () => {
    const day = (Start: string, Amount: string) => ({
      TimePeriod: { Start, End: Start },
      Total: { NetUnblendedCost: { Amount, Unit: 'USD' } },
      Groups: [],
      Estimated: false,
    });
    await fetch(`${moto.url}/moto-api/static/ce/cost-and-usage-results`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ results: [{ ResultsByTime: [day('2026-01-01', '3')] }, { ResultsByTime: [] }] }),
    });
    const config = configOf(0.2);
    const desk = new CostDesk({
      clock: systemClock,
      log: log(),
      configuration: { current: () => config, onChange: () => () => {} },
      stored: async () => {},
      nights: async () => [],
      databaseHours: async () =>
        new Map([
          ['carts', { saved: 10, ran: 30 }],
          ['orders', { saved: 10, ran: 30 }],
        ]),
      endpoint: moto.url,
    });
    await desk.start();
    desk.stop();
    const { report } = await desk.read();
    expect(report?.billed).toMatchObject({ amount: 3 });
    expect(report?.databases).toEqual([
      { name: 'carts', hourly: 0.2, savedHours: 10, savedEstimate: 2, capped: false },
      { name: 'orders', savedHours: 10, message: expect.any(String) },
    ]);
    expect(report?.databases[1]?.message).not.toBe('Its price is not known yet.');
  }, 60_000);
});
