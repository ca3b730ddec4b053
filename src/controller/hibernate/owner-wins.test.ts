import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { type NeighbourKind, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
import { controllerIdentity } from '../../../test/support/controller-world.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import {
  appliedBy,
  cartPath,
  cronJob,
  deployment,
  flux,
  isOurPatch,
  kustomization,
  NeighbourNight,
} from '../../../test/support/worlds/neighbour-night.ts';
import { fieldManager } from '../../domain/names.ts';
import { sleep } from '../../ports/clock.ts';
import type { Transport, TransportRequest } from '../../ports/transport.ts';

let night: NeighbourNight;
afterEach(() => night.world.stopController());

const externalWake = { enabled: true, localClusterName: 'here' };
const cart = deployment('cart');
const slowToStart = deployment('web', { behaviour: { 'start-seconds': '600' } });

async function asleep(objects: readonly Manifest[], kinds: readonly NeighbourKind[] = []): Promise<void> {
  night = new NeighbourNight(kinds, objects, { externalWake });
  await night.start();
  await night.night();
}

/** The cart is in the first tier, which takes minutes. */
async function besideASlowTier(): Promise<void> {
  const tiers = [{ name: 'last', select: [{ namespace: 'shop', name: 'other' }] }];
  const slow = { behaviour: { 'terminate-seconds': '280' }, pod: { terminationGracePeriodSeconds: 600 } };
  night = new NeighbourNight([], [cart, deployment('slow', slow), deployment('other')], {
    hibernateOrdering: { tiers },
  });
  await night.start();
}

/** Another cluster needs these for so many minutes. */
function need(names: readonly string[], minutes: number, id = 's1'): void {
  const [startedAt, expiresAt] = [0, minutes].map((one) =>
    new Date(night.world.clock.now() + one * 60_000).toISOString(),
  );
  const resources = names.map((name) => ({ namespace: 'shop', name }));
  night.editState({
    external_wake_sessions: JSON.stringify([{ id, cluster: 'dev', resources, startedAt, expiresAt }]),
  });
}

const isSuspended = (name: string) =>
  (night.world.cluster.store.get('cronjobs.batch', 'shop', name)?.['spec'] as { suspend?: boolean } | undefined)
    ?.suspend;

const pause = 'autoscaling.keda.sh/paused-replicas';
const pausedAt = (name: string) =>
  night.world.cluster.store.get(storageOf('ScaledObject'), 'shop', name)?.metadata.annotations?.[pause];

describe('what its owner raises stays up though other clusters needed it meanwhile', () => {
  it.each([
    ['a wake that is given up', slowToStart, 3],
    ['a wake that came to its end', deployment('web'), 30],
  ])('in %s', async (_, web, minutes) => {
    await asleep([cart, web]);
    await night.write('ada', cartPath, { replicas: 4 });
    await night.wait(5);
    need(['web', 'cart'], minutes);
    await night.wait(60);
    expect([night.count('cart'), night.count('web')]).toEqual([4, 0]);
    expect(night.told('Deployment shop/cart is raised by ada')).toBe(1);
    await night.morning();
    expect([night.count('cart'), night.count('web')]).toEqual([4, 2]);
  });

  it('and nobody begins a hibernation of nothing for it', async () => {
    await asleep([cart, slowToStart]);
    await night.write('ada', cartPath, { replicas: 4 });
    await night.wait(5);
    const before = night.told('"kind":"hibernation"');
    need(['cart'], 3);
    await night.wait(60);
    expect([night.count('cart'), night.told('"kind":"hibernation"') - before]).toEqual([4, 0]);
  });

  it.each([
    ['during it', 1],
    ['after it', 20],
  ])('and was at zero before the night, raised %s', async (_, minutes) => {
    await asleep([deployment('cart', { replicas: 0 }), slowToStart]);
    need(['web', 'cart'], 2);
    await night.wait(minutes);
    await night.write('ada', cartPath, { replicas: 2 });
    await night.wait(30);
    expect([night.count('cart'), night.count('web')]).toEqual([2, 0]);
    expect(night.told('Deployment shop/cart is raised by ada')).toBe(1);
    expect(night.told('workload-lowered-late')).toBe(0);
  });

  it('and others get the database that it needs', async () => {
    const tiers = [{ name: 'data', select: [{ namespace: 'shop', name: 'cart' }], databases: ['orders'] }];
    const databases = { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } };
    night = new NeighbourNight([], [cart], { externalWake, databases, wakeOrdering: { tiers } });
    let condition = 'available';
    const told = (to: string) => async () => {
      condition = to;
      return { outcome: 'done' };
    };
    await night.start();
    const cloud = { read: async () => ({ condition }), stop: told('stopped'), start: told('available') };
    Object.assign(night.world.ports, { databases: cloud });
    await night.night();
    expect(condition).toBe('stopped');
    await night.write('ada', cartPath, { replicas: 4 });
    await night.wait(5);
    need(['cart'], 30);
    await night.wait(20);
    expect([condition, night.count('cart')]).toEqual(['available', 4]);
    await night.wait(30);
    expect([condition, night.count('cart')]).toEqual(['stopped', 4]);
  });

  it('and was suspended before the night', async () => {
    const nightly = cronJob('nightly');
    await asleep([{ ...nightly, spec: { ...(nightly['spec'] as object), suspend: true } } as Manifest, slowToStart]);
    need(['web', 'nightly'], 2);
    await night.wait(20);
    await night.write('ada', 'batch/v1/namespaces/shop/cronjobs/nightly', { suspend: false });
    await night.wait(30);
    expect([isSuspended('nightly'), night.told('CronJob shop/nightly')]).toEqual([false, 1]);
  });
});

