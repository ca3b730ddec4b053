import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { storageOf } from '../../../test/support/builders/neighbours.ts';
import { releaseNamespace } from '../../../test/support/controller-world.ts';
import {
  appliedBy,
  appsPath,
  cartPath,
  deployment,
  flux,
  isOurPatch,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { annotations } from '../../domain/names.ts';

const minute = 60_000;
let night: NeighbourNight;
afterEach(() => night.world.stopController());

const hibernateOrdering = {
  tiers: [{ name: 'last', timeout: '5m', select: [{ namespace: 'shop', name: 'other' }] }],
};
/** Takes minutes to go, so that its tier lasts. */
const slow = deployment('slow', {
  behaviour: { 'terminate-seconds': '280' },
  pod: { terminationGracePeriodSeconds: 600 },
});

async function started(objects: readonly Manifest[], more: Record<string, unknown>): Promise<void> {
  night = new NeighbourNight(['Kustomization'], objects, more);
  await night.start();
}

/** Another cluster needs that Deployment for so long. */
function need(name: string, ms: number): void {
  const state = night.world.cluster.store.get('configmaps', releaseNamespace, 'svc-state')!;
  const at = night.world.clock.now();
  const [startedAt, expiresAt] = [at, at + ms].map((time) => new Date(time).toISOString());
  const sessions = [{ id: 's1', cluster: 'dev', resources: [{ namespace: 'shop', name }], startedAt, expiresAt }];
  const data = { ...(state['data'] as object), external_wake_sessions: JSON.stringify(sessions) };
  night.world.cluster.store.update('configmaps', { ...state, data });
}

describe('what its owner raised stays up for the night', () => {
  it('where lowering it was refused at first, and was carried out later without an answer', async () => {
    await started([deployment('cart'), slow, deployment('other')], { hibernateOrdering });
    const match = isOurPatch('deployments.apps', 'cart');
    const letIt = night.world.cluster.api.faults.add({
      match,
      effect: { kind: 'fail', status: 403, message: 'denied' },
    });
    await night.at(1 + 0.5 / 60);
    letIt();
    night.world.cluster.api.faults.add({ match, effect: { kind: 'drop', when: 'after' }, times: 1 });
    await night.at(1 + 2 / 60);
    expect([night.count('cart'), night.world.stateData()['transition'] === undefined]).toEqual([0, false]);
    await night.write('kubectl-scale', cartPath, { replicas: 4 });
    await night.wait(60);
    expect([night.told('shop/cart is raised by kubectl-scale'), night.count('cart')]).toEqual([1, 4]);
  });

  it('where a wake for another cluster is given up meanwhile, which is no new night', async () => {
    const web = deployment('web', { behaviour: { 'start-seconds': '600' } });
    await started([deployment('cart'), web], { externalWake: { enabled: true, localClusterName: 'here' } });
    await night.night();
    await night.write('kubectl-scale', cartPath, { replicas: 4 });
    await night.wait(20);
    const { since } = JSON.parse(night.world.stateData()['phase']!) as { since: string };
    need('web', 2 * minute);
    await night.wait(1);
    expect([night.count('web'), night.count('cart')]).toEqual([2, 4]);
    await night.wait(30);
    expect([night.count('web'), night.count('cart')]).toEqual([0, 4]);
    expect(JSON.parse(night.world.stateData()['phase']!)).toMatchObject({ phase: 'hibernated', since });
  });
});

describe('what is excluded while the cluster goes to sleep', () => {
  it('is not quieted again, though what applies it brought it back', async () => {
    const objects = [
      deployment('cart', { labels: appliedBy('apps') }),
      slow,
      deployment('other'),
      kustomization('fleet'),
      kustomization('apps', { suspend: false }, appliedBy('fleet')),
    ];
    await started(objects, { hibernateOrdering });
    await night.at(1 + 1 / 60);
    expect([night.count('cart'), night.suspended('apps')]).toEqual([0, true]);
    await night.annotate('kubectl-annotate', appsPath, { [annotations.exclude]: 'true' });
    const isSuspended = (after: KubeObject) => (after['spec'] as { suspend?: boolean }).suspend === true;
    const quieted = night.ourActs(storageOf('Kustomization'), 'apps', isSuspended);
    await night.write(flux, appsPath, { suspend: false });
    await night.write(flux, cartPath, { replicas: 4 });
    await night.wait(60);
    expect([quieted.times, night.suspended('apps')]).toEqual([0, false]);
  });
});
