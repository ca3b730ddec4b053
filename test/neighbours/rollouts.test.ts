import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import type { Neighbour } from './harness/neighbour.ts';
import { everyNight, type Scene, until } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read } from './harness/objects.ts';
import { startRollouts } from './harness/rollouts.ts';
import { Service } from './harness/service.ts';

const api = 'argoproj.io/v1alpha1';

let cluster: RealCluster;
let rollouts: Neighbour;
let service: Service;
let shop: string;
/** One with pods of its own, and one that runs the pods of a Deployment in its way. */
let cart: Place;
let web: Place;
let webDeployment: Place;

const template = (app: string, image: string) => ({
  metadata: { labels: { app } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
});
const selector = (app: string) => ({ matchLabels: { app } });
const strategy = { canary: { steps: [{ setWeight: 50 }, { pause: { duration: '1s' } }] } };

interface Read {
  readonly spec: { readonly replicas: number; readonly template: ReturnType<typeof template> };
  readonly status: { readonly readyReplicas?: number; readonly phase?: string };
}
async function found(place: Place): Promise<Read> {
  const body = await read(cluster, place);
  return { spec: body['spec'] as Read['spec'], status: body['status'] as Read['status'] };
}

async function up(): Promise<void> {
  for (const place of [cart, web]) {
    const { status } = await found(place);
    expect([place, status.readyReplicas, status.phase]).toEqual([place, place === cart ? 3 : 2, 'Healthy']);
  }
}

async function asleep(): Promise<void> {
  for (const place of [cart, web]) {
    const { spec, status } = await found(place);
    expect([place, spec.replicas, status.readyReplicas ?? 0]).toEqual([place, 0, 0]);
  }
}

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: [rollouts],
  places: [cart, web, webDeployment],
  night: () => rollouts.reconcile(10),
  asleep,
  up,
});

beforeAll(async () => {
  cluster = await realCluster();
  shop = await cluster.namespace('shop');
  rollouts = await startRollouts(cluster, shop);
  const places = `apis/${api}/namespaces/${shop}/rollouts`;
  const deployments = `apis/apps/v1/namespaces/${shop}/deployments`;
  [cart, web, webDeployment] = [`${places}/cart`, `${places}/web`, `${deployments}/web`];
  const rollout = (name: string, spec: object) => ({
    apiVersion: api,
    kind: 'Rollout',
    metadata: { name, annotations: { team: 'checkout' } },
    spec: { strategy, ...spec },
  });
  await create(cluster, deployments, {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: selector('web'), template: template('web', 'example.com/web:1') },
  });
  await create(
    cluster,
    places,
    rollout('cart', { replicas: 3, selector: selector('cart'), template: template('cart', 'example.com/cart:1') }),
  );
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', scaleDown: 'onsuccess' };
  await create(cluster, places, rollout('web', { replicas: 2, workloadRef }));
  await until(scene(), up);
  await until(scene(), async () => expect((await found(webDeployment)).spec.replicas).toBe(0));
  service = await Service.install(cluster, { kinds: ['Rollout'], namespaces: [shop] });
});

afterAll(async () => {
  await service?.close();
  await rollouts?.stop();
  await cluster?.close();
});

describe('Argo Rollouts as it is released', () => {
  it('what its owner deploys in the night comes up in the morning, with the right count', async () => {
    const here = scene();
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, cart, { spec: { template: template('cart', 'example.com/cart:2') } });
    await patch(cluster, webDeployment, { spec: { template: template('web', 'example.com/web:2') } });
    await here.night();
    await asleep();
    await service.wake();
    await until(here, up);
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
    const { spec } = await found(cart);
    expect([spec.replicas, spec.template.spec.containers[0]?.image]).toEqual([3, 'example.com/cart:2']);
    expect((await found(webDeployment)).spec.replicas).toBe(0);
  });

  it('one that its owner raises in the night stays up', async () => {
    const here = scene();
    const before = await asOwned(cluster, [web, webDeployment]);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, cart, { spec: { replicas: 1 } });
    await until(here, async () => expect((await found(cart)).status.readyReplicas).toBe(1));
    await here.night();
    expect((await found(cart)).spec.replicas).toBe(1);
    await service.wake();
    await until(here, async () => expect((await found(web)).status.readyReplicas).toBe(2));
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
    expect((await found(cart)).spec.replicas).toBe(1);
    expect(await asOwned(cluster, [web, webDeployment])).toEqual(before);
    await patch(cluster, cart, { spec: { replicas: 3 } });
    await until(here, up);
  });

  everyNight(scene);
});
