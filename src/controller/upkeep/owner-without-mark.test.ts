import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { type NeighbourKind, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
import {
  appliedBy,
  appsPath,
  cartPath,
  cronJob,
  deployment,
  flux,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { annotations } from '../../domain/names.ts';
import { sleep } from '../../ports/clock.ts';

let night: NeighbourNight;
afterEach(() => night.world.stopController());

async function asleep(kinds: readonly NeighbourKind[], objects: readonly Manifest[]): Promise<void> {
  night = new NeighbourNight(kinds, objects);
  await night.start();
  await night.night();
}

const jobPath = 'batch/v1/namespaces/shop/cronjobs/job';
const pause = 'autoscaling.keda.sh/paused-replicas';
const specOf = (object: KubeObject | undefined) => object?.['spec'] as { replicas?: number; suspend?: boolean };
const isAtZero = (after: KubeObject) => specOf(after).replicas === 0;
const isSuspended = (after: KubeObject) => specOf(after).suspend === true;
const isPaused = (after: KubeObject) => after.metadata.annotations?.[pause] === '0';
const cart = deployment('cart');
const scaled = neighbour('ScaledObject', 'shop/worker', { spec: { scaleTargetRef: { name: 'worker' } } });
const others = [deployment('worker'), deployment('web', { labels: appliedBy('apps') })];
const scaledPath = 'keda.sh/v1alpha1/namespaces/shop/scaledobjects/worker';

describe('what its owner puts back whole, as it was, with no mark of ours left on it', () => {
  it.each<[string, string, Manifest, { readonly resource: string; readonly isDown: (after: KubeObject) => boolean }]>([
    ['a Deployment', cartPath, cart, { resource: 'deployments.apps', isDown: isAtZero }],
    ['a CronJob', jobPath, cronJob('job'), { resource: 'cronjobs.batch', isDown: isSuspended }],
    ['a ScaledObject', scaledPath, scaled, { resource: storageOf('ScaledObject'), isDown: isPaused }],
    ['a Kustomization', appsPath, kustomization('apps'), { resource: storageOf('Kustomization'), isDown: isSuspended }],
  ])('%s stays up', async (_, path, manifest, { resource, isDown }) => {
    await asleep(['ScaledObject', 'Kustomization'], [...others, cart, cronJob('job'), scaled, kustomization('apps')]);
    const { namespace, name } = manifest.metadata;
    const stored = () => night.world.cluster.store.get(resource, namespace, name)!;
    expect(isDown(stored())).toBe(true);
    const lowered = night.ourActs(resource, name, isDown);
    await night.replace('kubectl-replace', path, manifest);
    await night.wait(30);
    expect([lowered.times, isDown(stored())]).toEqual([0, false]);
  });

  it('again and again, as operators do, is not fought', async () => {
    await asleep([], [cart]);
    const lowered = night.ourActs('deployments.apps', 'cart', isAtZero);
    night.onceLowered(() => {
      void sleep(night.world.clock, 1_000).then(() => night.replace('shop-operator', cartPath, cart));
    });
    await night.replace('shop-operator', cartPath, cart);
    await night.wait(60);
    expect(lowered.times).toBe(0);
  });

  it('while the service is away, is left as it is when that comes back', async () => {
    await asleep([], [cart, deployment('web', { replicas: 3 })]);
    await night.world.stopController();
    await night.write('kubectl-scale', cartPath, { replicas: 2 });
    const marks = Object.values(annotations).filter((name) => name.includes('hibernated'));
    await night.annotate('kubectl-annotate', cartPath, Object.fromEntries(marks.map((name) => [name, null])));
    await night.world.startController();
    await night.wait(30);
    expect([night.count('cart'), night.count('web')]).toEqual([2, 0]);
  });
});

describe('what its owner raised under a release that did not note it as its doing', () => {
  /** That one noted the new count, and nothing else. */
  async function upgraded(): Promise<void> {
    await night.wait(20);
    await night.world.stopController();
    night.editRecords((record) => delete record['tonight']);
    await night.world.startController();
    await night.wait(30);
  }

  it('stays up: a Deployment and a CronJob', async () => {
    await asleep([], [cart, cronJob('job')]);
    await night.write('kubectl-scale', cartPath, { replicas: 4 });
    await night.write('kubectl-patch', jobPath, { suspend: false });
    await upgraded();
    const job = night.world.cluster.store.get('cronjobs.batch', 'shop', 'job');
    expect([night.count('cart'), specOf(job).suspend]).toEqual([4, false]);
  });

  it('stays up: a Kustomization and what it applies', async () => {
    await asleep(['Kustomization'], [deployment('cart', { labels: appliedBy('apps') }), kustomization('apps')]);
    await night.write('flux-cli', appsPath, { suspend: null });
    await night.wait(5);
    await night.write(flux, cartPath, { replicas: 2 });
    await upgraded();
    expect([night.suspended('apps'), night.count('cart')]).toEqual([undefined, 2]);
  });
});
