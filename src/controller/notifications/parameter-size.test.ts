import { describe, expect, it } from 'vitest';
import { NotifierWorld } from '../../../test/support/notifier-world.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import { decodeState } from '../../state/snapshot.ts';
import { setParameterSizeCondition } from './parameter-size.ts';

const minute = 60_000;
const full = { parameter_size: JSON.stringify({ parameter: '/svc/dev/statistics', bytes: 4_000 }) };

const costs = (awsCosts: object): Config => {
  const base = { clusterName: 'dev', externalUrl: 'https://svc.example.com' };
  const parsed = parseConfig({ ...base, awsCosts: { enabled: true, tagValue: 'dev', ...awsCosts } });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
};

describe('a parameter that is almost full', () => {
  const rows: readonly [string, Readonly<Record<string, string>>, object, number][] = [
    ['is told of once it has been so for the window', full, {}, 1],
    ['is not, when its size is taken out of the state before', {}, {}, 0],
    ['is not, when costs are switched off before', full, { enabled: false }, 0],
    ['is not, when another parameter takes its place before', full, { tagValue: 'prod' }, 0],
  ];

  it.each(rows)('%s', async (_name, later, awsCosts, told) => {
    const world = new NotifierWorld();
    const pass = (data: Readonly<Record<string, string>>, config: Config) =>
      setParameterSizeCondition(world.notifier, decodeState(data), config, world.clock.now());
    pass(full, costs({}));
    await world.clock.advance(minute);
    pass(later, costs(awsCosts));
    await world.clock.advance(60 * minute);
    expect(world.email.taken).toHaveLength(told);
  });
});
