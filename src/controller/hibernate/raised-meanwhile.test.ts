import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import {
  appliedBy,
  cartPath,
  deployment,
  flux,
  isOurPatch,
  isOurRead,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { sleep } from '../../ports/clock.ts';

let night: NeighbourNight;
afterEach(() => night.world.stopController());

const cart = deployment('cart', { labels: appliedBy('apps') });
const hibernateOrdering = { tiers: [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }] };
/** Takes minutes to go, so that its tier lasts. */
const slow = deployment('slow', {
  behaviour: { 'terminate-seconds': '280' },
  pod: { terminationGracePeriodSeconds: 600 },
});
const byOwner = 'Deployment shop/cart is raised by kubectl-scale';

async function started(objects: readonly Manifest[]): Promise<void> {
  night = new NeighbourNight(['Kustomization'], [...objects, slow, deployment('other')], { hibernateOrdering });
  await night.start();
}

/** Raises cart some seconds after each of our lowerings, at most so often. */
function raisedAfterLowering(manager: string, replicas: number, most = Number.POSITIVE_INFINITY): { times: number } {
  const lowered = { times: 0 };
  night.onceLowered((times) => {
    lowered.times = times;
    if (times > most) return;
    void sleep(night.world.clock, 3_000).then(() => night.write(manager, cartPath, { replicas }));
  });
  return lowered;
}

describe('what is raised while the cluster goes to sleep', () => {
  it('under the name of what is quiet is lowered again once, and then left up', async () => {
    await started([cart, kustomization('apps')]);
    const lowered = raisedAfterLowering(flux, 4);
    await night.night();
    await night.wait(120);
    expect([lowered.times, night.count('cart')]).toEqual([2, 4]);
    expect(night.told(`Deployment shop/cart is raised by ${flux}`)).toBe(1);
    await night.morning();
    expect(night.count('cart')).toBe(4);
  });

  it('by its owner is told by a card, too, with the name', async () => {
    await started([cart]);
    raisedAfterLowering('kubectl-scale', 3, 1);
    await night.night();
    await night.wait(120);
    expect(night.cards('unexpectedReplicaChange')).toEqual([expect.stringContaining('raised by kubectl-scale')]);
  });

  it('by its owner is told once though our mark could not be taken off at once', async () => {
    await started([cart]);
    night.onceLowered((times) => {
      if (times > 1) return;
      void night.write('kubectl-scale', cartPath, { replicas: 3 });
      const conflict = { kind: 'fail', status: 409, message: 'modified' } as const;
      night.world.cluster.api.faults.add({ match: isOurPatch('deployments.apps', 'cart'), effect: conflict, times: 1 });
    });
    await night.night();
    await night.wait(120);
    const mark = night.world.cluster.store.get('deployments.apps', 'shop', 'cart')?.metadata.annotations ?? {};
    expect([night.count('cart'), night.told(byOwner)]).toEqual([3, 1]);
    expect(Object.keys(mark).filter((name) => name.startsWith('svc.io/'))).toEqual([]);
  });

  it.each([
    ['by its owner', 'kubectl-scale', [3, 1]],
    ['in passing', flux, [0, 0]],
  ])('%s and cannot be read is decided about when it can', async (_, manager, [count, told]) => {
    await started([cart, kustomization('apps')]);
    raisedAfterLowering(manager, 3, 1);
    const end = night.world.cluster.api.faults.add({
      match: isOurRead('deployments.apps', 'cart'),
      effect: { kind: 'fail', status: 503, message: 'unavailable' },
    });
    await night.at(1 + 2 / 60);
    end();
    await night.wait(120);
    expect([night.count('cart'), night.told(byOwner), night.told('Deployment shop/cart was 2')]).toEqual([
      count,
      told,
      0,
    ]);
  });
});

describe('after something came in the night', () => {
  it('what was lowered again in passing is still lowered no more', async () => {
    await started([cart, kustomization('apps')]);
    await night.at(1.5);
    await night.write(flux, cartPath, { replicas: 4 });
    await night.wait(10);
    expect(night.count('cart')).toBe(0);
    night.world.cluster.apply([deployment('late')]);
    await night.wait(10);
    expect(night.count('late')).toBe(0);
    await night.write(flux, cartPath, { replicas: 4 });
    await night.wait(30);
    expect(night.count('cart')).toBe(4);
  });

  it('the cluster is asleep since the evening', async () => {
    await started([cart]);
    await night.at(1.5);
    const evening = night.world.stateData()['phase'];
    night.world.cluster.apply([deployment('late')]);
    await night.wait(30);
    expect([night.count('late'), night.world.stateData()['phase']]).toEqual([0, evening]);
  });

  it('what its owner raised before is told by one card', async () => {
    await started([cart]);
    await night.at(1.5);
    await night.write('kubectl-scale', cartPath, { replicas: 4 });
    await night.wait(20);
    night.world.cluster.apply([deployment('late')]);
    await night.wait(60);
    await night.write('kube-controller-manager', cartPath, { replicas: 5 });
    await night.wait(60);
    expect(night.cards('unexpectedReplicaChange')).toHaveLength(1);
  });
});

describe('what its owner raised in the night', () => {
  it('and an autoscaler goes on with is told by one card, and each change is in the audit log', async () => {
    await started([cart]);
    await night.at(1.5);
    await night.write('kubectl-scale', cartPath, { replicas: 4 });
    await night.wait(20);
    for (const replicas of [5, 6, 4]) {
      await night.write('kube-controller-manager', cartPath, { replicas });
      await night.wait(20);
    }
    expect([night.told('shop/cart is raised by'), night.cards('unexpectedReplicaChange').length]).toEqual([4, 1]);
    await night.morning();
    expect(night.count('cart')).toBe(4);
  });

  it('is told anew in the next night', async () => {
    await started([cart]);
    for (const hours of [1.5, 25.5]) {
      await night.at(hours);
      await night.write('kubectl-scale', cartPath, { replicas: 4 });
      await night.wait(10);
    }
    expect(night.told(byOwner)).toBe(2);
  });
});
