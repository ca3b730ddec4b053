import { afterEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { configMaps } from '../../domain/names.ts';
import { stateSizeLimits } from '../../state/size.ts';

let world: ControllerWorld;
afterEach(() => world.stopController());

/** Monday, 23:00 in Berlin: outside working hours. */
const night = Date.UTC(2026, 0, 5, 22);
const minute = 60_000;

describe('a stand-down by the configuration', () => {
  it('makes every lowering that was decided before it an older one', async () => {
    world = new ControllerWorld({ startAt: night });
    const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 } as const;
    world.cluster.apply([namespaceManifest('shop'), workloadManifest(cart)]);
    await world.startController();
    await world.clock.advance(10 * minute);
    const lowered = Number(world.stateData()['epoch']);
    expect(lowered).toBeGreaterThanOrEqual(night);
    world.reconfigure({ global: { enabled: false } });
    await world.clock.advance(minute);
    expect(Number(world.stateData()['epoch'])).toBeGreaterThan(lowered);
  });

  it('holds also when the state has no room to note it', async () => {
    world = new ControllerWorld({ startAt: night });
    const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 } as const;
    world.cluster.apply([namespaceManifest('shop'), workloadManifest(cart)]);
    await world.startController();
    await world.clock.advance(10 * minute);
    expect(world.replicas('shop', 'cart')).toBe(0);
    const state = world.cluster.store.get('configmaps', releaseNamespace, configMaps.state)!;
    const data = world.stateData();
    const used = Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    world.cluster.store.update('configmaps', {
      ...state,
      data: { ...data, filler: 'x'.repeat(stateSizeLimits.hard - used) },
    });
    world.reconfigure({ global: { enabled: false } });
    await world.clock.advance(5 * minute);
    expect(world.replicas('shop', 'cart')).toBe(2);
  });
});
