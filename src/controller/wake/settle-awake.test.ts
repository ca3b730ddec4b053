import { afterEach, expect, it } from 'vitest';
import { cartPath, deployment, isOurPatch, NeighbourNight } from '../../../test/support/worlds/neighbour-night.ts';
import { annotations } from '../../domain/names.ts';

let night: NeighbourNight;
afterEach(() => night.world.stopController());

it('a mark that could not be taken off what its owner raised is tried again soon, though all is up', async () => {
  night = new NeighbourNight([], [deployment('cart'), deployment('web')]);
  await night.start();
  await night.night();
  const { faults } = night.world.cluster.api;
  const match = isOurPatch('deployments.apps', 'cart');
  const letIt = faults.add({ match, effect: { kind: 'fail', status: 403, message: 'denied' } });
  await night.write('ada', cartPath, { replicas: 3 });
  await night.morning();
  await night.wait(20);
  const isMarked = () => {
    const { metadata } = night.world.cluster.store.get('deployments.apps', 'shop', 'cart')!;
    return metadata.annotations?.[annotations.hibernatedReplicas] !== undefined;
  };
  expect(isMarked()).toBe(true);
  letIt();
  await night.wait(1);
  expect([isMarked(), night.count('cart'), night.records()]).toEqual([false, 3, []]);
});
