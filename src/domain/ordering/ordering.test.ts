import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkloadKind } from '../kinds/kinds.ts';
import {
  applierTier,
  assignTiers,
  type Direction,
  everythingElse,
  type OrderingConfig,
  type TierConfig,
  webhookTier,
  withAppliersApart,
  withWebhooksFirst,
} from './ordering.ts';
import { orderingProblems } from './ordering-problems.ts';

const ref = (text: string, kind: WorkloadKind = 'Deployment', labels = {}) => {
  const [namespace = '', name = ''] = text.split('/');
  return { kind, namespace, name, labels };
};
const workloads = [
  ref('data/postgres', 'StatefulSet', { tier: 'db' }),
  ref('shop/cart'),
  ref('shop/web', 'Deployment', { tier: 'front' }),
  ref('shop/report', 'CronJob'),
  ref('misc/tool'),
];
const tier = (name: string, select: TierConfig['select'], more: Partial<TierConfig> = {}): TierConfig => ({
  name,
  select,
  ...more,
});

function assigned(ordering: OrderingConfig, direction: Direction, databases?: string[]): string[] {
  return assignTiers(ordering, workloads, direction, databases).map(
    ({ name, timeout, members, databases: held }) =>
      `${name}${timeout ? ` (${timeout})` : ''}: ${[...members.map((member) => member.name), ...held].join(' ')}`,
  );
}

const data = tier('data', [{ namespace: 'data' }], { timeout: '10m', databases: ['orders'] });
const shop = tier('shop', [{ namespace: 'shop', type: 'Deployment' }]);

describe('what applies other workloads', () => {
  const named = (
    direction: Direction,
    members = [...workloads, ref('flux/apps', 'Kustomization'), ref('shop/web', 'HelmRelease')],
  ) =>
    withAppliersApart(assignTiers({ tiers: [shop] }, members, direction), direction).map(
      ({ name, members: held }) => `${name}: ${held.map((member) => member.name).join(' ')}`,
    );

  it('is quieted before every tier', () => {
    expect(named('hibernate')).toEqual([
      `${applierTier}: apps web`,
      `${everythingElse}: postgres report tool`,
      'shop: cart web',
    ]);
  });
  it('is given back after every tier', () => {
    expect(named('wake')).toEqual([
      'shop: cart web',
      `${everythingElse}: postgres report tool`,
      `${applierTier}: apps web`,
    ]);
  });
  it('is quieted after what applies it, and given back before that', () => {
    const by = (name: string) => ({
      'kustomize.toolkit.fluxcd.io/name': name,
      'kustomize.toolkit.fluxcd.io/namespace': 'flux',
    });
    const kustomization = (name: string, applier: string) => ({
      ...ref(`flux/${name}`, 'Kustomization'),
      labels: by(applier),
    });
    const nested = [kustomization('apps', 'team'), kustomization('team', 'root'), kustomization('root', 'root')];
    const levels = [`${applierTier}: apps`, 'appliers of appliers: team', 'appliers of appliers of appliers: root'];
    expect(named('wake', nested)).toEqual(levels);
    expect(named('hibernate', nested)).toEqual(levels.toReversed());
    const circle = [kustomization('apps', 'team'), kustomization('team', 'apps')];
    expect(named('hibernate', circle)).toEqual([`${applierTier}: apps team`]);
  });
  it('is quieted after what lists it as its own', () => {
    const listing = { ...ref('argocd/shop', 'Application'), labels: {}, heals: ['Kustomization flux/apps'] };
    const listed = { ...ref('flux/apps', 'Kustomization'), labels: {} };
    expect(named('hibernate', [listed, listing])).toEqual(['appliers of appliers: shop', `${applierTier}: apps`]);
  });
  it('has no tier where there is none', () => {
    expect(named('wake', workloads)).toEqual(['shop: cart web', `${everythingElse}: postgres report tool`]);
  });
  it('leaves no empty tier behind', () => {
    expect(named('hibernate', [ref('flux/apps', 'Kustomization')])).toEqual([`${applierTier}: apps`]);
  });
});

