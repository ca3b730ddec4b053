import { describe, expect, it } from 'vitest';
import type { DatabaseRow, SatelliteRow } from '../data/queries.ts';
import { databaseWords, satelliteWords } from './words.ts';

const database: DatabaseRow = {
  name: 'orders',
  type: 'instance',
  identifier: 'orders-1',
  region: 'eu-central-1',
  status: 'available',
  stoppedByUs: false,
  configured: true,
};

describe('a database', () => {
  const rows: [string, Partial<DatabaseRow>, string | undefined, string][] = [
    ['that runs', {}, undefined, 'available'],
    ['of which nothing is known', { status: null }, undefined, 'not seen yet'],
    ['that we stopped', { status: 'stopped', stoppedByUs: true }, undefined, 'stopped (stopped by the service)'],
    ['that a wake has started', { status: 'stopped', stoppedByUs: true }, 'starting', 'starting'],
    [
      'that the configuration has forgotten',
      { status: 'stopped', stoppedByUs: true, configured: false },
      undefined,
      'stopped (stopped by the service; no longer configured; it is started again)',
    ],
  ];
  it.each(rows)('%s', (_, parts, waking, words) => {
    expect(databaseWords({ ...database, ...parts }, waking)).toBe(words);
  });
});

describe('a redirected service', () => {
  const service: SatelliteRow = { namespace: 'shop', service: 'storefront', state: 'own', configured: true };
  const rows: [Partial<SatelliteRow>, string][] = [
    [{}, 'Its own pods'],
    [{ reason: 'there is no such Service' }, 'Its own pods (it gets no satellite: there is no such Service)'],
    [{ state: 'starting' }, 'Its satellite is being put up or taken down'],
    [{ state: 'standing_in' }, 'Its satellite'],
    [{ state: 'standing_in', configured: false }, 'Its satellite (no longer configured; the service is given back)'],
  ];
  it.each(rows)('%o', (parts, words) => {
    expect(satelliteWords({ ...service, ...parts })).toBe(words);
  });
});
