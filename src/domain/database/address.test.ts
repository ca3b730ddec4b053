import { describe, expect, it } from 'vitest';
import { type DatabaseAddress, isSameDatabase, recordedAddress } from './address.ts';

const orders: DatabaseAddress = { type: 'instance', identifier: 'Orders', region: 'eu-central-1' };

describe('the address of a database', () => {
  it('is written down with all that leads to it, in the spelling of the cloud', () => {
    const whole = { ...orders, endpoint: 'https://rds.example.com', profile: 'ops', proxyURL: 'http://proxy:3128' };
    expect(recordedAddress({ ...whole, hourlyRate: 3, provider: 'aws' } as DatabaseAddress)).toEqual({
      ...whole,
      identifier: 'orders',
    });
    expect(recordedAddress(orders)).toEqual({ type: 'instance', identifier: 'orders', region: 'eu-central-1' });
  });

  it.each(['', 'http://user:secret@proxy:3128', 'http://token@proxy:3128'])('leaves out the proxy %j', (proxyURL) => {
    expect(recordedAddress({ ...orders, proxyURL })).toEqual(recordedAddress(orders));
  });

  const rows: Record<string, [Partial<DatabaseAddress>, boolean]> = {
    'another spelling': [{ identifier: 'oRDERS' }, true],
    'another proxy': [{ proxyURL: 'http://proxy:3128' }, true],
    'another type': [{ type: 'cluster' }, false],
    'another identifier': [{ identifier: 'orders-2' }, false],
    'another region': [{ region: 'eu-west-1' }, false],
    'another cloud': [{ endpoint: 'https://rds.example.com' }, false],
    'another account': [{ profile: 'other' }, false],
  };
  it.each(Object.entries(rows))('with %s', (_, [change, same]) => {
    expect(isSameDatabase(orders, { ...orders, ...change })).toBe(same);
  });
});