describe('assignTiers', () => {
  const rows: Record<string, [found: string[], expected: string[]]> = {
    'is one single pass while the ordering is empty': [
      assigned({}, 'wake'),
      ['everything else: postgres cart web report tool'],
    ],
    'is one single pass while there are no tiers': [
      assigned({ tiers: [] }, 'hibernate'),
      ['everything else: postgres cart web report tool'],
    ],
    'puts what no tier names last on a wake': [
      assigned({ tiers: [data, shop] }, 'wake'),
      ['data (10m): postgres orders', 'shop: cart web', 'everything else: report tool'],
    ],
    'puts what no tier names first on a hibernation': [
      assigned({ tiers: [shop, data] }, 'hibernate'),
      ['everything else: report tool', 'shop: cart web', 'data (10m): postgres orders'],
    ],
    'gives a workload to the first tier that selects it': [
      assigned({ tiers: [tier('a', [{ namespace: '*', name: 'c*' }]), shop] }, 'wake'),
      ['a: cart', 'shop: web', 'everything else: postgres report tool'],
    ],
    'takes a workload that any selector of a tier matches': [
      assigned({ tiers: [tier('a', [{ namespace: 'data' }, { namespace: 'misc' }])] }, 'wake'),
      ['a: postgres tool', 'everything else: cart web report'],
    ],
    'selects by labels': [
      assigned({ tiers: [tier('a', [{ namespace: '*', labels: { tier: 'front' } }])] }, 'wake'),
      ['a: web', 'everything else: postgres cart report tool'],
    ],
    'drops a tier that has nothing': [
      assigned({ tiers: [tier('a', [{ namespace: 'none' }]), shop] }, 'wake'),
      ['shop: cart web', 'everything else: postgres report tool'],
    ],
    'keeps a tier that has databases alone': [
      assigned({ tiers: [tier('a', [], { databases: ['orders'] }), tier('b', [{ namespace: '*' }])] }, 'wake'),
      ['a: orders', 'b: postgres cart web report tool'],
    ],
    'puts a database that no tier names with everything else': [
      assigned({ tiers: [data] }, 'wake', ['orders', 'users']),
      ['data (10m): postgres orders', 'everything else: cart web report tool users'],
    ],
    'leaves out a named database that is not to be dealt with': [
      assigned({ tiers: [data] }, 'wake', []),
      ['data (10m): postgres', 'everything else: cart web report tool'],
    ],
    'gives a database to the first tier that names it': [
      assigned({ tiers: [data, tier('b', [{ namespace: 'misc' }], { databases: ['orders'] })] }, 'wake'),
      ['data (10m): postgres orders', 'b: tool', 'everything else: cart web report'],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [found, expected]) => {
    expect(found).toEqual(expected);
  });

  it('has no tiers when there is nothing to order', () => {
    expect(assignTiers({ tiers: [shop] }, [], 'wake')).toEqual([]);
  });

  it('gives every workload and database to exactly one tier, in either direction', () => {
    const selector = fc.record(
      { namespace: fc.constantFrom('shop', 'data', 'misc', '*', 'none'), name: fc.constantFrom('*', 'c*', 'web') },
      { requiredKeys: ['namespace'] },
    );
    const tiers = fc.array(fc.tuple(fc.array(selector, { maxLength: 3 }), fc.subarray(['orders', 'users', 'stock'])), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(tiers, fc.constantFrom<Direction>('wake', 'hibernate'), (drawn, direction) => {
        const ordering = {
          tiers: drawn.map(([select, databases], i) => tier(`t${i}`, select as TierConfig['select'], { databases })),
        };
        const found = assignTiers(ordering, workloads, direction, ['orders', 'users', 'stock']);
        expect(found.flatMap((t) => t.members.map((member) => member.name)).sort()).toEqual(
          workloads.map((workload) => workload.name).sort(),
        );
        expect(found.flatMap((t) => t.databases).sort()).toEqual(['orders', 'stock', 'users']);
        const rest = found.findIndex((t) => t.name === everythingElse);
        if (rest !== -1) expect(rest).toBe(direction === 'wake' ? found.length - 1 : 0);
      }),
    );
  });
});

describe('withWebhooksFirst', () => {
  const ordering = { tiers: [data, shop] };
  const order = (...first: string[]) =>
    withWebhooksFirst(assignTiers(ordering, workloads, 'wake'), new Set(first)).map(
      ({ name, members, databases }) => `${name}: ${[...members.map((member) => member.name), ...databases].join(' ')}`,
    );

  const rows: Record<string, [found: string[], expected: string[]]> = {
    'leaves the order as it is without any': [
      order(),
      ['data: postgres orders', 'shop: cart web', 'everything else: report tool'],
    ],
    'puts them ahead of the first tier, wherever they were': [
      order('Deployment shop/web', 'Deployment misc/tool'),
      [`${webhookTier}: web tool`, 'data: postgres orders', 'shop: cart', 'everything else: report'],
    ],
    'keeps a tier that has databases alone, and drops one that has nothing left': [
      order('StatefulSet data/postgres', 'Deployment shop/cart', 'Deployment shop/web'),
      [`${webhookTier}: postgres cart web`, 'data: orders', 'everything else: report tool'],
    ],
    'does not wait for what is not asleep': [
      order('Deployment shop/gone'),
      ['data: postgres orders', 'shop: cart web', 'everything else: report tool'],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [found, expected]) => {
    expect(found).toEqual(expected);
  });
});

describe('orderingProblems', () => {
  it('finds none in a good ordering', () => {
    expect(orderingProblems({ tiers: [data, shop] }, ['orders'])).toEqual([]);
    expect(orderingProblems({}, [])).toEqual([]);
  });

  it('names every field that is wrong', () => {
    const tiers = [
      tier('', [{ namespace: 'a' }]),
      tier('a', [{ namespace: 'a', type: 'Pool' }], { databases: ['orders', 'lost'] }),
      tier('a', [{ namespace: '' }], { databases: ['orders'] }),
      tier(everythingElse, []),
      tier(webhookTier, [{ namespace: 'a' }]),
    ];
    expect(orderingProblems({ tiers }, ['orders'])).toEqual([
      { field: 'tiers[0].name', message: 'is required: write a name that people recognise, such as databases' },
      { field: 'tiers[1].databases[1]', message: '"lost" is not a key of config.databases' },
      { field: 'tiers[2].name', message: '"a" is also the name of tiers[1]: write a name of its own' },
      { field: 'tiers[2].select[0].namespace', message: 'is required: write a name or a pattern such as shop-*' },
      { field: 'tiers[2].databases[0]', message: '"orders" is already in tiers[1]: name it once' },
      {
        field: 'tiers[3].name',
        message: '"everything else" is the name of the tier for what no tier selects: write another',
      },
      { field: 'tiers[3].select', message: 'selects nothing: write a selector or name a database' },
      {
        field: 'tiers[4].name',
        message: '"admission webhooks" is the name of the tier that every wake begins with: write another',
      },
    ]);
  });
});
