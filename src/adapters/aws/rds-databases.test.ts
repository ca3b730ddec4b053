import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import {
  canaryCredentials,
  queryError,
  type RecordedAnswer,
  RecordedCloud,
} from '../../../test/support/recorded-cloud.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';
import type { Connection } from './connection.ts';
import { rdsCalls } from './rds-client.ts';
import { afterInvalidState, RdsDatabases } from './rds-databases.ts';

describe('afterInvalidState', () => {
  const meaning = (condition: 'available' | 'starting' | 'stopping' | 'stopped' | 'failed', busy = false) => ({
    condition,
    busy,
  });
  const refused = { outcome: 'refused', status: 400, message: 'no' };
  const rows: Record<
    string,
    [Parameters<typeof afterInvalidState>[0], Parameters<typeof afterInvalidState>[1], object]
  > = {
    'a stop of what is already stopping is done': ['stop', meaning('stopping'), { outcome: 'done' }],
    'a stop of what has stopped is done': ['stop', meaning('stopped'), { outcome: 'done' }],
    'a stop during a backup fits later': ['stop', meaning('available', true), { outcome: 'conflict' }],
    'a stop of what is starting fits later': ['stop', meaning('starting'), { outcome: 'conflict' }],
    'a stop of what is simply up is refused for good': ['stop', meaning('available'), refused],
    'a start of what is starting is done': ['start', meaning('starting'), { outcome: 'done' }],
    'a start of what is up is done': ['start', meaning('available'), { outcome: 'done' }],
    'a start of what is still stopping fits later': ['start', meaning('stopping'), { outcome: 'conflict' }],
    'a start of what has failed is refused': ['start', meaning('failed'), refused],
    'when nobody can say, it may have been done': ['stop', undefined, { outcome: 'unknown', message: 'no' }],
  };
  for (const [sentence, [act, read, outcome]] of Object.entries(rows)) {
    it(sentence, () => expect(afterInvalidState(act, read, 400, 'no')).toEqual(outcome));
  }
});

