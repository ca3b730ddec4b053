import { describe, expect, it } from 'vitest';
import { type Input, smallest } from '../../test/support/examples/config-examples.ts';
import type { Config } from './config-node.ts';
import { diffConfig } from './diff-config.ts';
import { parseConfig } from './parse-config.ts';

function configOf(change: Input): Config {
  const result = parseConfig({ ...smallest, ...change });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.config;
}

const orders = { type: 'instance', identifier: 'orders', region: 'eu-central-1' };

describe('diffConfig names', () => {
  const rows: Record<string, [before: Input, after: Input, paths: string[]]> = {
    nothing: [{ operations: { dryRun: false } }, {}, []],
    'each changed value': [
      {},
      { clusterName: 'prod', operations: { dryRun: true, logLevel: 'debug' } },
      ['clusterName', 'operations.dryRun', 'operations.logLevel'],
    ],
    'a list as one value': [
      { auth: { adminUsers: ['a@b.c', 'd@e.f'] } },
      { auth: { adminUsers: ['d@e.f'] } },
      ['auth.adminUsers'],
    ],
    'a list that grew at its end': [
      { holidays: { regions: ['DE'] } },
      { holidays: { regions: ['DE', 'AT'] } },
      ['holidays.regions'],
    ],
    'a list whose entries changed places': [
      { holidays: { regions: ['DE', 'AT'] } },
      { holidays: { regions: ['AT', 'DE'] } },
      ['holidays.regions'],
    ],
    'a named thing that was added': [{}, { databases: { orders } }, ['databases.orders']],
    'one field of a named thing': [
      { databases: { orders } },
      { databases: { orders: { ...orders, region: 'eu-west-1' } } },
      ['databases.orders.region'],
    ],
    'an optional value that went away': [
      { notifications: { events: { standDown: false } } },
      {},
      ['notifications.events.standDown'],
    ],
    'no entry for keys in another order': [
      { targeting: { namespaces: { exclude: [{ pattern: 'a' }] } }, awsCosts: { resourceTags: { a: '1', b: '2' } } },
      { awsCosts: { resourceTags: { b: '2', a: '1' } }, targeting: { namespaces: { exclude: [{ pattern: 'a' }] } } },
      [],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [before, after, paths]) => {
    expect(diffConfig(configOf(before), configOf(after))).toEqual(paths);
  });
});
