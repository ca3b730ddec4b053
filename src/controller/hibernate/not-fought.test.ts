import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { NeighbourKind } from '../../../test/support/builders/neighbours.ts';
import { releaseNamespace } from '../../../test/support/controller-world.ts';
import {
  appliedBy,
  cartPath,
  deployment,
  flux,
  isOurPatch,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { configMaps } from '../../domain/names.ts';
import { sleep } from '../../ports/clock.ts';

let night: NeighbourNight;
afterEach(() => night.world.stopController());

async function awake(
  kinds: readonly NeighbourKind[],
  objects: readonly Manifest[],
  more: Record<string, unknown> = {},
): Promise<void> {
  night = new NeighbourNight(kinds, objects, more);
  await night.start();
}

const cart = deployment('cart');
const replicasOf = (object: KubeObject | undefined) =>
  (object?.['spec'] as { replicas?: number } | undefined)?.replicas;

/** Counts how often we take the cart down, and does something each time. */
function loweringsOfCart(each: (times: number) => void): { readonly times: number } {
  const counted = { times: 0 };
  night.world.cluster.api.faults.onWrite(({ resource, name, user, before, after }) => {
    if (resource !== 'deployments.apps' || name !== 'cart' || !user.includes('svc-controller')) return;
    if (replicasOf(after) === 0 && replicasOf(before) !== 0) each(++counted.times);
  });
  return counted;
}

/** The returned function ends it. */
function refuseToLowerCart(): () => void {
  const match = isOurPatch('deployments.apps', 'cart');
  return night.world.cluster.api.faults.add({ match, effect: { kind: 'fail', status: 403, message: 'denied' } });
}

const later = (ms: number, act: () => void) => void sleep(night.world.clock, ms).then(act);

describe('whoever puts an object back whole, our mark included, while the cluster goes to sleep', () => {
  const slow = { behaviour: { 'terminate-seconds': '280' }, pod: { terminationGracePeriodSeconds: 600 } };

  it.each([
    [5, 2],
    [50, 3],
  ])('is not fought, told, and left up: after %i ms, at %i replicas', async (ms, replicas) => {
    await awake([], [cart, deployment('web')]);
    const lowered = loweringsOfCart(() =>
      later(ms, () => void night.replace('shop-operator', cartPath, deployment('cart', { replicas }))),
    );
    await night.at(2);
    expect([lowered.times, night.count('cart'), night.count('web')]).toEqual([1, replicas, 0]);
    expect(night.told('Deployment shop/cart is raised by shop-operator')).toBe(1);
    await night.morning();
    expect([night.count('cart'), night.count('web')]).toEqual([replicas, 2]);
    // The next evening is a new one.
    await night.at(26);
    expect([lowered.times, night.count('cart'), night.count('web')]).toEqual([2, replicas, 0]);
  });

  it('is not fought more than once where it was under way when it was quieted', async () => {
    const applied = deployment('cart', { labels: appliedBy('apps') });
    await awake(['Kustomization'], [applied, kustomization('apps'), deployment('web')]);
    const lowered = loweringsOfCart((times) => {
      if (times < 50) void night.replace(flux, cartPath, applied);
    });
    await night.at(2);
    expect([lowered.times, night.count('cart')]).toEqual([2, 2]);
  });

  it('is not fought where a tier takes minutes', async () => {
    const tiers = [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }];
    await awake([], [cart, deployment('slow', slow), deployment('other')], { hibernateOrdering: { tiers } });
    const lowered = loweringsOfCart(() => later(1_000, () => void night.replace('shop-operator', cartPath, cart)));
    await night.at(2);
    expect([lowered.times, night.count('cart')]).toEqual([1, 2]);
  });
});

it('what was refused, is lowered late and put back whole before the next look is not fought', async () => {
  await awake([], [cart, deployment('web')]);
  const letIt = refuseToLowerCart();
  await night.at(2);
  const lowered = loweringsOfCart((times) => {
    if (times < 50) void night.replace('shop-operator', cartPath, deployment('cart', { replicas: 3 }));
  });
  letIt();
  await night.wait(10);
  expect([lowered.times, night.count('cart')]).toEqual([1, 3]);
});

