import { GetParameterCommand, ListTagsForResourceCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CostDesk } from '../../src/adapters/aws/cost-desk.ts';
import { parameterStore } from '../../src/adapters/aws/parameter-store.ts';
import { parseConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { type Moto, resetMoto, startMoto } from './moto.ts';
import { recordedLog } from './recorded-log.ts';

let moto: Moto;
beforeAll(async () => {
  moto = await startMoto();
}, 120_000);
afterAll(() => moto.stop());
beforeEach(() => resetMoto(moto));

describe('the parameter store in the emulator', () => {
  const open = () =>
    parameterStore({ region: 'eu-west-1', endpoint: moto.url }, { logger: recordedLog().logger, verbose: () => false });

  it('creates with tags, overwrites, and tags again', async () => {
    const store = await open();
    const ssm = new SSMClient({ region: 'eu-west-1', endpoint: moto.url });
    expect(await store.read('/svc/dev/statistics')).toBeUndefined();
    await store.write('/svc/dev/statistics', 'one', { team: 'platform' });
    expect(await store.read('/svc/dev/statistics')).toBe('one');
    await store.write('/svc/dev/statistics', 'two', { team: 'platform', stage: 'dev' });
    expect(await store.read('/svc/dev/statistics')).toBe('two');
    const { TagList } = await ssm.send(
      new ListTagsForResourceCommand({ ResourceType: 'Parameter', ResourceId: '/svc/dev/statistics' }),
    );
    expect(TagList).toEqual(
      expect.arrayContaining([
        { Key: 'team', Value: 'platform' },
        { Key: 'stage', Value: 'dev' },
      ]),
    );
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: '/svc/dev/statistics' }));
    expect(Parameter).toMatchObject({ Type: 'String', Version: 2 });
  });
});

describe('costs in the emulator', () => {
  it('reads recorded costs, and stores them in the region for statistics', async () => {
    const result = (Start: string, Amount: string) => ({
      TimePeriod: { Start, End: Start },
      Total: { NetUnblendedCost: { Amount, Unit: 'USD' } },
      Groups: [],
      Estimated: false,
    });
    const answers = [
      { ResultsByTime: [result('2026-01-01', '12.50'), result('2026-01-02', '7.25')] },
      { ResultsByTime: [] },
    ];
    await fetch(`${moto.url}/moto-api/static/ce/cost-and-usage-results`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ results: answers }),
    });
    const parsed = parseConfig({
      clusterName: 'dev',
      externalUrl: 'https://svc.example.com',
      awsCosts: { enabled: true, tagValue: 'dev', statsRegion: 'eu-west-1' },
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const { logger, lines } = recordedLog();
    const desk = new CostDesk({
      clock: systemClock,
      log: { logger, verbose: () => false },
      configuration: { current: () => parsed.config, onChange: () => () => {} },
      stored: async () => {},
      nights: async () => [],
      databaseHours: async () => new Map(),
      endpoint: moto.url,
    });
    await desk.start();
    desk.stop();
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
    expect((await desk.read()).report?.billed).toEqual({
      from: '2026-01-01',
      to: '2026-01-02',
      amount: 19.75,
      provisional: 0,
    });
    const store = await parameterStore({ region: 'eu-west-1', endpoint: moto.url }, { logger, verbose: () => false });
    expect(JSON.parse((await store.read('/svc/dev/statistics')) ?? '')).toMatchObject({
      from: '2026-01-01',
      billed: [12.5, 7.25],
    });
  });
});
