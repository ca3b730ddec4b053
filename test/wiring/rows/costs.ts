import { expect } from 'vitest';
import type { RecordedRequest } from '../../support/recording-server.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';
import type { Moment } from '../tables/evidence.ts';
import { admin } from './sign-in.ts';

/** Where `AWS_ENDPOINT_URL` sends all calls of the cloud. */
export const cloudHost = 'aws.test';

const hourlyRate = { start: 0.25, reload: 0.75 } as const;

const settings = (moment: Moment, { proxyUrl, otherProxyUrl }: Outside): Config => ({
  databases: {
    orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1', hourlyRate: hourlyRate[moment] },
  },
  operations: { logLevel: 'debug', devMode: moment === 'start' },
  awsCosts:
    moment === 'start'
      ? {
          enabled: true,
          tagKey: 'cluster',
          tagValue: 'first',
          costMetric: 'BlendedCost',
          hourlyGranularity: true,
          region: 'us-east-1',
          statsRegion: 'eu-central-1',
          profile: 'first',
          proxyURL: otherProxyUrl,
          refreshTimeUTC: '01:10',
          resourceTags: { team: 'first' },
        }
      : {
          enabled: true,
          tagKey: 'system',
          tagValue: 'second',
          costMetric: 'AmortizedCost',
          hourlyGranularity: false,
          region: 'us-west-2',
          statsRegion: 'eu-west-1',
          profile: 'second',
          proxyURL: proxyUrl,
          refreshTimeUTC: '02:20',
          resourceTags: { team: 'second' },
        },
});

interface CloudCall {
  readonly name: string;
  readonly region: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const callOf = ({ headers, body }: RecordedRequest): CloudCall => {
  const [, key = '', region = ''] = /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(headers.authorization ?? '') ?? [];
  const name =
    String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? '';
  return { name, region, key, body: JSON.parse(body || '{}') as Record<string, unknown> };
};

/** The calls that went the way that the moment's proxy is. */
const calls = ({ outside, moment }: Looking): readonly CloudCall[] =>
  (moment === 'start' ? outside.otherRequests(cloudHost) : outside.requests(cloudHost)).map(callOf);

const called = (looking: Looking, name: string) =>
  until(`the cloud is asked for ${name}`, () => calls(looking).find((one) => one.name === name), 6_000);

/** Enough of a cloud that costs can be asked for and kept. */
export function answerCloud(outside: Outside): void {
  outside.host(cloudHost, (request, response) => {
    const { name, body } = callOf(request);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (name === 'GetParameter') {
      response.statusCode = 400;
      return response.end(JSON.stringify({ __type: 'ParameterNotFound', message: 'no' }));
    }
    if (name !== 'GetCostAndUsage') return response.end('{}');
    const metric = (body['Metrics'] as readonly string[] | undefined)?.[0] ?? 'Cost';
    const { Start = '', End = '' } = (body['TimePeriod'] ?? {}) as { Start?: string; End?: string };
    const period = { Start, End: Start.length > 10 ? End : nextDay(Start) };
    const results = [{ TimePeriod: period, Total: { [metric]: { Amount: '12.5', Unit: 'USD' } }, Estimated: false }];
    return response.end(JSON.stringify({ ResultsByTime: results }));
  });
}

function nextDay(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

const row = (keys: readonly string[], seen: string, look: Row['look']): Row => ({
  keys,
  seen,
  start: {},
  reload: {},
  look,
});

export const costRows: readonly Row[] = [
  {
    ...row(
      ['awsCosts.enabled', 'awsCosts.tagKey', 'awsCosts.tagValue', 'awsCosts.costMetric', 'awsCosts.region'],
      'the question that the cloud is asked for costs',
      async (looking) => {
        const { body, region } = await called(looking, 'GetCostAndUsage');
        const start = looking.moment === 'start';
        expect(JSON.stringify(body['Filter'])).toContain(
          start ? '{"Key":"cluster","Values":["first"]' : '{"Key":"system","Values":["second"]',
        );
        expect(body['Metrics']).toEqual([start ? 'BlendedCost' : 'AmortizedCost']);
        expect(region).toBe(start ? 'us-east-1' : 'us-west-2');
      },
    ),
    start: (outside) => settings('start', outside),
    reload: (outside) => settings('reload', outside),
  },
  row(
    ['awsCosts.profile', 'awsCosts.proxyURL'],
    'who signs the question, and which proxy it goes through',
    async (looking) => {
      const { key } = await called(looking, 'GetCostAndUsage');
      expect(key).toBe(looking.moment === 'start' ? 'KEYOFFIRST' : 'KEYOFSECOND');
    },
  ),
  row(
    ['awsCosts.statsRegion', 'awsCosts.resourceTags.<name>'],
    'where and with which tags statistics are kept',
    async (looking) => {
      const { region, body } = await called(looking, 'PutParameter');
      const start = looking.moment === 'start';
      expect(region).toBe(start ? 'eu-central-1' : 'eu-west-1');
      expect(body['Tags']).toEqual([{ Key: 'team', Value: start ? 'first' : 'second' }]);
    },
  ),
  row(['awsCosts.hourlyGranularity'], 'whether costs are asked for by the hour', async (looking) => {
    await called(looking, 'PutParameter');
    const hourly = calls(looking).some(({ body }) => body['Granularity'] === 'HOURLY');
    expect(hourly).toBe(looking.moment === 'start');
  }),
  row(['awsCosts.refreshTimeUTC'], 'when costs are refreshed next, as `GET /api/v1/costs` says', async (looking) => {
    await called(looking, 'PutParameter');
    const { report } = await (await looking.service.as(admin)).costs();
    expect(JSON.stringify(report)).toContain(looking.moment === 'start' ? 'T01:10:00' : 'T02:20:00');
  }),
  row(['databases.<name>.hourlyRate'], 'the price of the database in the cost report', async (looking) => {
    await called(looking, 'PutParameter');
    const { report } = await (await looking.service.as(admin)).costs();
    expect(report?.['databases']).toEqual([
      expect.objectContaining({ name: 'orders', hourly: hourlyRate[looking.moment] }),
    ]);
  }),
  row(['operations.devMode'], 'requests to the cloud in the log', async (looking) => {
    await called(looking, 'PutParameter');
    const from = looking.moment === 'start' ? 0 : looking.service.log.api.length;
    const told = looking.service.log.api.slice(from).some((line) => JSON.stringify(line).includes('GetCostAndUsage'));
    expect(told).toBe(looking.moment === 'start');
  }),
];
