import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../../test/support/api-world.ts';
import { leftOutServices, oddConfig, oddServices, redirectedServices } from '../../../test/support/odd-services.ts';

let world: ApiWorld;
afterEach(() => world.stop());

async function ask(options: ApiWorldOptions) {
  world = await ApiWorld.start(options);
  const answer = await world.call('satellites', {}, await world.token(adminAddress));
  return { status: answer.statusCode, body: answer.json() };
}

const at = '2026-01-05T10:00:00.000Z';

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
    const { body } = await ask({ config: oddConfig, objects: oddServices });
    const told = body.items.map(({ namespace: where, service, reason }: Record<string, string>) =>
      reason === undefined ? { service: `${where}/${service}` } : { service: `${where}/${service}`, reason },
    );
    const expected = [...redirectedServices.map((service) => ({ service })), ...leftOutServices];
    expect(told).toEqual(expected.toSorted((a, b) => (a.service < b.service ? -1 : 1)));
  });

  it('are refused with the name of the key when it cannot be decoded', async () => {
    const { status, body } = await ask({ config, state: { satellites: '[{]' } });
    expect([status, body.code, body.details]).toEqual([
      503,
      'managed_state_unavailable',
      { key: 'satellites', namespace: 'svc' },
    ]);
  });
});
