import { afterEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { configMaps } from '../../domain/names.ts';

const hour = 3_600_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 11);

let world: ControllerWorld;
afterEach(() => world.stopController());

/** On Monday at noon ann put the cluster to sleep; it is Tuesday noon. */
async function theDayAfter(acts: (at: string) => Record<string, string> = () => ({})): Promise<void> {
  world = new ControllerWorld({ startAt: noon });
  const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 } as const;
  world.cluster.apply([namespaceManifest('shop'), workloadManifest(cart)]);
  const at = new Date(noon).toISOString();
  const data = { manual_hibernation: JSON.stringify({ by: 'ann@example.com', at }), ...acts(at) };
  const metadata = { name: configMaps.state, namespace: releaseNamespace };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
  await world.startController();
  await world.clock.advance(hour);
  expect(cartIs()).toBe(0);
  await world.clock.advance(23 * hour);
  expect(cartIs()).toBe(2);
}

const cartIs = () => world.replicas('shop', 'cart');

describe('a manual hibernation that has ended', () => {
  it('does not begin again when the working hours have no opening any more', async () => {
    await theDayAfter();
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    world.reconfigure({ workingHours: { schedule: Object.fromEntries(days.map((day) => [day, 'on'])) } });
    await world.clock.advance(hour);
    expect(cartIs()).toBe(2);
  });

  it('is left in the state by a dry run, which writes nothing', async () => {
    world = new ControllerWorld({ startAt: noon, config: { operations: { dryRun: true } } });
    world.cluster.apply([namespaceManifest('shop')]);
    const at = new Date(noon - 48 * hour).toISOString();
    const data = { manual_hibernation: JSON.stringify({ by: 'ann@example.com', at }) };
    const metadata = { name: configMaps.state, namespace: releaseNamespace };
    world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
    await world.startController();
    await world.clock.advance(hour);
    expect(world.stateData()).toEqual(data);
  });

  it('leaves the wake that it overruled void', async () => {
    const before = new Date(noon - hour).toISOString();
    const until = new Date(noon + 72 * hour).toISOString();
    await theDayAfter(() => ({ wake_override: JSON.stringify({ by: 'bob@example.com', at: before, until }) }));
    await world.clock.advance(9 * hour);
    expect(cartIs()).toBe(0);
  });
});
