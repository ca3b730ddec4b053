import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import {
  canaryCredentials,
  jsonError,
  type RecordedAnswer,
  RecordedCloud,
  type RecordedRequest,
} from '../../../test/support/recorded-cloud.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { dateOf, dayMs, hourMs } from '../../domain/cost/amounts.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';
import { CostDesk } from './cost-desk.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const midnight = Date.UTC(2026, 2, 10);

describe('costs over the wire', () => {
  let cloud: RecordedCloud;
  let endpoint: string;
  let clock: VirtualClock;
  let stored: string | undefined;
  let config: Config;
  const lines: { message: string; fields: LogFields | undefined }[] = [];
  const listeners = new Set<() => void>();
  const sizes: [string, number][] = [];
  const desks: CostDesk[] = [];

  beforeEach(async () => {
    cloud = new RecordedCloud();
    endpoint = await cloud.start();
    cloud.answer = answers;
    clock = new VirtualClock(noon);
    stored = undefined;
    config = configOf();
    for (const list of [lines, sizes, desks]) list.length = 0;
    listeners.clear();
  });
  afterEach(async () => {
    for (const desk of desks) desk.stop();
    await cloud.stop();
  });

  function desk(verbose = false): CostDesk {
    const note = (message: string, fields?: LogFields) => void lines.push({ message, fields });
    const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
    const made = new CostDesk({
      clock,
      log: { logger, verbose: () => verbose },
      configuration: {
        current: () => config,
        onChange(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      // Asleep from midnight to eight, every day.
      nights: async () =>
        Array.from({ length: 120 }, (_, day) => ({
          from: midnight - day * dayMs,
          to: midnight - day * dayMs + 8 * hourMs,
        })),
      databaseHours: async () => new Map([['orders', { saved: 80, ran: 160 }]]),
      stored: async ({ parameter, bytes }) => void sizes.push([parameter, bytes]),
      endpoint,
    });
    desks.push(made);
    return made;
  }

  function answers(request: RecordedRequest): RecordedAnswer {
    switch (request.call) {
      case 'GetParameter':
        return stored === undefined
          ? jsonError('ParameterNotFound', '')
          : { body: JSON.stringify({ Parameter: { Name: 'n', Value: stored } }) };
      case 'PutParameter':
        return put(request);
      case 'AddTagsToResource':
        return { body: '{}' };
      case 'GetCostAndUsage':
        return { body: JSON.stringify({ ResultsByTime: results(JSON.parse(request.body) as CostBody) }) };
      default:
        return { status: 500, body: '' };
    }
  }

  function put(request: RecordedRequest): RecordedAnswer {
    const { Value, Overwrite, Tags } = JSON.parse(request.body) as {
      Value: string;
      Overwrite?: boolean;
      Tags?: object[];
    };
    if (Overwrite === true && Tags !== undefined)
      return jsonError('ValidationException', "tags and overwrite can't be used together");
    if (stored !== undefined && Overwrite !== true)
      return jsonError('ParameterAlreadyExists', 'The parameter already exists.');
    stored = Value;
    return { body: '{"Version":1}' };
  }

  async function reload(next: Config): Promise<void> {
    config = next;
    for (const listener of listeners) listener();
  }

  const asked = (call: string) => cloud.requests.filter((request) => request.call === call);

  it('knows after a restart how full the parameter is, long before the next refresh', async () => {
    await desk().start();
    expect(sizes.splice(0)).toHaveLength(1);
    await desk().start();
    expect(sizes).toEqual([['/svc/dev/statistics', Buffer.byteLength(stored ?? '')]]);
  });

  it('asks for the days and hours of the tag, and estimates what sleeping saved', async () => {
    const made = desk();
    await made.start();
    const bodies = asked('GetCostAndUsage').map(({ body }) => JSON.parse(body) as CostBody);
    expect(bodies).toEqual([
      {
        TimePeriod: { Start: '2025-12-08', End: '2026-03-10' },
        Granularity: 'DAILY',
        Metrics: ['NetUnblendedCost'],
        Filter: { Tags: { Key: 'aws:eks:cluster-name', Values: ['dev'], MatchOptions: ['EQUALS'] } },
      },
      expect.objectContaining({
        TimePeriod: { Start: '2026-02-25T00:00:00Z', End: '2026-03-10T00:00:00Z' },
        Granularity: 'HOURLY',
      }),
    ]);
    const reading = await made.read();
    expect(reading).toMatchObject({ enabled: true, available: true });
    // Eight hours at 1 and sixteen at 3, for 92 days; each night of the 13 by the hour saved 8 × 2.
    expect(reading.report?.billed).toEqual({ from: '2025-12-08', to: '2026-03-09', amount: 92 * 56, provisional: 56 });
    expect(reading.report?.estimate).toMatchObject({
      available: true,
      method: 'hourly',
      saved: 13 * 16,
      billed: 13 * 56,
      capped: false,
      awakeHourly: 3,
      asleepHourly: 1,
    });
    expect(reading.report).toMatchObject({
      currency: 'USD',
      refreshedAt: '2026-03-10T12:00:00.000Z',
      nextRefreshAt: '2026-03-11T05:50:00.000Z',
    });
  });

  it('keeps the figures in the parameter store, with the tags and its size told', async () => {
    await desk().start();
    const [created] = asked('PutParameter').map(({ body }) => JSON.parse(body) as object);
    expect(created).toMatchObject({
      Name: '/svc/dev/statistics',
      Type: 'String',
      Tier: 'Standard',
      Tags: [{ Key: 'team', Value: 'platform' }],
    });
    expect(sizes).toEqual([['/svc/dev/statistics', Buffer.byteLength(stored ?? '')]]);
    await clock.advance(dayMs);
    await until(() => asked('AddTagsToResource').length === 1);
    expect(JSON.parse(asked('PutParameter').at(-1)!.body)).toMatchObject({ Overwrite: true });
  });

  it('asks nothing after a restart until the next refresh is due, then only for what may have changed', async () => {
    await desk().start();
    desks[0]?.stop();
    const again = desk();
    await again.start();
    expect(asked('GetCostAndUsage')).toHaveLength(2);
    expect((await again.read()).report?.billed?.amount).toBe(92 * 56);
    await clock.advance(18 * hourMs);
    await until(() => asked('GetCostAndUsage').length === 4);
    expect(JSON.parse(asked('GetCostAndUsage')[2]!.body)).toMatchObject({
      TimePeriod: { Start: '2026-03-01', End: '2026-03-11' },
    });
  });

  it('shows an access denial in the log and in the status, and tries again later', async () => {
    cloud.answer = (request) =>
      request.call === 'GetCostAndUsage'
        ? jsonError('AccessDeniedException', 'User: x is not authorized to perform: ce:GetCostAndUsage')
        : answers(request);
    const made = desk();
    await made.start();
    const message = 'Access denied: AccessDeniedException: User: x is not authorized to perform: ce:GetCostAndUsage';
    expect(await made.read()).toEqual({ enabled: true, available: false, message, report: null });
    expect(lines).toContainEqual({ message: 'Costs could not be refreshed', fields: { error: message, failures: 1 } });
    cloud.answer = answers;
    await clock.advance(5 * 60_000);
    await until(async () => (await made.read()).available);
    expect((await made.read()).message).toBeUndefined();
  });

  it('keeps showing what it knows when a later refresh fails', async () => {
    const made = desk();
    await made.start();
    cloud.answer = (request) =>
      request.call === 'GetCostAndUsage' ? jsonError('AccessDeniedException', 'no') : answers(request);
    await clock.advance(dayMs);
    await until(async () => (await made.read()).message !== undefined);
    expect(await made.read()).toMatchObject({
      available: true,
      report: { problem: 'Access denied: AccessDeniedException: no', billed: { amount: 92 * 56 } },
    });
  });

  it('falls back to days when the account has no hourly figures', async () => {
    cloud.answer = (request) =>
      request.body.includes('HOURLY')
        ? jsonError('ValidationException', 'Hourly granularity is not enabled')
        : answers(request);
    const made = desk();
    await made.start();
    expect(lines.map(({ message }) => message)).toContain('Costs by the hour are not available; the days are used');
    expect((await made.read()).report?.estimate).toMatchObject({
      available: false,
      message: 'An estimate needs at least 4 billed days, some of which slept longer than others.',
    });
  });

  it('does not write over statistics that it could not read', async () => {
    stored = '{"months":{"2020-01":1}}';
    cloud.answer = (request) =>
      request.call === 'GetParameter' ? jsonError('AccessDeniedException', 'no ssm:GetParameter') : answers(request);
    const made = desk();
    await made.start();
    expect(await made.read()).toMatchObject({ available: true });
    expect(asked('PutParameter')).toEqual([]);
    // Once it can be read again, what it holds of years ago is kept.
    stored =
      '{"v":1,"at":"2026-03-09T05:50:00Z","metric":"NetUnblendedCost","currency":"USD","billed":[],"saved":[],"provisional":[],"months":{"2024-01":77},"rates":{}}';
    cloud.answer = answers;
    await clock.advance(dayMs);
    await until(() => asked('PutParameter').length > 0);
    await until(() => stored?.includes('"from"') ?? false);
    expect(JSON.parse(stored ?? '')).toMatchObject({ months: { '2024-01': 77 } });
  });

  it('makes statistics anew that cannot be decoded, and says so', async () => {
    stored = 'not JSON';
    const made = desk();
    await made.start();
    expect(await made.read()).toMatchObject({ available: true });
    expect(lines.map(({ message }) => message)).toContain(
      'The stored cost statistics cannot be decoded and are made anew',
    );
    await until(() => stored !== 'not JSON');
    expect(JSON.parse(stored ?? '')).toMatchObject({ v: 1 });
  });

  it('asks nobody while it is off', async () => {
    config = configOf({ enabled: false });
    const made = desk();
    await made.start();
    expect(await made.read()).toEqual({
      enabled: false,
      available: false,
      message: 'config.awsCosts.enabled is false',
      report: null,
    });
    expect(cloud.requests).toEqual([]);
  });

  it('starts anew for another cluster', async () => {
    const made = desk();
    await made.start();
    await reload(configOf({ tagValue: 'prod' }));
    expect(await made.read()).toMatchObject({ available: false, message: 'Costs have not been queried yet' });
    await until(async () => (await made.read()).available);
    expect(JSON.parse(asked('GetCostAndUsage').at(-1)!.body)).toMatchObject({ Filter: { Tags: { Values: ['prod'] } } });
    const before = cloud.requests.length;
    await reload(configOf({ tagValue: 'prod' }));
    expect(cloud.requests).toHaveLength(before);
  });

  it('keeps its figures when only the time of the refresh changes', async () => {
    const made = desk();
    await made.start();
    const before = cloud.requests.length;
    await reload(configOf({ refreshTimeUTC: '11:00' }));
    await until(async () => (await made.read()).report?.nextRefreshAt === '2026-03-11T11:00:00.000Z');
    expect([(await made.read()).available, cloud.requests.length]).toEqual([true, before]);
  });

  it('does not hear of a key that is kept for older values files and ignored', async () => {
    const made = desk();
    await made.start();
    const before = cloud.requests.length;
    await reload(configOf({ cacheTTL: '2h' }));
    expect(await made.read()).toMatchObject({ available: true, report: { billed: { amount: 92 * 56 } } });
    await reload(configOf({ cacheTTL: '2h', refreshTimeUTC: '11:00' }));
    await until(async () => (await made.read()).report?.nextRefreshAt === '2026-03-11T11:00:00.000Z');
    expect(cloud.requests).toHaveLength(before);
  });

  it('puts other tags on the stored figures at once, and asks for no costs', async () => {
    await desk().start();
    const tagged = () => asked('AddTagsToResource').map(({ body }) => (JSON.parse(body) as { Tags: object[] }).Tags);
    const kept = stored;
    await reload(configOf({ resourceTags: { team: 'shop' } }));
    await until(() => tagged().length === 1);
    expect(tagged()).toEqual([[{ Key: 'team', Value: 'shop' }]]);
    expect([stored, asked('GetCostAndUsage').length]).toEqual([kept, 2]);
    await reload(configOf({ resourceTags: { team: 'shop' }, refreshTimeUTC: '11:00' }));
    await until(async () => (await desks[0]!.read()).report?.nextRefreshAt === '2026-03-11T11:00:00.000Z');
    expect(tagged()).toHaveLength(1);
  });

  it('puts tags that changed while costs were off on the figures when they are on again', async () => {
    await desk().start();
    await reload(configOf({ enabled: false }));
    await reload(configOf({ enabled: false, resourceTags: { team: 'shop' } }));
    await reload(configOf({ resourceTags: { team: 'shop' } }));
    await until(() => asked('AddTagsToResource').length === 1);
    expect(asked('GetCostAndUsage')).toHaveLength(2);
  });

  it('goes through its own proxy before the general one', async () => {
    const proxy = new RecordedCloud();
    const proxyURL = await proxy.start();
    proxy.answer = answers;
    config = configOf({ proxyURL }, { proxyURL: 'http://127.0.0.1:9' });
    await desk().start();
    expect(proxy.requests.map(({ url }) => new URL(url).origin)).toContain(endpoint);
    expect(cloud.requests).toEqual([]);
    await proxy.stop();
  });

  it('leaks no credential into the log in devMode', async () => {
    await desk(true).start();
    const everything = JSON.stringify(lines);
    expect(everything).toContain('Cloud request');
    expect(everything).toContain('NetUnblendedCost');
    for (const secret of Object.values(canaryCredentials)) expect(everything).not.toContain(secret);
  });

  function configOf(awsCosts: object = {}, extra: object = {}): Config {
    const parsed = parseConfig({
      clusterName: 'dev',
      externalUrl: 'https://svc.example.com',
      awsCosts: { enabled: true, tagValue: 'dev', resourceTags: { team: 'platform' }, ...awsCosts },
      ...extra,
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    return parsed.config;
  }
});

interface CostBody {
  readonly TimePeriod: { readonly Start: string; readonly End: string };
  readonly Granularity: 'DAILY' | 'HOURLY';
  readonly Metrics: readonly string[];
}

/** One an hour while it sleeps, three while it is awake; the last day is not final. */
function results({ TimePeriod, Granularity, Metrics }: CostBody): object[] {
  const step = Granularity === 'DAILY' ? dayMs : hourMs;
  const end = Date.parse(TimePeriod.End);
  const all: object[] = [];
  for (let at = Date.parse(TimePeriod.Start); at < end; at += step) {
    const asleep = new Date(at).getUTCHours() < 8;
    const Amount = Granularity === 'DAILY' ? '56' : asleep ? '1' : '3';
    const Start = Granularity === 'DAILY' ? dateOf(at) : new Date(at).toISOString();
    all.push({
      TimePeriod: { Start },
      Total: { [Metrics[0]!]: { Amount, Unit: 'USD' } },
      Estimated: at + dayMs >= end,
    });
  }
  return all;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt++) {
    if (await holds()) return;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('it did not happen within ten seconds');
}