describe('a controller that was paused', () => {
  let first: PausableProcess;
  // The one that died has no end that could be waited for.
  afterEach(() => night.world.startController());

  const scaledNames = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const scaledObjects = scaledNames.map((name) =>
    neighbour('ScaledObject', `shop/${name}`, { spec: { scaleTargetRef: { name: 'web' } } }),
  );

  async function asleepByOne(objects: readonly Manifest[], more: Record<string, unknown> = {}): Promise<void> {
    night = new NeighbourNight(['ScaledObject'], objects, { externalWake, ...more });
    first = new PausableProcess(night.world.clock, night.world.cluster.transport(controllerIdentity));
    await night.world.startController(first.transport, first.clock);
    await night.wait(5);
    await night.night();
    first.pause();
    await night.world.startController();
  }

  it('takes down what another one raised and did not take down again', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
    await asleepByOne(
      names.map((name) => deployment(name)),
      { controller: { maxConcurrentOperations: 1 } },
    );
    await night.at(24.9);
    expect(names.map((name) => night.count(name))).toEqual(names.map(() => 2));
    let lowered = 0;
    night.world.cluster.api.faults.onWrite(({ resource, user, after }) => {
      const isOurs = resource === 'deployments.apps' && user.includes('svc-controller');
      const isThird = isOurs && (after['spec'] as { replicas?: number }).replicas === 0 && ++lowered === 3;
      if (isThird) night.world.killController();
    });
    await night.at(25 + 1 / 60);
    first.continue();
    await night.at(26);
    expect(names.map((name) => night.count(name))).toEqual(names.map(() => 0));
    expect([night.told('is raised by'), night.told('workload-lowered-late')]).toEqual([0, 0]);
  });

  it('and so what bears nobody’s name when it is up', async () => {
    await asleepByOne([deployment('web'), ...scaledObjects], { controller: { maxConcurrentOperations: 1 } });
    const paused = () => scaledNames.map(pausedAt);
    await night.at(24.9);
    expect(paused()).toEqual(scaledNames.map(() => undefined));
    let lowered = 0;
    night.world.cluster.api.faults.onWrite(({ resource, user, after }) => {
      const isOurs = resource === storageOf('ScaledObject') && user.includes('svc-controller');
      const isThird = isOurs && after.metadata.annotations?.[pause] === '0' && ++lowered === 3;
      if (isThird) night.world.killController();
    });
    await night.at(25 + 1 / 60);
    first.continue();
    await night.at(26);
    expect(paused()).toEqual(scaledNames.map(() => '0'));
    expect(night.told('is raised')).toBe(0);
  });

  it('takes down what another one raised for other clusters, once they no longer need it', async () => {
    await asleepByOne([cart, deployment('web')]);
    need(['web'], 20);
    await night.wait(5);
    expect(night.count('web')).toBe(2);
    night.world.killController();
    first.continue();
    await night.wait(60);
    expect([night.count('web'), night.told('is raised by'), night.told('workload-lowered-late')]).toEqual([0, 0, 0]);
  });
});

