import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { KustomizeController } from '../../../embedded-cluster/neighbours/flux.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { autoscaler } from '../../../test/support/builders/manifests.ts';
import { type NeighbourKind, storageOf } from '../../../test/support/builders/neighbours.ts';
import {
  application,
  appliedBy,
  appsPath,
  cartPath,
  cronJob,
  deployment,
  flux,
  isOurPatch,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { sleep } from '../../ports/clock.ts';

let night: NeighbourNight;
afterEach(() => night.world.stopController());

async function asleep(kinds: readonly NeighbourKind[], objects: readonly Manifest[], more = {}): Promise<void> {
  night = new NeighbourNight(kinds, objects, more);
  await night.start();
  await night.night();
}

const cart = deployment('cart', { labels: appliedBy('apps') });
/** By their names the first would come last. */
const chain = [
  cart,
  kustomization('apps', { suspend: false }, appliedBy('mid')),
  kustomization('mid', { suspend: false }, appliedBy('a-top')),
  kustomization('a-top'),
];
const upwards = ['cart', 'apps', 'mid', 'a-top'];
const wakeOrdering = { tiers: [{ name: 'first', select: [{ namespace: 'shop', name: 'other' }] }] };
const jobs = Array.from({ length: 25 }, (_, index) => `job-${index}`);
const refused = { kind: 'fail', status: 403, message: 'denied' } as const;
const exclude = ['shop', 'flux-system'].map((exact) => ({ exact }));

describe('what applies others is given back after them', () => {
  it('in a wake, one after the other', async () => {
    await asleep(['Kustomization'], chain);
    const order = night.ourWrites(upwards);
    await night.morning();
    expect(order).toEqual(upwards);
  });

  it('in a handback', async () => {
    await asleep(['Kustomization'], chain);
    const order = night.ourWrites(upwards);
    night.reconfigure({ global: { enabled: false } });
    await night.wait(20);
    expect(order).toEqual(upwards);
  });

  it('where all of them leave the scope in the night', async () => {
    await asleep(['Kustomization'], chain);
    const order = night.ourWrites(upwards);
    night.reconfigure({ targeting: { kinds: ['Kustomization'], namespaces: { exclude } } });
    await night.wait(10);
    expect(order).toEqual(upwards);
  });

  it('where both leave the scope in the night, however long that takes', async () => {
    await asleep(['Kustomization'], [cart, kustomization('apps')]);
    const order = night.ourWrites(['cart', 'apps']);
    night.world.cluster.api.faults.add({
      match: isOurPatch('deployments.apps', 'cart'),
      effect: { kind: 'delay', ms: 400 },
    });
    night.reconfigure({ targeting: { kinds: ['Kustomization'], namespaces: { exclude } } });
    await night.wait(10);
    expect([order, night.count('cart'), night.suspended('apps')]).toEqual([['cart', 'apps'], 2, undefined]);
  });

  it('by the list of an Application', async () => {
    night = new NeighbourNight(['Kustomization', 'Application'], [cart, chain[1]!, application('a-fleet')]);
    night.lists('a-fleet', [
      { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' },
    ]);
    await night.start();
    await night.night();
    const order = night.ourWrites(['cart', 'apps', 'a-fleet']);
    await night.morning();
    expect(order).toEqual(['cart', 'apps', 'a-fleet']);
  });

  it('where it applies an autoscaler that is held', async () => {
    const held = autoscaler('shop', 'scaler', 0);
    const spec = {
      ...(held['spec'] as object),
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'cart' },
    };
    const behavior = { scaleUp: { selectPolicy: 'Max' } };
    night = new NeighbourNight(
      ['HorizontalPodAutoscaler', 'Application'],
      [deployment('cart'), { ...held, spec: { ...spec, behavior } }, application('a-fleet')],
    );
    night.lists('a-fleet', [
      { group: 'autoscaling', kind: 'HorizontalPodAutoscaler', namespace: 'shop', name: 'scaler' },
    ]);
    await night.start();
    const down = night.ourWrites(['cart', 'scaler', 'a-fleet']);
    await night.night();
    expect(down).toEqual(['a-fleet', 'scaler', 'cart']);
    const order = night.ourWrites(['cart', 'scaler', 'a-fleet']);
    await night.morning();
    expect(order).toEqual(['cart', 'scaler', 'a-fleet']);
  });

  it('also after what a later tier only resumes', async () => {
    const objects = [deployment('other'), cronJob('job', appliedBy('apps')), kustomization('apps')];
    await asleep(['Kustomization'], objects, { wakeOrdering });
    const order = night.ourWrites(['other', 'job', 'apps']);
    await night.morning();
    expect(order).toEqual(['other', 'job', 'apps']);
  });

  it('also after CronJobs that are resumed at a pace, which it would resume at once', async () => {
    const repository = [cart, ...jobs.map((name) => cronJob(name, appliedBy('apps')))];
    night = new NeighbourNight(['Kustomization'], [...repository, kustomization('apps')]);
    const { cluster, clock } = night.world;
    const neighbour = new KustomizeController(
      { cluster, clock, random: seededRandom(1) },
      new Map([['flux-system/apps', repository]]),
    );
    neighbour.start();
    await night.start();
    await night.night();
    const order = night.ourWrites([...jobs, 'apps']);
    await night.morning();
    neighbour.stop();
    expect([order.length, order.at(-1)]).toEqual([jobs.length + 1, 'apps']);
  });

  it('without a wake, when what it applies takes its time', async () => {
    await asleep(['Kustomization'], [cart, kustomization('apps')]);
    const [patchOfCart, patchOfApps] = [
      isOurPatch('deployments.apps', 'cart'),
      isOurPatch(storageOf('Kustomization'), 'apps'),
    ];
    const faults = [patchOfCart, patchOfApps].map((match) =>
      night.world.cluster.api.faults.add({ match, effect: refused }),
    );
    await night.at(17.5);
    await night.world.stopController();
    for (const end of faults) end();
    night.world.cluster.api.faults.add({ match: patchOfCart, effect: { kind: 'delay', ms: 400 } });
    const order = night.ourWrites(['cart', 'apps']);
    await night.world.startController();
    await night.wait(30);
    expect([order, night.count('cart')]).toEqual([['cart', 'apps'], 2]);
  });

  it('but not kept quiet by what the cluster refuses for long', async () => {
    await asleep(['Kustomization'], [cart, cronJob('job'), kustomization('apps')]);
    night.world.cluster.api.faults.add({ match: isOurPatch('deployments.apps', 'cart'), effect: refused });
    await night.at(16.5);
    expect([night.count('cart'), night.suspended('apps')]).toEqual([0, undefined]);
  });
});

describe('what applies others is quieted before them', () => {
  it('in the evening, one after the other', async () => {
    night = new NeighbourNight(['Kustomization'], chain);
    await night.start();
    const order = night.ourWrites(upwards);
    await night.night();
    expect(order).toEqual(upwards.toReversed());
  });

  it('when both would not go down in the evening', async () => {
    night = new NeighbourNight(['Kustomization'], [cart, kustomization('apps')]);
    await night.start();
    const faults = [isOurPatch('deployments.apps', 'cart'), isOurPatch(storageOf('Kustomization'), 'apps')].map(
      (match) => night.world.cluster.api.faults.add({ match, effect: refused }),
    );
    await night.at(3);
    await night.world.stopController();
    const order = night.ourWrites(['cart', 'apps']);
    for (const end of faults) end();
    await night.world.startController();
    await night.wait(60);
    expect([order, night.count('cart')]).toEqual([['apps', 'cart'], 0]);
  });

  it('when it was brought back in passing and goes on until it may be quieted again', async () => {
    const fleet = [kustomization('fleet'), kustomization('apps', { suspend: false }, appliedBy('fleet'))];
    await asleep(['Kustomization'], [cart, ...fleet]);
    const { clock, cluster } = night.world;
    night.onceLowered(() => {
      // As Flux does with what is not suspended.
      void sleep(clock, 3_000).then(() => {
        if (night.suspended('apps') !== true) return night.write(flux, cartPath, { replicas: 4 });
      });
    });
    const end = cluster.api.faults.add({
      match: isOurPatch(storageOf('Kustomization'), 'apps'),
      effect: { kind: 'fail', status: 500, message: 'etcd' },
    });
    void sleep(clock, 30_000).then(end);
    await night.write(flux, appsPath, { suspend: false });
    await night.write(flux, cartPath, { replicas: 4 });
    await night.wait(60);
    expect([night.suspended('apps'), night.count('cart')]).toEqual([true, 0]);
  });
});