describe('databases over the wire', () => {
  let cloud: RecordedCloud;
  let endpoint: string;
  let clock: VirtualClock;

  beforeEach(async () => {
    cloud = new RecordedCloud();
    endpoint = await cloud.start();
    clock = new VirtualClock(Date.UTC(2026, 0, 1));
  });
  afterEach(() => cloud.stop());

  const build = (options: { logger?: Logger; verbose?: boolean; config?: Config } = {}) =>
    new RdsDatabases({
      clock,
      log: { logger: options.logger ?? silentLogger, verbose: () => options.verbose ?? false },
      config: () => options.config ?? configOf(endpoint),
      open: rdsCalls,
    });

  it('asks for all of a region in one call, and not again within three seconds', async () => {
    cloud.answer = () => instances({ orders: 'available', carts: 'stopped' });
    const all = build();
    expect(await all.read('orders', undefined)).toEqual({ condition: 'available' });
    expect(await all.read('carts', undefined)).toEqual({ condition: 'stopped' });
    expect(cloud.requests).toHaveLength(1);
    expect(cloud.requests[0]?.body).toContain('Filters.Filter.1.Name=db-instance-id');
    await clock.advance(3_000);
    await all.read('orders', undefined);
    expect(cloud.requests).toHaveLength(2);
  });

  it('does not serve what it read before its own act', async () => {
    let status = 'available';
    cloud.answer = ({ call }) => {
      if (call === 'StopDBInstance') status = 'stopping';
      return instances({ orders: status, carts: 'available' });
    };
    const all = build();
    await all.read('orders', undefined);
    expect(await all.stop('orders')).toEqual({ outcome: 'done' });
    expect(await all.read('orders', undefined)).toEqual({ condition: 'stopping' });
  });

  it('says what goes on in the words of the cloud', async () => {
    cloud.answer = () => instances({ orders: 'backing-up', carts: 'incompatible-parameters' });
    const all = build();
    expect(await all.read('orders', undefined)).toEqual({
      condition: 'available',
      busy: true,
      message: 'instance orders is backing-up',
    });
    expect(await all.read('carts', undefined)).toEqual({
      condition: 'failed',
      message: 'instance carts is incompatible-parameters',
    });
  });

  it('looks again later at a database that is being backed up', async () => {
    cloud.answer = ({ call }) =>
      call === 'StopDBInstance'
        ? queryError('InvalidDBInstanceState', 'Instance orders is not in available state.')
        : instances({ orders: 'backing-up', carts: 'available' });
    expect(await build().stop('orders')).toEqual({ outcome: 'conflict' });
  });

  it('reports an engine that cannot be stopped in the words of the cloud', async () => {
    cloud.answer = ({ call }) =>
      call === 'StopDBInstance'
        ? queryError('InvalidParameterCombination', 'aurora DB instances are not eligible for stopping or starting.')
        : instances({ orders: 'available', carts: 'available' });
    expect(await build().stop('orders')).toEqual({
      outcome: 'refused',
      status: 400,
      message: 'InvalidParameterCombination: aurora DB instances are not eligible for stopping or starting.',
    });
  });

  it('reads a denial as unknown with its words, and refuses to act on it', async () => {
    cloud.answer = ({ call }) =>
      call === 'StopDBInstance'
        ? queryError('AccessDenied', 'not authorized to perform: rds:StopDBInstance', 403)
        : instances({ orders: 'available', carts: 'available' });
    expect(await build().stop('orders')).toEqual({
      outcome: 'refused',
      status: 403,
      message: 'AccessDenied: not authorized to perform: rds:StopDBInstance',
    });
    cloud.answer = () => queryError('AccessDenied', 'not authorized to perform: rds:DescribeDBInstances', 403);
    expect(await build().read('orders', undefined)).toEqual({
      condition: 'unknown',
      message: 'AccessDenied: not authorized to perform: rds:DescribeDBInstances',
    });
  });

  it('backs off and tries again when it is throttled', async () => {
    cloud.answer = (_request, earlier) =>
      earlier === 0 ? queryError('Throttling', 'Rate exceeded') : instances({ orders: 'available', carts: 'stopped' });
    expect(await build().read('orders', undefined)).toEqual({ condition: 'available' });
    expect(cloud.requests).toHaveLength(2);
  });

  it('leaves it open whether a stop was done when no answer says so', async () => {
    cloud.answer = ({ call }) =>
      call === 'StopDBInstance'
        ? {
            status: 503,
            body: '<ErrorResponse><Error><Code>ServiceUnavailable</Code><Message>later</Message></Error></ErrorResponse>',
          }
        : instances({ orders: 'available', carts: 'available' });
    expect(await build().stop('orders')).toMatchObject({ outcome: 'unknown' });
  });

  it('still starts a database that has left the configuration', async () => {
    cloud.answer = () => instances({ orders: 'stopped', carts: 'available' });
    let config = configOf(endpoint);
    const all = new RdsDatabases({
      clock,
      log: { logger: silentLogger, verbose: () => false },
      config: () => config,
      open: rdsCalls,
    });
    await all.read('orders', undefined);
    config = configOf(endpoint, { databases: {} });
    expect(await all.start('orders', undefined)).toEqual({ outcome: 'done' });
    expect(cloud.requests.at(-1)?.call).toBe('StartDBInstance');
  });

  it('sends plain requests through the proxy of the configuration', async () => {
    const proxy = new RecordedCloud();
    const proxyURL = await proxy.start();
    proxy.answer = () => instances({ orders: 'available', carts: 'stopped' });
    const config = configOf('http://rds.example.test:4566', { proxyURL });
    expect(await build({ config }).read('orders', undefined)).toEqual({ condition: 'available' });
    expect(proxy.requests[0]?.url).toBe('http://rds.example.test:4566/');
    await proxy.stop();
  });

  it("goes over a database's own proxy before the general one, and under its own profile", async () => {
    const proxy = new RecordedCloud();
    const proxyURL = await proxy.start();
    const opened: Connection[] = [];
    const general = 'http://127.0.0.1:1';
    const place = { type: 'instance', identifier: 'orders', region: 'eu-central-1', endpoint: 'http://rds.test:4566' };
    const databases = { orders: { ...place, proxyURL, profile: 'ops' }, carts: { ...place, identifier: 'carts' } };
    const config = configOf(undefined, { proxyURL: general, databases });
    const all = new RdsDatabases({
      clock,
      log: { logger: silentLogger, verbose: () => false },
      config: () => config,
      open: async (connection, log) => {
        opened.push(connection);
        const { profile: _, ...rest } = connection;
        return rdsCalls(rest, log);
      },
    });
    proxy.answer = () => instances({ orders: 'available' });
    expect(await all.read('orders', undefined)).toEqual({ condition: 'available' });
    expect(proxy.requests[0]?.url).toBe('http://rds.test:4566/');
    expect(await all.read('carts', undefined)).toMatchObject({ condition: 'unknown' });
    const { region, endpoint: address } = place;
    expect(opened).toEqual([
      { region, endpoint: address, profile: 'ops', proxyUrl: proxyURL },
      { region, endpoint: address, proxyUrl: general },
    ]);
    await proxy.stop();
  });

  it('reads the credentials of the profile that a database names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-aws-'));
    const file = join(folder, 'credentials');
    await writeFile(file, '[ops]\naws_access_key_id = AKIAOFTHEPROFILE\naws_secret_access_key = secret\n');
    const before = process.env['AWS_SHARED_CREDENTIALS_FILE'];
    process.env['AWS_SHARED_CREDENTIALS_FILE'] = file;
    try {
      cloud.answer = () => instances({ orders: 'available' });
      const place = { type: 'instance', identifier: 'orders', region: 'eu-central-1', endpoint };
      const config = configOf(undefined, { databases: { orders: { ...place, profile: 'ops' } } });
      expect(await build({ config }).read('orders', undefined)).toEqual({ condition: 'available' });
      expect(cloud.requests[0]?.headers['authorization']).toContain('Credential=AKIAOFTHEPROFILE/');
    } finally {
      if (before === undefined) delete process.env['AWS_SHARED_CREDENTIALS_FILE'];
      else process.env['AWS_SHARED_CREDENTIALS_FILE'] = before;
      await rm(folder, { recursive: true });
    }
  });

  it('tunnels to the public address through the proxy', async () => {
    const proxy = new RecordedCloud();
    const config = configOf(undefined, { proxyURL: await proxy.start() });
    expect(await build({ config }).read('orders', undefined)).toMatchObject({ condition: 'unknown' });
    expect(proxy.tunnels[0]).toBe('rds.eu-central-1.amazonaws.com:443');
    await proxy.stop();
  });

  it('shows the wire in devMode without a credential, in requests, answers and errors', async () => {
    const secrets = Object.values(canaryCredentials);
    cloud.answer = ({ call }) =>
      call === 'StopDBInstance'
        ? queryError('InvalidClientTokenId', `The token ${canaryCredentials.AWS_ACCESS_KEY_ID} is invalid`, 403)
        : instances({ orders: 'available', carts: canaryCredentials.AWS_SECRET_ACCESS_KEY });
    const lines: { message: string; fields: LogFields | undefined }[] = [];
    const note = (message: string, fields?: LogFields) => void lines.push({ message, fields });
    const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    const all = build({ logger, verbose: true });
    await all.read('orders', undefined);
    await all.stop('orders');
    expect(lines.map(({ message }) => message)).toEqual([
      'Cloud request',
      'Cloud answer',
      'Cloud request',
      'Cloud error',
    ]);
    expect(String(lines[1]?.fields?.['body'])).toContain('"DBInstanceStatus":"available"');
    for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
  });
});

function configOf(endpoint: string | undefined, extra: Record<string, unknown> = {}): Config {
  const place = (identifier: string) => ({
    type: 'instance',
    identifier,
    region: 'eu-central-1',
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  const parsed = parseConfig({
    clusterName: 'test',
    externalUrl: 'https://svc.example.com',
    databases: { orders: place('orders'), carts: place('carts') },
    ...extra,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

/** As the service answered, with the fields that are read. */
function instances(statuses: Readonly<Record<string, string>>): RecordedAnswer {
  const one = ([identifier, status]: [string, string]) =>
    `<DBInstance><DBInstanceIdentifier>${identifier}</DBInstanceIdentifier><DBInstanceStatus>${status}</DBInstanceStatus><Engine>postgres</Engine><DBInstanceClass>db.t4g.medium</DBInstanceClass><MultiAZ>false</MultiAZ></DBInstance>`;
  const all = Object.entries(statuses).map(one).join('');
  return {
    body: `<DescribeDBInstancesResponse xmlns="http://rds.amazonaws.com/doc/2014-10-31/"><DescribeDBInstancesResult><DBInstances>${all}</DBInstances></DescribeDBInstancesResult></DescribeDBInstancesResponse>`,
  };
}
