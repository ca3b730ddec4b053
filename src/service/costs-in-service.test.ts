import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noDatabases } from '../../test/support/controller-features.ts';
import { HouseWorld } from '../../test/support/house-world.ts';
import {
  jsonError,
  type RecordedAnswer,
  RecordedCloud,
  type RecordedRequest,
} from '../../test/support/recorded-cloud.ts';
import { dateOf, dayMs, hourMs } from '../domain/cost/amounts.ts';

const noon = Date.UTC(2026, 2, 10, 12);

describe('costs in the processes as they ship', () => {
  let cloud: RecordedCloud;
  let house: HouseWorld;
  const parameters = new Map<string, string>();
  /** What each tag costs a day. */
  const daily: Readonly<Record<string, number>> = { dev: 10, staging: 70 };

  beforeEach(async () => {
    parameters.clear();
    cloud = new RecordedCloud();
    // The whole cloud is one emulator: what the SDK reads from the environment of any process.
    process.env['AWS_ENDPOINT_URL'] = await cloud.start();
    cloud.answer = answers;
  });
  afterEach(async () => {
    await house.stop();
    await cloud.stop();
    delete process.env['AWS_ENDPOINT_URL'];
  });

  function answers({ call, body }: RecordedRequest): RecordedAnswer {
    const json = JSON.parse(body || '{}') as { Name: string; Value: string } & CostQuestion;
    switch (call) {
      case 'GetParameter': {
        const Value = parameters.get(json.Name);
        return Value === undefined
          ? jsonError('ParameterNotFound', '')
          : { body: JSON.stringify({ Parameter: { Name: json.Name, Value } }) };
      }
      case 'PutParameter':
        parameters.set(json.Name, json.Value);
        return { body: '{"Version":1}' };
      case 'GetCostAndUsage':
        return { body: JSON.stringify({ ResultsByTime: json.Granularity === 'DAILY' ? days(json) : [] }) };
      default:
        return { body: '{}' };
    }
  }

  function days({ TimePeriod, Filter }: CostQuestion): readonly object[] {
    const Amount = String(daily[Filter.Tags.Values[0] ?? ''] ?? 0);
    const all: object[] = [];
    for (let at = Date.parse(TimePeriod.Start); at < Date.parse(TimePeriod.End); at += dayMs) {
      const period = { Start: dateOf(at), End: dateOf(at + dayMs) };
      all.push({ TimePeriod: period, Total: { NetUnblendedCost: { Amount, Unit: 'USD' } }, Estimated: false });
    }
    return all;
  }

  const costs = (tagValue: string, more: object = {}) => ({ awsCosts: { enabled: true, tagValue, ...more } });
  const billed = async () => {
    const { report } = await house.ask('costs');
    return (report?.['billed'] as { amount: number } | undefined)?.amount;
  };

  it('that a reload switches on are asked for, and no longer once it switches them off', async () => {
    house = await HouseWorld.start({ startAt: noon });
    expect(await house.ask('costs')).toMatchObject({ enabled: false, message: 'config.awsCosts.enabled is false.' });
    house.configure(costs('dev'));
    await house.until(async () => (await billed()) === 920);
    house.configure({});
    await house.until(async () => !(await house.ask('costs')).enabled);
    const asked = cloud.requests.length;
    // Past the time of the next refresh.
    await house.clock.advance(18 * hourMs);
    expect(cloud.requests.length).toBe(asked);
  });

  it('that are switched on by that key alone are asked for', async () => {
    house = await HouseWorld.start({ startAt: noon, config: costs('dev', { enabled: false }) });
    expect(await house.ask('costs')).toMatchObject({ enabled: false });
    expect(cloud.requests).toEqual([]);
    house.configure(costs('dev'));
    await house.until(async () => (await billed()) === 920);
  });

  it('of another tag are never shown under the new one', async () => {
    house = await HouseWorld.start({ startAt: noon, config: costs('dev') });
    await house.until(async () => (await billed()) === 920);
    house.configure(costs('staging'));
    const seen = new Set<number | undefined>();
    await house.until(async () => {
      const { report } = await house.ask('costs');
      if ((report?.['tag'] as { value: string } | undefined)?.value === 'staging') seen.add(await billed());
      return seen.size > 0;
    });
    expect([...seen]).toEqual([6440]);
  });

  it('of another tag key are asked for anew, also by a process that starts later', async () => {
    house = await HouseWorld.start({ startAt: noon, config: costs('dev') });
    await house.until(async () => (await billed()) === 920);
    await house.stop();
    const questions = () => cloud.requests.filter(({ call }) => call === 'GetCostAndUsage');
    const before = questions().length;
    house = await HouseWorld.start({ startAt: noon + 60_000, config: costs('dev', { tagKey: 'team' }) });
    await house.until(async () => (await billed()) !== undefined);
    const asked = questions().slice(before);
    expect(asked.map(({ body }) => (JSON.parse(body) as CostQuestion).Filter.Tags.Key)).toContain('team');
  });

  it('whose figures fill their parameter send the card', async () => {
    const database = (_: unknown, index: number) => [
      `a-database-with-a-rather-long-name-${index}`,
      { provider: 'aws', type: 'instance', identifier: `db-${index}`, region: 'eu-west-1', hourlyRate: 0.1234 },
    ];
    house = await HouseWorld.start({
      startAt: noon,
      config: {
        ...costs('dev'),
        databases: Object.fromEntries(Array.from({ length: 80 }, database)),
        notifications: {
          enabled: true,
          channels: { email: { enabled: true, recipients: ['ops@example.com'] } },
        },
      },
      databases: noDatabases,
    });
    await house.until(() => house.inbox.last('ops@example.com')?.subject.includes('Parameter Store') === true);
  });
});

interface CostQuestion {
  readonly TimePeriod: { readonly Start: string; readonly End: string };
  readonly Granularity: string;
  readonly Filter: { readonly Tags: { readonly Key: string; readonly Values: readonly string[] } };
}
