import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { deployment } from '../../test/support/api-world.ts';
import { HouseWorld } from '../../test/support/house-world.ts';

let house: HouseWorld;
afterEach(() => house.stop());

const at = '2026-01-05T19:00:00.000Z';
const night = Date.UTC(2026, 0, 5, 22);
const service = (selector: object): Manifest =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'cart' },
    spec: { selector, ports: [{ port: 80, targetPort: 8080 }] },
  }) as Manifest;
const record = { namespace: 'shop', name: 'cart', uid: 'u1', selector: { app: 'cart' }, at };
const session = {
  id: 'branch-1',
  cluster: 'branch',
  resources: [{ namespace: 'shop', name: 'cart' }],
  startedAt: '2026-01-05T20:30:00.000Z',
  expiresAt: '2026-01-06T01:00:00.000Z',
};
const staysUp = 'Deployment shop/cart behind it stays up';

interface Case {
  readonly selector?: object;
  readonly state: (uid: string) => Readonly<Record<string, unknown>>;
  readonly reason?: string;
}

describe('whether a service gets a satellite', () => {
  it.each<[string, Case]>([
    ['everything behind it sleeps', { state: () => ({}) }],
    [
      'it points at its satellite, and only the record knows the selector that it had',
      { selector: { 'svc.io/satellite': 'cart' }, state: () => ({ satellites: [record] }) },
    ],
    [
      'another cluster keeps up what stands behind it',
      { state: () => ({ external_wake_sessions: [session] }), reason: staysUp },
    ],
    [
      'its owner raised in the night what stands behind it',
      {
        state: (uid) => ({
          phase: { phase: 'hibernated', since: at },
          resource_states: [{ kind: 'Deployment', namespace: 'shop', name: 'cart', uid, replicas: 2, at }],
        }),
        reason: staysUp,
      },
    ],
  ])('is the same in the dry run of the controller, in the preview and in the list: %s', async (_, given) => {
    house = await HouseWorld.start({
      startAt: night,
      objects: [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        deployment('shop', 'cart'),
        service(given.selector ?? { app: 'cart' }),
      ],
      config: {
        operations: { dryRun: true },
        serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'cart' }] },
      },
      env: { SATELLITE_IMAGE: 'registry.example.com/satellite:1' },
    });
    const { uid } = house.cluster.store.get('deployments.apps', 'shop', 'cart')!.metadata;
    house.setState(given.state(uid!));
    await house.clock.advance(10 * 60_000);
    const [plan] = house.log.filter(({ message }) => message === 'Dry run: nothing is changed').slice(-1);
    const { reason } = given;
    const planned =
      reason === undefined
        ? { redirect: ['shop/cart'], notRedirected: [] }
        : { redirect: [], notRedirected: [{ service: 'shop/cart', reason }] };
    expect(plan?.fields).toMatchObject(planned);
    const told = reason === undefined ? {} : { reason };
    expect((await house.ask('preview')).redirects).toEqual([{ service: 'shop/cart', ...told }]);
    const [item] = (await house.ask('satellites')).items;
    expect(item?.reason).toBe(reason);
  });
});