describe('what another one of us has up for other clusters', () => {
  const needed = [deployment('cart'), deployment('web'), cronJob('nightly')];

  it.each([
    ['that began in the same instant', 0],
    ['that began a moment later', 411],
  ])('is taken down after each session by two that live beside each other: the other one %s', async (_, afterMs) => {
    night = new NeighbourNight([], needed, { externalWake });
    await night.world.startController();
    await night.world.clock.advance(afterMs);
    await night.world.startController();
    await night.wait(5);
    await night.night();
    for (const id of ['s1', 's2', 's3', 's4']) {
      need(['web', 'nightly'], 20, id);
      await night.wait(10);
      expect([id, night.count('web'), isSuspended('nightly')]).toEqual([id, 2, false]);
      await night.wait(31);
      expect([id, night.count('web'), isSuspended('nightly')]).toEqual([id, 0, true]);
    }
    expect(night.told('replicas-changed-by-owner')).toBe(0);
    await night.morning();
    expect([night.count('web'), isSuspended('nightly')]).toEqual([2, false]);
  });

  it('is taken down by one that was paused meanwhile, each time', async () => {
    const scaled = neighbour('ScaledObject', 'shop/x', { spec: { scaleTargetRef: { name: 'y' } } });
    night = new NeighbourNight(['ScaledObject'], [...needed, deployment('y'), scaled], { externalWake });
    const first = new PausableProcess(night.world.clock, night.world.cluster.transport(controllerIdentity));
    await night.world.startController(first.transport, first.clock);
    await night.wait(5);
    await night.night();
    for (const id of ['s1', 's2']) {
      first.pause();
      await night.world.startController();
      need(['web', 'nightly', 'x'], 20, id);
      await night.wait(10);
      expect([night.count('web'), isSuspended('nightly'), pausedAt('x')]).toEqual([2, false, undefined]);
      night.world.killController();
      first.continue();
      await night.wait(60);
      expect([night.count('web'), isSuspended('nightly'), pausedAt('x')]).toEqual([0, true, '0']);
    }
    expect(night.told('replicas-changed-by-owner')).toBe(0);
    // The one that died has no end that could be waited for.
    await night.world.startController();
  });
});

describe('what is created anew each time that it is taken down, while others are taken down', () => {
  const anew = () => {
    night.world.cluster.store.delete('deployments.apps', 'shop', 'cart');
    night.world.cluster.apply([cart]);
  };

  it.each([50, 200, 5_000])('stays up from the third time on: after %i ms', async (ms) => {
    await besideASlowTier();
    let lowered = 0;
    night.onceLowered((times) => {
      lowered = times;
      void sleep(night.world.clock, ms).then(anew);
    });
    await night.at(2);
    expect([lowered, night.count('cart'), night.count('other')]).toEqual([3, 2, 0]);
    await night.morning();
    expect([night.count('cart'), night.count('other')]).toEqual([2, 2]);
  });
});

