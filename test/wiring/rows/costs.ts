import type { RecordedRequest } from '../../support/recording-server.ts';
import { FakeRds } from '../harness/fake-rds.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';
import type { Moment } from '../tables/evidence.ts';
import { admin } from './sign-in.ts';

/** Where `AWS_ENDPOINT_URL` sends all calls of the cloud. */
export const cloudHost = 'aws.test';

/** Where the cloud is asked about a database. */
const databaseHosts = { start: 'rds-first.test', reload: 'rds-second.test' } as const;
const rds = new FakeRds();

const hourlyRate = { start: 0.25, reload: 0.75 } as const;

const settings = (moment: Moment, { proxyUrl, otherProxyUrl }: Outside): Config => ({
  databases: {
    orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1', hourlyRate: hourlyRate[moment] },
    // It states no price: the cloud is asked what it is, and what such a one costs.
    carts: {
      type: 'instance',
      identifier: 'carts',
      region: 'eu-central-1',
      endpoint: `http://${databaseHosts[moment]}`,
      profile: moment === 'start' ? 'first' : 'second',
      proxyURL: moment === 'start' ? otherProxyUrl : proxyUrl,
    },
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
  for (const host of Object.values(databaseHosts)) outside.host(host, rds.answer);
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

/** Every key of these rows is set by the first of them. */
const row = (keys: Row['keys'], seen: string, see: Row['see']): Row => ({
  keys,
  in: 'api',
  seen,
  start: {},
  reload: {},
  see,
});

/** What the filter of a question says of the tag. */
interface TagFilter {
  readonly Tags?: { readonly Key: string; readonly Values: readonly string[] };
  readonly And?: readonly TagFilter[];
}
const tagOf = (filter: TagFilter): TagFilter['Tags'] =>
  filter.Tags ?? filter.And?.map(tagOf).find((tag) => tag !== undefined);

const report = async ({ service }: Looking) => (await service.as(admin)).costs();

export const costRows: readonly Row[] = [
  {
    ...row(
      {
        'awsCosts.tagKey': { start: 'cluster', reload: 'system' },
        'awsCosts.tagValue': { start: ['first'], reload: ['second'] },
        'awsCosts.costMetric': { start: ['BlendedCost'], reload: ['AmortizedCost'] },
        'awsCosts.region': { start: 'us-east-1', reload: 'us-west-2' },
      },
      'the question that the cloud is asked for costs',
      async (looking) => {
        const { body, region } = await called(looking, 'GetCostAndUsage');
        const tag = tagOf(body['Filter'] as TagFilter);
        return {
          'awsCosts.tagKey': tag?.Key,
          'awsCosts.tagValue': tag?.Values,
          'awsCosts.costMetric': body['Metrics'],
          'awsCosts.region': region,
        };
      },
    ),
    start: (outside) => settings('start', outside),
    reload: (outside) => settings('reload', outside),
  },
  row(
    {
      'awsCosts.profile': { start: 'KEYOFFIRST', reload: 'KEYOFSECOND' },
      'awsCosts.proxyURL': { start: 'the second proxy', reload: 'the general one' },
    },
    'who signs the question, and which proxy it goes through',
    async ({ outside, moment }) => {
      const asked = () => {
        const ways = {
          'the second proxy': outside.otherRequests(cloudHost),
          'the general one': outside.requests(cloudHost),
        };
        const found = Object.entries(ways).flatMap(([way, requests]) =>
          requests.map((request) => ({ way, call: callOf(request) })),
        );
        const tagValue = moment === 'start' ? 'first' : 'second';
        return found.find(
          ({ call }) =>
            call.name === 'GetCostAndUsage' && tagOf(call.body['Filter'] as TagFilter)?.Values[0] === tagValue,
        );
      };
      const { way, call } = await until('the question about this tag', asked, 6_000);
      return { 'awsCosts.profile': call.key, 'awsCosts.proxyURL': way };
    },
  ),
  row(
    {
      'awsCosts.statsRegion': { start: 'eu-central-1', reload: 'eu-west-1' },
      'awsCosts.resourceTags.<name>': {
        start: [{ Key: 'team', Value: 'first' }],
        reload: [{ Key: 'team', Value: 'second' }],
      },
    },
    'where and with which tags statistics are kept',
    async (looking) => {
      const { region, body } = await called(looking, 'PutParameter');
      return { 'awsCosts.statsRegion': region, 'awsCosts.resourceTags.<name>': body['Tags'] };
    },
  ),
  row(
    { 'awsCosts.hourlyGranularity': { start: true, reload: false } },
    'whether costs are asked for by the hour',
    async (looking) => {
      await called(looking, 'PutParameter');
      const hourly = calls(looking).some(({ body }) => body['Granularity'] === 'HOURLY');
      return { 'awsCosts.hourlyGranularity': hourly };
    },
  ),
  row(
    { 'awsCosts.refreshTimeUTC': { start: 'T01:10:00', reload: 'T02:20:00' } },
    'when costs are refreshed next, as `GET /api/v1/costs` says',
    async (looking) => {
      await called(looking, 'PutParameter');
      const next = String((await report(looking)).report?.['nextRefreshAt']);
      return { 'awsCosts.refreshTimeUTC': /T\d\d:\d\d:\d\d/.exec(next)?.[0] };
    },
  ),
  row(
    { 'databases.<name>.hourlyRate': hourlyRate },
    'the price of the database in the cost report',
    async (looking) => {
      await called(looking, 'PutParameter');
      const databases = (await report(looking)).report?.['databases'] as readonly {
        readonly name: string;
        readonly hourly: number;
      }[];
      return { 'databases.<name>.hourlyRate': databases.find(({ name }) => name === 'orders')?.hourly };
    },
  ),
  row(
    {
      'databases.<name>.endpoint': { start: 'rds-first.test', reload: 'rds-second.test' },
      'databases.<name>.profile': { start: 'KEYOFFIRST', reload: 'KEYOFSECOND' },
      'databases.<name>.proxyURL': { start: 'the second proxy', reload: 'the general one' },
    },
    'where, as whom and through which proxy the cloud is asked what a database without a price is',
    async (looking) => {
      // The prices are asked for before the statistics are kept.
      await called(looking, 'PutParameter');
      const request = rds.last('DescribeDBInstances')?.request;
      const [, key] = /Credential=([^/]+)\/\d+\/[^/]+\/rds\//.exec(request?.headers.authorization ?? '') ?? [];
      const isGeneral = looking.outside.internet.requests.some((one) => one === request);
      return {
        'databases.<name>.endpoint': request && new URL(request.url).hostname,
        'databases.<name>.profile': key,
        'databases.<name>.proxyURL': isGeneral ? 'the general one' : 'the second proxy',
      };
    },
  ),
  row({ 'operations.devMode': { start: true, reload: false } }, 'requests to the cloud in the log', async (looking) => {
    await called(looking, 'PutParameter');
    const lines = await until('the line that follows a query', () => {
      const told = looking.service.linesInForce('api');
      return told.some(({ msg }) => msg === 'Costs refreshed') && told;
    });
    return { 'operations.devMode': lines.some((line) => JSON.stringify(line).includes('GetCostAndUsage')) };
  }),
  {
    keys: { 'awsCosts.enabled': { start: 'there are costs', reload: 'config.awsCosts.enabled is false.' } },
    in: 'api',
    seen: 'whether the cloud is asked, and why `GET /api/v1/costs` has no report',
    start: {},
    // With another tag, so that the cloud must be asked anew when they are on again.
    reload: { alone: { awsCosts: { enabled: false, tagValue: 'third' } } },
    withinMs: 6_000,
    async see(looking) {
      const { available, message } = await report(looking);
      return { 'awsCosts.enabled': available ? 'there are costs' : message };
    },
  },
];
