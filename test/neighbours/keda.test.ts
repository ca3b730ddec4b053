import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { startKeda } from './harness/keda.ts';
import { everyNight, type Scene, until, untilAsBefore } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read } from './harness/objects.ts';
import { Service } from './harness/service.ts';

const api = 'keda.sh/v1alpha1';
const pausedAt = 'autoscaling.keda.sh/paused-replicas';

let cluster: RealCluster;
let keda: Awaited<ReturnType<typeof startKeda>>;
let service: Service;
let shop: string;
/** One that scales, and one that its owner has paused at a count. */
let cart: Place;
let pinned: Place;
let deployments: readonly Place[];

/** It never fires, so KEDA holds the least count. */
const trigger = {
  type: 'cron',
  metadata: { timezone: 'UTC', start: '0 0 1 1 *', end: '1 0 1 1 *', desiredReplicas: '9' },
};
const counts = async () =>
  Promise.all(
    deployments.map(async (place) => ((await read(cluster, place))['spec'] as { replicas: number }).replicas),
  );
const ready = async () =>
  Promise.all(
    deployments.map(
      async (place) => ((await read(cluster, place))['status'] as { readyReplicas?: number }).readyReplicas,
    ),
  );
const annotation = async (place: Place) =>
  ((await read(cluster, place))['metadata'] as { annotations?: Record<string, string> }).annotations?.[pausedAt];

async function up(): Promise<void> {
  expect(await ready()).toEqual([3, 2]);
}

async function asleep(): Promise<void> {
  expect([await annotation(cart), await annotation(pinned), ...(await counts())]).toEqual(['0', '0', 0, 0]);
}

/** It looks at what it has paused only when that changes, and when it starts. */
async function night(): Promise<void> {
  for (let start = 0; start < 3; start++) {
    await keda.operator.crash();
    await keda.operator.reconcile(2);
  }
  await patch(cluster, cart, { metadata: { labels: { seen: 'tonight' } } });
  await keda.operator.reconcile(1);
  await patch(cluster, cart, { metadata: { labels: { seen: null } } });
}

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: keda === undefined ? [] : [keda.operator],
  places: [cart, pinned, ...deployments],
  night,
  asleep,
  up,
});

beforeAll(async () => {
  cluster = await realCluster();
  shop = await cluster.namespace('shop');
  const inShop = (group: string, plural: string) => `apis/${group}/namespaces/${shop}/${plural}`;
  deployments = ['cart', 'pinned'].map((name) => `${inShop('apps/v1', 'deployments')}/${name}`);
  [cart, pinned] = [`${inShop(api, 'scaledobjects')}/cart`, `${inShop(api, 'scaledobjects')}/pinned`];
  for (const app of ['cart', 'pinned']) {
    const pod = { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'example.com/main:1' }] };
    await create(cluster, inShop('apps/v1', 'deployments'), {
      metadata: { name: app },
      spec: { replicas: 1, selector: { matchLabels: { app } }, template: { metadata: { labels: { app } }, spec: pod } },
    });
  }
  keda = await startKeda(cluster, shop);
  const scaled = (name: string, annotations: Readonly<Record<string, string>>) => ({
    apiVersion: api,
    kind: 'ScaledObject',
    metadata: { name, annotations },
    spec: {
      scaleTargetRef: { name },
      pollingInterval: 1,
      cooldownPeriod: 1,
      minReplicaCount: 3,
      maxReplicaCount: 9,
      triggers: [trigger],
    },
  });
  await create(cluster, inShop(api, 'scaledobjects'), scaled('cart', { team: 'checkout' }));
  await create(cluster, inShop(api, 'scaledobjects'), scaled('pinned', { [pausedAt]: '2' }));
  await until(scene(), up);
  service = await Service.install(cluster, { kinds: ['ScaledObject'], namespaces: [shop] });
});

afterAll(async () => {
  await service?.close();
  await keda?.stop();
  await cluster?.close();
});

describe('KEDA as it is released', () => {
  it('scales by itself: a target that somebody lowers is up again', async () => {
    await patch(cluster, deployments[0] ?? '', { spec: { replicas: 0 } });
    await until(scene(), async () => expect(await counts()).toEqual([3, 2]));
    await until(scene(), up);
  });

  it('what its owner changes in the night stays', async () => {
    const here = scene();
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, cart, { spec: { minReplicaCount: 4 } });
    await night();
    await asleep();
    await service.wake();
    await until(here, async () => expect(await ready()).toEqual([4, 2]));
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
    await patch(cluster, cart, { spec: { minReplicaCount: 3 } });
    await patch(cluster, deployments[0] ?? '', { spec: { replicas: 3 } });
    await until(here, up);
  });

  it('one that its owner pauses at another count in the night keeps that', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, pinned, { metadata: { annotations: { [pausedAt]: '1' } } });
    await until(here, async () => expect(await counts()).toEqual([0, 1]));
    await service.wake();
    await until(here, async () => expect(await counts()).toEqual([3, 1]));
    expect(await annotation(pinned)).toBe('1');
    await patch(cluster, pinned, { metadata: { annotations: { [pausedAt]: '2' } } });
    await untilAsBefore(here, before);
  });

  everyNight(scene);
});
