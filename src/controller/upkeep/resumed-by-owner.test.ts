import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { KustomizeController } from '../../../embedded-cluster/neighbours/flux.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { autoscaler } from '../../../test/support/builders/manifests.ts';
import { type NeighbourKind, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
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

let night: NeighbourNight;
let repository: KustomizeController | undefined;
afterEach(async () => {
  repository?.stop();
  repository = undefined;
  await night.world.stopController();
});

const cart = deployment('cart');
const search = deployment('search', { labels: appliedBy('apps') });
const rootPath = appsPath.replace(/apps$/, 'root');
const kustomizations = appsPath.replace(/\/apps$/, '');
const deployments = cartPath.replace(/\/cart$/, '');

async function asleep(objects: readonly Manifest[], kinds: readonly NeighbourKind[] = ['Kustomization']) {
  night = new NeighbourNight(kinds, objects);
  await night.start();
  await night.night();
}

/** Flux, which has these in its repository: it creates anew what is gone, and raises what is down. */
function startFlux(applied: Readonly<Record<string, readonly Manifest[]>>): void {
  const { cluster, clock } = night.world;
  const paths = Object.entries(applied).map(([name, manifests]) => [`flux-system/${name}`, [...manifests]] as const);
  repository = new KustomizeController({ cluster, clock, random: seededRandom(3) }, new Map(paths));
  repository.start();
}

const remove = (name: string) => night.world.cluster.store.delete('deployments.apps', 'shop', name);

/** How often we take these down from now on: the Kustomization, and the Deployment. */
function takenDown(kustomized: string, deployed: string): () => readonly [number, number] {
  const spec = (one: object) => (one as { spec: { suspend?: boolean; replicas?: number } }).spec;
  const quieted = night.ourActs(storageOf('Kustomization'), kustomized, (one) => spec(one).suspend === true);
  const lowered = night.ourActs('deployments.apps', deployed, (one) => spec(one).replicas === 0);
  return () => [quieted.times, lowered.times];
}

/** We are refused that from now on, until it is allowed again. */
function refuse(resource: string, name: string, status = 403): () => void {
  return night.world.cluster.api.faults.add({
    match: isOurPatch(resource, name),
    effect: { kind: 'fail', status, message: 'denied' },
  });
}

const slow = { behaviour: { 'terminate-seconds': '280' }, pod: { terminationGracePeriodSeconds: 600 } };

/** Twenty seconds after it began to go down; the one of that name is in the last tier, the others take minutes. */
async function goingDown(objects: readonly Manifest[], last: string, beforehand = () => {}): Promise<void> {
  const hibernateOrdering = { tiers: [{ name: 'last', select: [{ namespace: 'shop', name: last }] }] };
  night = new NeighbourNight(['Kustomization'], objects, { hibernateOrdering });
  await night.start();
  beforehand();
  await night.at(1);
  await night.world.clock.advance(20_000);
}

async function resumedApps(): Promise<void> {
  await asleep([search, kustomization('apps'), cart]);
  await night.write('ada', appsPath, { suspend: false });
  await night.write(flux, `${deployments}/search`, { replicas: 2 });
  await night.wait(10);
  expect([night.suspended('apps'), night.count('search')]).toEqual([false, 2]);
}

describe('what its owner resumed in the night', () => {
  it('keeps what it applies up, also what was gone for a moment', async () => {
    await resumedApps();
    const ours = takenDown('apps', 'search');
    // Nothing that sleeps is applied meanwhile.
    remove('search');
    await night.world.clock.advance(7_000);
    night.world.cluster.apply([search]);
    await night.wait(60);
    expect([night.suspended('apps'), night.count('search'), ...ours()]).toEqual([false, 2, 0, 0]);
    await night.morning();
    expect([night.suspended('apps'), night.count('search'), night.count('cart')]).toEqual([false, 2, 2]);
  });

  it('is left alone though he takes the field away while nothing is there that it applies', async () => {
    await resumedApps();
    const ours = takenDown('apps', 'search');
    remove('search');
    await night.wait(1);
    await night.write('ada', appsPath, { suspend: null });
    await night.wait(1);
    night.world.cluster.apply([search]);
    await night.wait(30);
    expect([night.suspended('apps'), night.count('search'), ...ours()]).toEqual([undefined, 2, 0, 0]);
  });

  it('is told of once, however often what it applies is gone for a while', async () => {
    await asleep([search, kustomization('apps'), cart]);
    startFlux({ apps: [search] });
    await night.write('ada', appsPath, { suspend: false });
    await night.wait(10);
    for (let time = 0; time < 3; time++) {
      remove('search');
      await night.wait(20);
    }
    expect([night.suspended('apps'), night.count('search')]).toEqual([false, 2]);
    expect(night.cards('unexpectedReplicaChange').filter((text) => text.includes('apps'))).toHaveLength(1);
    expect(night.told('Kustomization flux-system/apps is')).toBe(1);
  });
});

describe('what its owner resumes while nothing is there that it applies', () => {
  it('is his, and so is what it then creates', async () => {
    await asleep([search, kustomization('apps'), cart]);
    startFlux({ apps: [search] });
    const ours = takenDown('apps', 'search');
    remove('search');
    await night.wait(5);
    await night.write('ada', appsPath, { suspend: false });
    await night.wait(60);
    expect([night.suspended('apps'), night.count('search'), ...ours()]).toEqual([false, 2, 0, 0]);
    expect([night.told('Kustomization flux-system/apps is'), night.told('handed-back')]).toEqual([1, 0]);
    await night.morning();
    expect([night.suspended('apps'), night.count('search'), night.records()]).toEqual([false, 2, []]);
    await night.at(25.5);
    expect([night.suspended('apps'), night.count('search')]).toEqual([true, 0]);
  });

  it('is not told as gone in the morning, though nothing is there then either', async () => {
    await asleep([search, kustomization('apps'), cart]);
    await night.write('ada', appsPath, { suspend: false });
    await night.wait(5);
    remove('search');
    await night.at(17);
    expect(night.records()).toEqual([]);
    expect(night.cards('resourceRemoved').filter((text) => text.includes('apps'))).toEqual([]);
  });

  it('in the same moment', async () => {
    await asleep([search, kustomization('apps'), cart]);
    const ours = takenDown('apps', 'search');
    remove('search');
    await night.write('ada', appsPath, { suspend: false });
    await night.world.clock.advance(3_000);
    night.world.cluster.apply([search]);
    await night.wait(60);
    expect([night.suspended('apps'), night.count('search'), ...ours()]).toEqual([false, 2, 0, 0]);
  });

  it('a HelmRelease too', async () => {
    const labels = { 'helm.toolkit.fluxcd.io/name': 'web', 'helm.toolkit.fluxcd.io/namespace': 'shop' };
    const web = deployment('web', { labels });
    await asleep([web, neighbour('HelmRelease', 'shop/web', { spec: { interval: '5m' } }), cart], ['HelmRelease']);
    const release = () => night.world.cluster.store.get(storageOf('HelmRelease'), 'shop', 'web')?.['spec'];
    expect([release(), night.count('web')]).toMatchObject([{ suspend: true }, 0]);
    remove('web');
    await night.wait(3);
    await night.write('ada', 'helm.toolkit.fluxcd.io/v2/namespaces/shop/helmreleases/web', { suspend: false });
    await night.world.clock.advance(5_000);
    night.world.cluster.apply([web]);
    await night.wait(30);
    expect([release(), night.count('web')]).toMatchObject([{ suspend: false }, 2]);
  });
});

describe('what would be raised again at once, because its owner resumed what applies it', () => {
  it('is not lowered by a tier that comes later', async () => {
    const later = deployment('later', { labels: appliedBy('apps') });
    await goingDown([deployment('slow', slow), later, kustomization('apps'), cart], 'later');
    expect([night.suspended('apps'), night.count('later'), night.count('cart')]).toEqual([true, 2, 0]);
    const ours = takenDown('apps', 'later');
    await night.write('ada', appsPath, { suspend: false });
    await night.at(3);
    expect([night.suspended('apps'), night.count('later'), ...ours()]).toEqual([false, 2, 0, 0]);
    expect(night.told('Kustomization flux-system/apps is')).toBe(1);
    expect(night.cards('hibernationComplete')).toEqual([expect.stringContaining('Deployment shop/later')]);
    await night.morning();
    expect([night.count('later'), night.count('cart'), night.records()]).toEqual([2, 2, []]);
  });

  it('nor what is applied by what it applies', async () => {
    const apps = kustomization('apps', { suspend: false }, appliedBy('root'));
    await goingDown([deployment('slow', slow), search, apps, kustomization('root'), cart], 'search');
    const ours = takenDown('apps', 'search');
    await night.write('ada', rootPath, { suspend: false });
    await night.world.clock.advance(2_000);
    await night.write(flux, appsPath, { suspend: false });
    await night.at(2);
    expect([night.suspended('root'), night.suspended('apps'), night.count('search'), ...ours()]).toEqual([
      false,
      false,
      2,
      0,
      0,
    ]);
  });

  it('while what was lowered before is waited for', async () => {
    const mine = deployment('mine', { labels: appliedBy('apps'), ...slow });
    await goingDown([mine, deployment('later'), kustomization('apps'), cart], 'later');
    await night.write('ada', appsPath, { suspend: false });
    await night.wait(1);
    expect([night.count('mine'), night.count('later')]).toEqual([0, 2]);
  });

  it('and is told as failed, and not as left up too, where lowering it was refused', async () => {
    const objects = [deployment('slow', slow), search, kustomization('apps'), cart];
    await goingDown(objects, 'cart', () => refuse('deployments.apps', 'search'));
    await night.write('ada', appsPath, { suspend: false });
    await night.at(2);
    const told = 'Left up, for somebody raised it or what applies it meanwhile: Kustomization flux-system/apps';
    expect(night.cards('hibernationFailed')).toEqual([told]);
  });

  it('and is not told as raised where it was recorded, and never lowered', async () => {
    night = new NeighbourNight(['Kustomization'], [deployment('slow', slow), search, kustomization('apps'), cart]);
    await night.start();
    await night.write(flux, `${deployments}/search`, { replicas: 3 });
    await night.wait(5);
    const allow = refuse('deployments.apps', 'search', 500);
    await night.at(1);
    await night.world.clock.advance(8_000);
    await night.write('ada', appsPath, { suspend: false });
    await night.wait(2);
    allow();
    await night.at(2);
    expect([night.suspended('apps'), night.count('search'), night.told('Deployment shop/search is')]).toEqual([
      false,
      3,
      0,
    ]);
  });

  it('is not lowered late either, where the cluster refused that in the evening', async () => {
    night = new NeighbourNight(['Kustomization'], [search, kustomization('apps'), cart]);
    await night.start();
    const allow = refuse('deployments.apps', 'search');
    await night.at(2);
    expect([night.suspended('apps'), night.count('search')]).toEqual([true, 2]);
    await night.write('ada', appsPath, { suspend: false });
    await night.wait(10);
    const ours = takenDown('apps', 'search');
    allow();
    await night.wait(20);
    expect([night.suspended('apps'), night.count('search'), ...ours()]).toEqual([false, 2, 0, 0]);
  });

  it('is left up through what came in the night as well', async () => {
    const apps = kustomization('apps', { suspend: false }, appliedBy('root'));
    await asleep([search, apps, kustomization('root'), cart]);
    await night.write('ada', rootPath, { suspend: false });
    await night.wait(10);
    const ours = takenDown('extra', 'extra');
    await create(kustomizations, kustomization('extra', { suspend: false }, appliedBy('root')));
    await night.world.clock.advance(3_000);
    await create(deployments, deployment('extra', { labels: appliedBy('extra') }));
    await night.wait(20);
    expect([night.suspended('extra'), night.count('extra'), ...ours()]).toEqual([false, 2, 0, 0]);
  });
});

describe('what we could not quiet in the evening', () => {
  it('is quieted late, also where it applies itself, as Flux does once it is bootstrapped', async () => {
    const itself = kustomization('apps', {}, appliedBy('apps'));
    night = new NeighbourNight(['Kustomization'], [itself, search, cart]);
    await night.start();
    startFlux({ apps: [search] });
    await night.at(0.99);
    const allow = refuse(storageOf('Kustomization'), 'apps', 500);
    await night.at(1);
    await night.wait(4);
    allow();
    await night.wait(30);
    expect([night.suspended('apps'), night.count('search')]).toEqual([true, 0]);
  });

  it('keeps nothing up that it applies, for it is up by nobody’s doing', async () => {
    night = new NeighbourNight(['Kustomization'], [search, kustomization('apps'), cart]);
    await night.start();
    refuse(storageOf('Kustomization'), 'apps');
    const allow = refuse('deployments.apps', 'search');
    await night.at(2);
    allow();
    await night.at(6);
    expect([night.suspended('apps'), night.count('search')]).toEqual([undefined, 0]);
  });

  it.each([
    ['while the cluster goes down', 1, 500],
    ['in the night', 2, 403],
  ])('is left alone once it applies nothing, %s', async (_, hours, status) => {
    night = new NeighbourNight(['Kustomization'], [deployment('slow', slow), search, kustomization('apps'), cart]);
    await night.start();
    const allow = refuse(storageOf('Kustomization'), 'apps', status);
    await night.at(hours);
    await night.world.clock.advance(10_000);
    remove('search');
    await night.world.clock.advance(10_000);
    allow();
    await night.at(4);
    expect(night.suspended('apps')).toBe(undefined);
  });
});

it('one that its owner resumed stays his though he excludes it for a while', async () => {
  await resumedApps();
  const ours = takenDown('apps', 'search');
  await night.annotate('ada', appsPath, { 'svc.io/exclude': 'true' });
  await night.wait(10);
  await night.annotate('ada', appsPath, { 'svc.io/exclude': null });
  await night.wait(30);
  expect([night.suspended('apps'), night.count('search'), ...ours()]).toEqual([false, 2, 0, 0]);
});

it('one that was handed back, and is in scope again before anybody looks, is quieted again', async () => {
  await asleep([search, kustomization('apps'), cart]);
  const include = () => night.annotate('ada', appsPath, { 'svc.io/exclude': null });
  let isGivenBack = false;
  night.world.cluster.api.faults.onWrite(({ resource, name, user, after }) => {
    const isResume = (after['spec'] as { suspend?: boolean } | undefined)?.suspend !== true;
    if (isGivenBack || resource !== storageOf('Kustomization') || name !== 'apps' || !isResume) return;
    if (!user.includes('controller')) return;
    isGivenBack = true;
    queueMicrotask(() => void include());
  });
  await night.annotate('ada', appsPath, { 'svc.io/exclude': 'true' });
  await night.wait(60);
  expect([isGivenBack, night.suspended('apps'), night.count('search')]).toEqual([true, true, 0]);
});

it('another one of the name of what was resumed, which applies nothing, is left alone', async () => {
  await resumedApps();
  remove('search');
  await night.wait(1);
  const ours = takenDown('apps', 'search');
  night.world.cluster.store.delete(storageOf('Kustomization'), 'flux-system', 'apps');
  night.world.cluster.apply([kustomization('apps')]);
  await night.wait(20);
  expect(ours()).toEqual([0, 0]);
});

describe('what its owner raised in the night, and is none of ours for a while', () => {
  it('a ScaledObject that is frozen by its owner, and let go', async () => {
    const scaled = neighbour('ScaledObject', 'shop/x', { spec: { scaleTargetRef: { name: 'web' } } });
    const path = 'keda.sh/v1alpha1/namespaces/shop/scaledobjects/x';
    const paused = 'autoscaling.keda.sh/paused-replicas';
    await asleep([deployment('web'), scaled, cart], ['ScaledObject']);
    for (const annotations of [{ [paused]: null }, { 'autoscaling.keda.sh/paused': 'true' }]) {
      await night.annotate('ada', path, annotations);
      await night.wait(10);
    }
    await night.annotate('ada', path, { 'autoscaling.keda.sh/paused': null });
    await night.wait(30);
    const found = night.world.cluster.store.get(storageOf('ScaledObject'), 'shop', 'x');
    expect(found?.metadata.annotations?.[paused]).toBe(undefined);
  });

  it('a Deployment that is scaled by another for a while', async () => {
    await asleep([cart, deployment('web')], ['ScaledObject']);
    await night.write('ada', cartPath, { replicas: 4 });
    await night.wait(10);
    night.world.cluster.apply([neighbour('ScaledObject', 'shop/c', { spec: { scaleTargetRef: { name: 'cart' } } })]);
    await night.wait(10);
    await night.write('keda-operator', cartPath, { replicas: 6 });
    await night.wait(10);
    night.world.cluster.store.delete(storageOf('ScaledObject'), 'shop', 'c');
    await night.wait(20);
    expect(night.count('cart')).toBe(6);
    await night.morning();
    expect([night.count('cart'), night.count('web'), night.records()]).toEqual([6, 2, []]);
  });

  it('a Deployment that an autoscaler from zero scales for a while', async () => {
    await asleep([cart, deployment('web')]);
    await night.write('ada', cartPath, { replicas: 4 });
    await night.wait(10);
    night.world.cluster.apply([autoscaler('shop', 'cart', 0)]);
    await night.wait(10);
    night.world.cluster.store.delete('horizontalpodautoscalers.autoscaling', 'shop', 'cart');
    await night.wait(20);
    expect(night.count('cart')).toBe(4);
  });

  it('but not one that slept until then: that is handed back', async () => {
    await asleep([cart, deployment('web')], ['ScaledObject']);
    night.world.cluster.apply([neighbour('ScaledObject', 'shop/c', { spec: { scaleTargetRef: { name: 'cart' } } })]);
    await night.wait(10);
    expect(night.count('cart')).toBe(2);
    expect(night.records().map(({ name }) => name)).not.toContain('cart');
  });

  it('but not one that its owner excludes: that is handed back, and no wake is judged by it', async () => {
    await asleep([cart, deployment('web')]);
    await night.write('ada', cartPath, { replicas: 4 });
    await night.wait(10);
    await night.annotate('ada', cartPath, { 'svc.io/exclude': 'true' });
    await night.wait(10);
    expect(night.records().map(({ name }) => name)).toEqual(['web']);
    expect(night.count('cart')).toBe(4);
  });
});

/** As Flux does. */
async function create(path: string, manifest: Manifest): Promise<void> {
  const { status } = await night.world.cluster.api.transport().send({
    method: 'POST',
    path: `/apis/${path}?fieldManager=${flux}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(manifest),
  });
  expect(status).toBe(201);
}