it('what was refused and has another count by now is recorded with that before it is lowered late', async () => {
  await awake([], [cart, deployment('web')]);
  const letIt = refuseToLowerCart();
  await night.at(2);
  const recorded: unknown[] = [];
  loweringsOfCart(() => {
    recorded.push(...night.records().flatMap((one) => (one.name === 'cart' && 'replicas' in one ? one.replicas : [])));
  });
  // The next one has not been refused yet, and so lowers it in the pass in which it finds the other count.
  night.world.killController();
  await night.write('ada', cartPath, { replicas: 5 });
  letIt();
  await night.world.startController();
  await night.wait(10);
  expect([recorded, night.count('cart')]).toEqual([[5], 0]);
  await night.morning();
  expect(night.count('cart')).toBe(5);
});

it('what is created anew each time that it is taken down stays up from the third time on, told once', async () => {
  await awake([], [cart, deployment('web')]);
  await night.night();
  const anew = () => {
    night.world.cluster.store.delete('deployments.apps', 'shop', 'cart');
    night.world.cluster.apply([cart]);
  };
  const lowered = loweringsOfCart(() => later(5_000, anew));
  const cards = night.world.notices.length;
  anew();
  await night.wait(60);
  expect([lowered.times, night.count('cart')]).toEqual([2, 2]);
  expect(night.world.notices.length - cards).toBeLessThanOrEqual(3);
  await night.morning();
  expect(night.count('cart')).toBe(2);
});

describe('what is raised in passing above what could be given back', () => {
  it('is not taken down', async () => {
    await awake(['Kustomization'], [deployment('cart', { labels: appliedBy('apps') }), kustomization('apps')]);
    await night.night();
    await night.write(flux, cartPath, { replicas: 10_001 });
    await night.wait(10);
    expect(night.count('cart')).toBe(10_001);
  });

  it('is not taken down while others are, either', async () => {
    const tiers = [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }];
    const slow = { behaviour: { 'terminate-seconds': '30' }, pod: { terminationGracePeriodSeconds: 60 } };
    await awake(
      ['Kustomization'],
      [
        deployment('cart', { labels: appliedBy('apps') }),
        kustomization('apps'),
        deployment('slow', slow),
        deployment('other'),
      ],
      { hibernateOrdering: { tiers } },
    );
    loweringsOfCart((times) => {
      if (times === 1) later(3_000, () => void night.write(flux, cartPath, { replicas: 10_001 }));
    });
    await night.at(2);
    expect(night.count('cart')).toBe(10_001);
  });
});

describe('what a wake for another cluster has up goes down again when that is given up', () => {
  const isStateWrite = ({ resource, name, verb, user }: Parameters<ReturnType<typeof isOurPatch>>[0]) =>
    resource === 'configmaps' && name === configMaps.state && verb !== 'get' && user.includes('controller');

  async function needed(): Promise<void> {
    const externalWake = { enabled: true, localClusterName: 'here' };
    await awake([], [cart, deployment('web', { behaviour: { 'start-seconds': '600' } })], { externalWake });
    await night.night();
    const { store } = night.world.cluster;
    const state = store.get('configmaps', releaseNamespace, configMaps.state)!;
    const [startedAt, expiresAt] = [0, 120_000].map((ms) => new Date(night.world.clock.now() + ms).toISOString());
    const session = { id: 's1', cluster: 'dev', resources: [{ namespace: 'shop', name: 'web' }], startedAt, expiresAt };
    const data = { ...(state['data'] as object), external_wake_sessions: JSON.stringify([session]) };
    store.update('configmaps', { ...state, data });
    await night.wait(1);
  }

  it.each([1, 2, 3, 4, 5])('whichever write of the state fails, here the one numbered %i', async (nth) => {
    await needed();
    night.world.cluster.api.faults.add({
      match: isStateWrite,
      effect: { kind: 'fail', status: 500, message: 'no' },
      nth,
    });
    await night.at(6);
    expect([night.count('web'), night.count('cart')]).toEqual([0, 0]);
    await night.morning();
    expect([night.count('web'), night.count('cart')]).toEqual([2, 2]);
  });

  it.each([1, 2, 3, 4, 5])('and whenever the controller dies meanwhile, here after write %i', async (nth) => {
    await needed();
    let seen = 0;
    night.world.cluster.api.faults.onWrite(({ name, user }) => {
      if (!user.includes('svc-controller') || name !== configMaps.state || ++seen !== nth) return;
      night.world.killController();
      later(20_000, () => void night.world.startController());
    });
    await night.at(6);
    expect([night.count('web'), night.count('cart')]).toEqual([0, 0]);
    await night.morning();
    expect([night.count('web'), night.count('cart')]).toEqual([2, 2]);
  });
});