describe('who does it again and again is left alone, whatever his name', () => {
  const applied = deployment('cart', { labels: appliedBy('apps') });

  async function anewBy(manager: string): Promise<void> {
    night.world.cluster.store.delete('deployments.apps', 'shop', 'cart');
    const { status } = await night.world.cluster.api.transport().send({
      method: 'POST',
      path: `/apis/apps/v1/namespaces/shop/deployments?fieldManager=${manager}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(applied),
    });
    expect(status).toBe(201);
  }

  it.each([50, 5_000, 60_000])('who creates it anew as what we have quieted: after %i ms', async (ms) => {
    await asleep([applied, kustomization('apps'), deployment('web')], ['Kustomization']);
    let lowered = 0;
    night.onceLowered((times) => {
      lowered = times;
      if (times < 60) void sleep(night.world.clock, ms).then(() => anewBy(flux));
    });
    await anewBy(flux);
    await night.wait(120);
    expect(night.count('cart')).toBe(2);
    expect(lowered).toBeLessThanOrEqual(4);
    expect(night.told('Deployment shop/cart is raised by kustomize-controller')).toBe(1);
  });

  it('who puts it back under our own name, in the quiet night', async () => {
    const nightly = cronJob('nightly');
    await asleep([cart, nightly, deployment('web')]);
    const suspensions = night.ourActs(
      'cronjobs.batch',
      'nightly',
      ({ spec }) => (spec as { suspend?: boolean }).suspend === true,
    );
    const lowerings = night.ourActs(
      'deployments.apps',
      'cart',
      ({ spec }) => (spec as { replicas?: number }).replicas === 0,
    );
    const resumed = { ...nightly, spec: { ...(nightly['spec'] as object), suspend: false } };
    for (let time = 0; time < 10; time++) {
      await night.replace(fieldManager, cartPath, cart);
      await night.replace(fieldManager, 'batch/v1/namespaces/shop/cronjobs/nightly', resumed);
      await night.wait(2);
    }
    expect([lowerings.times, suspensions.times]).toEqual([2, 2]);
    expect([night.count('cart'), isSuspended('nightly')]).toEqual([2, false]);
  });

  it('who puts it back under our own name, while others go down', async () => {
    await besideASlowTier();
    let lowered = 0;
    night.onceLowered((times) => {
      lowered = times;
      if (times < 60) void sleep(night.world.clock, 1_000).then(() => night.replace(fieldManager, cartPath, cart));
    });
    await night.at(2);
    expect([lowered, night.count('cart')]).toEqual([2, 2]);
  });
});

describe('a raise of ours that arrives after the wake that it was for', () => {
  const scaled = neighbour('ScaledObject', 'shop/x', { spec: { scaleTargetRef: { name: 'web' } } });
  const isNightlySuspended = () => isSuspended('nightly');
  const rows: readonly (readonly [string, string, number, () => unknown, unknown])[] = [
    ['Deployment', 'deployments/cart', 15_000, () => night.count('cart'), 0],
    ['CronJob', 'cronjobs/nightly', 15_000, isNightlySuspended, true],
    ['ScaledObject', 'scaledobjects/x', 15_000, () => pausedAt('x'), '0'],
    ['Kustomization', 'kustomizations/apps', 180_000, () => night.suspended('apps'), true],
  ];

  it.each(rows)('is taken back: %s', async (_, path, overrideMs, level, down) => {
    const applied = deployment('cart', { labels: appliedBy('apps') });
    const objects = [applied, kustomization('apps'), deployment('web'), deployment('z'), scaled, cronJob('nightly')];
    night = new NeighbourNight(['Kustomization', 'ScaledObject'], objects);
    const late = heldBack(night.world.cluster.transport(controllerIdentity), path);
    await night.world.startController(late.transport);
    await night.wait(5);
    await night.night();
    const arrived = late.holdNext();
    const [at, until] = [0, overrideMs].map((ms) => new Date(night.world.clock.now() + ms).toISOString());
    night.editState({ wake_override: JSON.stringify({ by: 'ada@example.com', at, until }) });
    for (let second = 0; second < 300 && !late.isHeld(); second++) await night.world.clock.advance(1_000);
    night.editState({ wake_override: '' });
    await night.wait(3);
    expect([late.isHeld(), level()]).toEqual([true, down]);
    await night.wait(10);
    expect(await arrived).toBe(200);
    expect(level()).toBe(down);
    expect(night.told('is raised by')).toBe(0);
  });
});

/** The next patch of that path gets no answer, and arrives five minutes later. */
function heldBack(inner: Transport, path: string) {
  let held: ((status: number) => void) | undefined;
  let isHeld = false;
  const send = async (request: TransportRequest) => {
    const isNext = held !== undefined && request.method === 'PATCH' && request.path.includes(path);
    if (!isNext) return inner.send(request);
    const arrived = held!;
    held = undefined;
    isHeld = true;
    const { signal: _, ...bare } = request;
    void sleep(night.world.clock, 300_000)
      .then(() => inner.send(bare))
      .then(({ status }) => arrived(status));
    await sleep(night.world.clock, 1_000);
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  return {
    transport: { ...inner, send },
    isHeld: () => isHeld,
    /** The answer that nobody hears. */
    holdNext: () =>
      new Promise<number>((arrived) => {
        held = arrived;
      }),
  };
}

it('what was refused all night and has one passing error in the next is no failed hibernation', async () => {
  night = new NeighbourNight([], [cart, deployment('web')]);
  await night.start();
  const match = isOurPatch('deployments.apps', 'cart');
  const { faults } = night.world.cluster.api;
  const letIt = faults.add({ match, effect: { kind: 'fail', status: 403, message: 'denied' } });
  await night.at(16);
  letIt();
  await night.at(24.9);
  const failed = night.told('hibernation-failed');
  faults.add({ match, effect: { kind: 'fail', status: 500, message: 'once' }, times: 1 });
  await night.at(25.5);
  expect([night.count('cart'), night.told('hibernation-failed') - failed]).toEqual([0, 0]);
});
