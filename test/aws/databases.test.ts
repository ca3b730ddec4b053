import {
  CreateDBClusterCommand,
  CreateDBInstanceCommand,
  CreateDBInstanceReadReplicaCommand,
  RDSClient,
} from '@aws-sdk/client-rds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rdsCalls } from '../../src/adapters/aws/rds-client.ts';
import { RdsDatabases } from '../../src/adapters/aws/rds-databases.ts';
import { parseConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { canary, type Moto, resetMoto, startMoto } from './moto.ts';
import { recordedLog } from './recorded-log.ts';

let moto: Moto;
let rds: RDSClient;
beforeAll(async () => {
  moto = await startMoto();
  rds = new RDSClient({ region: 'eu-central-1', endpoint: moto.url });
}, 120_000);
afterAll(() => moto.stop());
beforeEach(async () => {
  await resetMoto(moto);
  const instance = (DBInstanceIdentifier: string, Engine = 'postgres', MultiAZ = false) =>
    rds.send(
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
  await instance('orders');
  await instance('reports', 'sqlserver-se', true);
  await rds.send(
    new CreateDBInstanceReadReplicaCommand({
      DBInstanceIdentifier: 'orders-replica',
      SourceDBInstanceIdentifier: 'orders',
    }),
  );
  await instance('carts');
  await rds.send(
    new CreateDBClusterCommand({
      DBClusterIdentifier: 'ledger',
      Engine: 'aurora-postgresql',
      MasterUsername: 'root',
      MasterUserPassword: 'canary-password',
    }),
  );
});

function databases(options: { verbose?: boolean; extra?: Record<string, unknown> } = {}) {
  const { logger, lines } = recordedLog();
  const place = (type: string, identifier: string) => ({
    type,
    identifier,
    region: 'eu-central-1',
    endpoint: moto.url,
  });
  const parsed = parseConfig({
    clusterName: 'test',
    externalUrl: 'https://svc.example.com',
    databases: {
      carts: place('instance', 'carts'),
      orders: place('instance', 'orders'),
      replica: place('instance', 'orders-replica'),
      reports: place('instance', 'reports'),
      ledger: place('cluster', 'ledger'),
      nowhere: place('instance', 'nowhere'),
    },
    ...options.extra,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const log = { logger, verbose: () => options.verbose ?? false };
  return {
    lines,
    databases: new RdsDatabases({ clock: systemClock, log, config: () => parsed.config, open: rdsCalls }),
  };
}

describe('databases in the emulator', () => {
  it('stops an instance, sees it stopped, starts it, sees it available', async () => {
    const { databases: all } = databases();
    expect(await all.read('carts', undefined)).toEqual({ condition: 'available' });
    expect(await all.stop('carts')).toEqual({ outcome: 'done' });
    expect(await all.read('carts', undefined)).toEqual({ condition: 'stopped' });
    expect(await all.start('carts', undefined)).toEqual({ outcome: 'done' });
    expect(await all.read('carts', undefined)).toEqual({ condition: 'available' });
  });

  it('stops and starts a cluster', async () => {
    const { databases: all } = databases();
    expect(await all.stop('ledger')).toEqual({ outcome: 'done' });
    expect(await all.read('ledger', undefined)).toEqual({ condition: 'stopped' });
    expect(await all.start('ledger', undefined)).toEqual({ outcome: 'done' });
    expect(await all.read('ledger', undefined)).toEqual({ condition: 'available' });
  });

  it('takes a stop of what is already stopped for done, and a start of what runs', async () => {
    const { databases: all } = databases();
    await all.stop('carts');
    expect(await all.stop('carts')).toEqual({ outcome: 'done' });
    await all.start('carts', undefined);
    expect(await all.start('carts', undefined)).toEqual({ outcome: 'done' });
  });

  it('refuses what the cloud never stops, in words that name it', async () => {
    const { databases: all } = databases();
    expect(await all.stop('replica')).toMatchObject({
      outcome: 'refused',
      message: 'instance orders-replica is a read replica of orders, and the cloud stops no read replica',
    });
    expect(await all.stop('orders')).toMatchObject({
      outcome: 'refused',
      message: 'instance orders has read replicas (orders-replica), and the cloud stops no instance that has one',
    });
    expect(await all.stop('reports')).toMatchObject({
      outcome: 'refused',
      message: 'instance reports runs SQL Server in several availability zones, which the cloud does not stop',
    });
  });

  it('says what is not there', async () => {
    const { databases: all } = databases();
    expect(await all.read('nowhere', undefined)).toEqual({
      condition: 'failed',
      message: 'there is no instance nowhere in region eu-central-1',
      gone: true,
    });
    expect(await all.stop('nowhere')).toEqual({ outcome: 'gone' });
    expect(await all.read('unheard-of', undefined)).toEqual({
      condition: 'unknown',
      message: 'database unheard-of is no longer in config.databases: put it back, or start it in the cloud by hand',
    });
  });

  it('logs requests, signing and answers in devMode, and no credential', async () => {
    const { databases: all, lines } = databases({ verbose: true });
    await all.read('carts', undefined);
    await all.stop('carts');
    const requests = lines.filter(({ message }) => message === 'Cloud request');
    expect(requests.length).toBeGreaterThanOrEqual(2);
    expect(String(requests.at(-1)?.fields['body'])).toContain('Action=StopDBInstance');
    const headers = requests.at(-1)?.fields['headers'] as Record<string, string>;
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=\[redacted\]\/\d{8}\/eu-central-1\/rds\/aws4_request, SignedHeaders=.*, Signature=\[redacted\]$/,
    );
    expect(
      lines.some(({ message, fields }) => message === 'Cloud answer' && String(fields['body']).includes('DBInstances')),
    ).toBe(true);
    const everything = JSON.stringify(lines);
    for (const secret of [...Object.values(canary), 'canary-password']) expect(everything).not.toContain(secret);
  });

  it('logs nothing of the wire otherwise', async () => {
    const { databases: all, lines } = databases();
    await all.read('carts', undefined);
    expect(lines).toEqual([]);
  });
});
