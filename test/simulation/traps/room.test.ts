import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { serviceManifest } from '../../support/builders/manifests.ts';
import { allDown, allUp, minute, OfficeWorld } from '../office-world.ts';
import type { RequestFault } from '../world/faulty-transport.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';

const hardLimit = 1_048_576;

/** Somebody's notes fill `svc-state` up to its last bytes. */
function fill(world: OfficeWorld, left: number): void {
  const state = world.store.get('configmaps', releaseNamespace, 'svc-state')!;
  const { notes: _, ...data } = state['data'] as Record<string, string>;
  const held = Object.values(data).join('').length;
  const notes = 'x'.repeat(hardLimit - held - left);
  world.store.update('configmaps', { ...state, data: { ...data, notes } } as KubeObject);
}

describe.each([3_000, 0])('a state that somebody filled but for %i bytes', (left) => {
  it('holds up no part of a handback: satellites, protection and all', async () => {
    const front = { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] } };
    const world = new OfficeWorld({ config: front });
    world.cluster.apply([serviceManifest('shop', 'web', 'cart')]);
    void world.api;
    await world.at(20, 30);
    const selector = () => (world.store.get('services', 'shop', 'web')!['spec'] as { selector: unknown }).selector;
    expect(selector()).toEqual({ 'svc.io/satellite': 'web' });
    fill(world, left);
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a release' } })).status).toBe(200);
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(selector()).toEqual({ app: 'cart' });
    expect(world.standDownState().handbackDone).toBe(true);
  });

  it('lets a session of another cluster run out', async () => {
    const hosting = {
      externalWake: {
        enabled: true,
        localClusterName: 'test',
        clusters: [{ name: 'hub', secretRef: { name: 'hub', key: 'hmac' } }],
      },
    };
    const world = new OfficeWorld({ config: hosting });
    void world.api;
    await world.at(20, 30);
    expect((await world.api.asCluster('externalWake', { body: { duration: '2h' } })).status).toBe(200);
    await world.at(21);
    expect(world.levels()).toEqual(allUp);
    fill(world, left);
    await world.at(23);
    expect(world.stateData()['external_wake_sessions'] ?? '').not.toContain('hub');
    expect(world.log.lines.filter(({ level, message }) => level === 'error' && message.includes('pass'))).toEqual([]);
  });

  it('wakes what has lost its records, by the marks', async () => {
    const world = await new OfficeWorld().at(31, 45);
    expect(world.levels()).toEqual(allDown);
    const state = world.store.get('configmaps', releaseNamespace, 'svc-state')!;
    const data = { ...(state['data'] as Record<string, string>), resource_states: '[]' };
    world.kill();
    world.store.update('configmaps', { ...state, data } as KubeObject);
    fill(world, left);
    world.start();
    await world.at(33);
    expect(world.levels()).toEqual(allUp);
  });
});

describe('a state that only the cluster counts as full', () => {
  const tooLong: RequestFault = {
    kind: 'status',
    status: 422,
    done: false,
    message: 'ConfigMap "svc-state" is invalid: []: Too long: may not be more than 1048576 bytes',
  };

  it('wakes everything though the wake itself cannot be recorded', async () => {
    const world = await new OfficeWorld().at(31, 45);
    expect(world.levels()).toEqual(allDown);
    world.faults.hold(
      'limit',
      ({ method, path, body = '' }) =>
        method === 'PATCH' && path.includes('/configmaps/svc-state?') && body.includes('"transition":"{'),
      tooLong,
    );
    await world.at(32, 10);
    expect(world.levels()).toEqual(allUp);
    expect(world.log.said('The state is full').length).toBeGreaterThan(0);
  });
});
