import { readFileSync } from 'node:fs';
import { CreateDBInstanceCommand, RDSClient } from '@aws-sdk/client-rds';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parameterStore } from '../../src/adapters/aws/parameter-store.ts';
import { rdsCalls } from '../../src/adapters/aws/rds-client.ts';
import { RdsDatabases } from '../../src/adapters/aws/rds-databases.ts';
import { parseConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { canary, type Moto, resetMoto, startMoto } from './moto.ts';
import { recordedLog } from './recorded-log.ts';

// The policies that docs/databases.md and docs/costs.md tell people to attach are the ones that our own calls are made with.

interface Statement {
  readonly Sid: string;
  readonly Action: readonly string[];
  readonly Resource: string | readonly string[];
}

interface Policy {
  readonly Version: string;
  readonly Statement: readonly Statement[];
}

const policyOf = (name: string) => JSON.parse(readFileSync(`docs/iam/${name}.json`, 'utf8')) as Policy;

const region = 'eu-central-1';
const everything = Number.MAX_SAFE_INTEGER;
let moto: Moto;
beforeAll(async () => {
  moto = await startMoto();
}, 120_000);
afterAll(() => moto.stop());
beforeEach(async () => {
  await checkRightsAfter(everything);
  await resetMoto(moto);
  Object.assign(process.env, canary);
  await new RDSClient({ region, endpoint: moto.url }).send(
    new CreateDBInstanceCommand({
      DBInstanceIdentifier: 'orders',
      Engine: 'postgres',
      DBInstanceClass: 'db.t4g.medium',
      AllocatedStorage: 20,
      MasterUsername: 'root',
      MasterUserPassword: 'canary-password',
    }),
  );
});

/** The emulator takes any call, and from here on only what the caller's policies allow. */
async function checkRightsAfter(calls: number): Promise<void> {
  await fetch(`${moto.url}/moto-api/reset-auth`, { method: 'POST', body: String(calls) });
}

async function iam(parameters: Readonly<Record<string, string>>): Promise<string> {
  const scope = `${canary.AWS_ACCESS_KEY_ID}/20260101/us-east-1/iam/aws4_request`;
  const answer = await fetch(moto.url, {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ Version: '2010-05-08', ...parameters }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** From here on every call is made by somebody who has this policy and nothing else. */
async function actWith(policy: Policy): Promise<void> {
  await iam({ Action: 'CreateUser', UserName: 'svc' });
  // The emulator asks about the resource `*` whatever is meant, so it can judge actions alone.
  const judged = { ...policy, Statement: policy.Statement.map((one) => ({ ...one, Resource: '*' })) };
  const PolicyDocument = JSON.stringify(judged);
  await iam({ Action: 'PutUserPolicy', UserName: 'svc', PolicyName: 'svc', PolicyDocument });
  const made = await iam({ Action: 'CreateAccessKey', UserName: 'svc' });
  const field = (name: string) => new RegExp(`<${name}>([^<]+)<`).exec(made)?.[1] ?? '';
  process.env['AWS_ACCESS_KEY_ID'] = field('AccessKeyId');
  process.env['AWS_SECRET_ACCESS_KEY'] = field('SecretAccessKey');
  delete process.env['AWS_SESSION_TOKEN'];
  await checkRightsAfter(0);
}

const without = (policy: Policy, action: string): Policy => ({
  ...policy,
  Statement: policy.Statement.map((one) => ({ ...one, Action: one.Action.filter((other) => other !== action) })),
});

function databases(): RdsDatabases {
  const parsed = parseConfig({
    clusterName: 'test',
    externalUrl: 'https://svc.example.com',
    databases: { orders: { type: 'instance', identifier: 'orders', region, endpoint: moto.url } },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const log = { logger: recordedLog().logger, verbose: () => false };
  return new RdsDatabases({ clock: systemClock, log, config: () => parsed.config, open: rdsCalls });
}

const store = () =>
  parameterStore({ region, endpoint: moto.url }, { logger: recordedLog().logger, verbose: () => false });

describe('docs/iam/databases.json', () => {
  it('is enough to see, stop and start a database', async () => {
    await actWith(policyOf('databases'));
    const all = databases();
    expect(await all.read('orders', undefined)).toEqual({ condition: 'available' });
    expect(await all.stop('orders')).toEqual({ outcome: 'done' });
    expect(await all.start('orders', undefined)).toEqual({ outcome: 'done' });
  });

  it('has nothing to spare: without an action its call is refused', async () => {
    await actWith(without(policyOf('databases'), 'rds:StopDBInstance'));
    expect(await databases().stop('orders')).toMatchObject({ outcome: 'refused' });
  });
});

describe('docs/iam/costs.json', () => {
  it('is enough to keep statistics', async () => {
    await actWith(policyOf('costs'));
    const parameters = await store();
    expect(await parameters.read('/svc/dev/statistics')).toBeUndefined();
    await parameters.write('/svc/dev/statistics', 'one', { team: 'platform' });
    await parameters.write('/svc/dev/statistics', 'two', { team: 'platform' });
    expect(await parameters.read('/svc/dev/statistics')).toBe('two');
  });

  it('has nothing to spare: without an action its call is refused', async () => {
    await actWith(without(policyOf('costs'), 'ssm:PutParameter'));
    // The emulator refuses in the words of another protocol, so the status has to tell.
    const writing = (await store()).write('/svc/dev/statistics', 'one', {});
    await expect(writing).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('allows every action that src/adapters/aws/README.md names, and no other', () => {
    const named = [...readFileSync('src/adapters/aws/README.md', 'utf8').matchAll(/`((?:rds|ce|ssm|pricing):\w+)`/g)];
    const allowed = ['databases', 'costs'].flatMap((name) => policyOf(name).Statement.flatMap(({ Action }) => Action));
    expect(new Set(allowed)).toEqual(new Set(named.map(([, action]) => action)));
  });
});
