import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../../test/support/api-world.ts';
import { leftOutServices, oddConfig, oddServices, redirectedServices } from '../../../test/support/odd-services.ts';

let world: ApiWorld;
afterEach(() => world.stop());

async function ask(id: 'databases' | 'satellites', options: ApiWorldOptions) {
  world = await ApiWorld.start(options);
  const answer = await world.call(id, {}, await world.token(adminAddress));
  return { status: answer.statusCode, body: answer.json() };
}

const at = '2026-01-05T10:00:00.000Z';

describe('the databases', () => {
  const config = {
    databases: {
      orders: { type: 'instance', identifier: 'orders-1', region: 'eu-central-1' },
      stock: { type: 'cluster', identifier: 'stock-1', region: 'eu-west-1' },
    },
  };
  const orders = { name: 'orders', type: 'instance', identifier: 'orders-1', region: 'eu-central-1', configured: true };
  const stock = { name: 'stock', type: 'cluster', identifier: 'stock-1', region: 'eu-west-1', configured: true };
  const unknown = { status: null, stoppedByUs: false };

  it('are told with what is known of each', async () => {
    const states = { orders: { status: 'stopped', stoppedByUs: true, at } };
    expect(await ask('databases', { config, state: { database_states: JSON.stringify(states) } })).toEqual({
      status: 200,
      body: {
        items: [
          { ...orders, status: 'stopped', stoppedByUs: true, at },
          { ...stock, ...unknown },
        ],
      },
    });
  });

  it('have one among them that we stopped and that the configuration has forgotten', async () => {
    const address = { type: 'instance', identifier: 'old-1', region: 'eu-west-1', profile: 'ops' };
    const states = { old: { status: 'stopped', stoppedByUs: true, at, address } };
    const { body } = await ask('databases', { state: { database_states: JSON.stringify(states) } });
    expect(body.items).toEqual([
      {
        name: 'old',
        type: 'instance',
        identifier: 'old-1',
        region: 'eu-west-1',
        status: 'stopped',
        stoppedByUs: true,
        at,
        configured: false,
      },
    ]);
  });

  it('are told without their states when these cannot be decoded, and the log has it', async () => {
    const { status, body } = await ask('databases', { config, state: { database_states: '{spoilt' } });
    expect([status, body.items]).toEqual([
      200,
      [
        { ...orders, ...unknown },
        { ...stock, ...unknown },
      ],
    ]);
    expect(world.log.filter(({ fields }) => fields['key'] === 'database_states').map(({ level }) => level)).toContain(
      'warn',
    );
  });
});

describe('the satellites', () => {
  const services = [
    { namespace: 'shop', name: 'storefront' },
    { namespace: 'shop', name: 'cart' },
  ];
  const config = { serviceRedirection: { enabled: true, services } };
  const record = (name: string) => ({ namespace: 'shop', name, uid: `uid-${name}`, selector: { app: name }, at });
  const satellite = (name: string, ready: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'shop', name: `svc-satellite-${name}` },
    spec: {
      replicas: ready,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/satellite:1' }] },
      },
    },
  });
  const noService = 'there is no such Service';
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };

  it('are told with who answers for each service', async () => {
    world = await ApiWorld.start({
      config,
      objects: [namespace, satellite('storefront', 1), satellite('old', 0)],
      state: { satellites: JSON.stringify([record('storefront'), record('old')]) },
    });
    await world.clock.advance(60_000);
    const answer = await world.call('satellites', {}, await world.token(adminAddress));
    expect(answer.json()).toEqual({
      enabled: true,
      items: [
        { namespace: 'shop', service: 'cart', state: 'own', configured: true, reason: noService },
        { namespace: 'shop', service: 'old', state: 'starting', since: at, configured: false },
        {
          namespace: 'shop',
          service: 'storefront',
          state: 'standing_in',
          since: at,
          configured: true,
          reason: noService,
        },
      ],
    });
  });

  it('are told with the reason where a named service gets none', async () => {
    const { body } = await ask('satellites', { config: oddConfig, objects: oddServices });
    const told = body.items.map(({ namespace: where, service, reason }: Record<string, string>) =>
      reason === undefined ? { service: `${where}/${service}` } : { service: `${where}/${service}`, reason },
    );
    const expected = [...redirectedServices.map((service) => ({ service })), ...leftOutServices];
    expect(told).toEqual(expected.toSorted((a, b) => (a.service < b.service ? -1 : 1)));
  });

  it('are refused with the name of the key when it cannot be decoded', async () => {
    const { status, body } = await ask('satellites', { config, state: { satellites: '[{]' } });
    expect([status, body.code, body.details]).toEqual([503, 'managed_state_unavailable', { key: 'satellites' }]);
  });
});
