import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { RecordingLogger } from '../../test/support/recording-logger.ts';
import { configTextKey } from '../config/config.ts';
import { noHolidays, type RegionalHolidays } from '../domain/holiday/regional-holidays.ts';
import { standardFigures } from '../domain/wake/verdict/figures.ts';
import { ConfigSource } from '../platform/config-source.ts';
import { Configuration } from './configuration.ts';
import { HolidaySource } from './holiday-source.ts';

const data = (parts: object) => ({
  [configTextKey]: stringify({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...parts }),
});
const noon = Date.UTC(2026, 11, 25, 11);
const day = 86_400_000;

async function started(parts: object, startAt = noon) {
  const logger = new RecordingLogger();
  const clock = new VirtualClock(startAt);
  const source = new ConfigSource(data(parts), logger);
  const holidays = new HolidaySource(clock, logger);
  const options = { source, holidays, logger, ownNamespace: 'svc', figures: standardFigures };
  return { logger, clock, source, holidays, options, configuration: await Configuration.start(options) };
}

describe('the configuration in force', () => {
  it('has its holidays from the start', async () => {
    const { configuration, holidays } = await started({ holidays: { regions: ['DE'], act: true } });
    const { schedule, holidays: known } = configuration.current();
    expect(known.on('2026-12-25')).toEqual([{ date: '2026-12-25', name: 'Christmas Day', region: 'DE' }]);
    expect(schedule([]).stretchAt(noon).awake).toBe(false);
    holidays.stop();
  });

  it('is a new one only when its holidays are known, and never one that is older than what was heard since', async () => {
    const { options, source } = await started({ clusterName: 'first' });
    const loads: ((holidays: RegionalHolidays) => void)[] = [];
    const slow = Object.assign(Object.create(options.holidays), {
      of: ({ regions }: { regions: readonly string[] }) =>
        regions.length === 0 ? noHolidays : new Promise<RegionalHolidays>((resolve) => loads.push(resolve)),
    }) as HolidaySource;
    const configuration = await Configuration.start({ ...options, holidays: slow });
    const heard: string[] = [];
    configuration.onChange(({ config }) => void heard.push(config.clusterName));
    source.reload(data({ clusterName: 'with holidays', holidays: { regions: ['DE'] } }));
    expect(configuration.current().config.clusterName).toBe('first');
    source.reload(data({ clusterName: 'newer' }));
    loads[0]?.(noHolidays);
    await new Promise((resolve) => setImmediate(resolve));
    expect([configuration.current().config.clusterName, heard]).toEqual(['newer', ['newer']]);
    source.reload(data({ clusterName: 'newest', holidays: { regions: ['DE'] } }));
    loads[1]?.(noHolidays);
    await new Promise((resolve) => setImmediate(resolve));
    expect(configuration.current().config.clusterName).toBe('newest');
  });

  it('tells of a refusal, and of its end when the last good one comes back', async () => {
    const { configuration, source } = await started({});
    const refusals: boolean[] = [];
    configuration.onChange(() => void refusals.push(configuration.refusal() !== undefined));
    source.reload(data({ workingHours: 1 }));
    source.reload(data({}));
    source.reload(data({}));
    expect(refusals).toEqual([true, false]);
  });
});

describe('a configuration whose holidays cannot be loaded', () => {
  it('is refused like any other, in the log, to whoever listens and with its path, until another one is good', async () => {
    const { options, source, logger } = await started({ clusterName: 'first' });
    const broken = Object.assign(Object.create(options.holidays), {
      of: ({ regions }: { regions: readonly string[] }) =>
        regions.length === 0 ? noHolidays : Promise.reject(new Error('no such file')),
    }) as HolidaySource;
    const configuration = await Configuration.start({ ...options, holidays: broken });
    const heard: unknown[] = [];
    configuration.onChange(({ config }) => void heard.push([config.clusterName, configuration.refusal()?.message]));
    source.reload(data({ clusterName: 'with holidays', holidays: { regions: ['DE'] } }));
    await new Promise((resolve) => setImmediate(resolve));
    const message =
      'invalid configuration: holidays.regions: their built-in dates cannot be loaded (Error: no such file); restart the process';
    expect(heard).toEqual([['first', message]]);
    expect(configuration.refusal()?.errors[0]?.path).toBe('holidays.regions');
    expect(logger.said('The changed configuration is refused').map(({ fields }) => fields)).toEqual([
      { error: message },
    ]);
    source.reload(data({ clusterName: 'without' }));
    expect(heard.at(-1)).toEqual(['without', undefined]);
  });

  it('is not told of when a newer one has come meanwhile', async () => {
    const { options, source } = await started({ clusterName: 'first' });
    const fails: ((error: Error) => void)[] = [];
    const slow = Object.assign(Object.create(options.holidays), {
      of: ({ regions }: { regions: readonly string[] }) =>
        regions.length === 0 ? noHolidays : new Promise((_resolve, reject) => fails.push(reject)),
    }) as HolidaySource;
    const configuration = await Configuration.start({ ...options, holidays: slow });
    source.reload(data({ holidays: { regions: ['DE'] } }));
    source.reload(data({ clusterName: 'newer' }));
    fails[0]?.(new Error('no such file'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(configuration.refusal()).toBe(undefined);
  });
});

describe('the holiday data', () => {
  const config = { holidays: { regions: ['DE', 'DE-XX'] } };

  it('that knows a region not says so in the log', async () => {
    const { logger, holidays } = await started(config);
    expect(logger.said('A holiday region is not known')[0]?.fields['problem']).toContain('config.holidays.regions[1]');
    holidays.stop();
  });

  it('warns a year before it ends, also a process that started before', async () => {
    const { logger, clock, holidays } = await started(config, Date.UTC(2039, 11, 30));
    expect(logger.said('The holiday data ends')).toEqual([]);
    await clock.advance(7 * day);
    expect(logger.said('The holiday data ends').map(({ level }) => level)).toEqual(['warn']);
    holidays.stop();
    await clock.advance(30 * day);
    expect(logger.said('The holiday data ends')).toHaveLength(1);
  });

  it('is watched by nobody without a region', async () => {
    const { logger, clock, source } = await started(config, Date.UTC(2040, 5, 1));
    expect(logger.said('The holiday data ends')).toHaveLength(1);
    source.reload(data({}));
    await clock.advance(30 * day);
    expect(logger.said('The holiday data ends')).toHaveLength(1);
  });
});
