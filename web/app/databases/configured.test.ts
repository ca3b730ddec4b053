import { describe, expect, it } from 'vitest';
import { databasesOf, redirectionOf } from './configured.ts';

describe('what the settings say of databases', () => {
  it('is gathered by name', () => {
    const settings = [
      { path: 'clusterName', value: 'demo' },
      { path: 'databases.orders.region', value: 'eu-central-1' },
      { path: 'databases.orders.kind', value: 'instance' },
      { path: 'databases["stock.eu"].region', value: 'eu-west-1' },
      { path: 'databases.orders.note', value: '' },
    ];
    expect(databasesOf(settings)).toEqual([
      {
        name: 'orders',
        fields: [
          ['region', 'eu-central-1'],
          ['kind', 'instance'],
        ],
      },
      { name: 'stock.eu', fields: [['region', 'eu-west-1']] },
    ]);
  });

  it('is nothing when there are none', () => {
    expect(databasesOf([{ path: 'databases', value: {} }])).toEqual([]);
  });
});

describe('what the settings say of satellites', () => {
  it('is the list of services', () => {
    const settings = [
      { path: 'serviceRedirection.enabled', value: true },
      { path: 'serviceRedirection.services', value: [{ namespace: 'shop', name: 'storefront' }, 'odd'] },
    ];
    expect(redirectionOf(settings)).toEqual({ enabled: true, services: [{ namespace: 'shop', name: 'storefront' }] });
    expect(redirectionOf([])).toEqual({ enabled: false, services: [] });
  });
});
