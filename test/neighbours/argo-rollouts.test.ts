import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { startArgoRollouts } from './harness/argo-rollouts.ts';
import type { Neighbour } from './harness/neighbour.ts';
import { everyNight, type Scene, until, untilAsBefore } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read } from './harness/objects.ts';
import { Service } from './harness/service.ts';

let cluster: RealCluster;
let rollouts: Neighbour;
let service: Service;
let shop: string;
/** A plain one, by steps; one that takes the template of a Deployment; and those Deployments. */
let cart: Place;
let api: Place;
let web: Place;
/** What an owner who moves to Rollouts leaves behind: kept at its count, or taken to none by the controller. */
let apiTemplate: Place;
let webTemplate: Place;

const template = (name: string, image = `example.com/${name}:1`) => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
});

const rollout = (name: string, more: object) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  metadata: { name, namespace: shop, annotations: { team: 'checkout' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: name } },
    strategy: { canary: { steps: [{ setWeight: 50 }, { pause: { duration: 1 } }] } },
    ...more,
  },
});

const byReference = (name: string, scaleDown: string) =>
  rollout(name, { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: `${name}-template`, scaleDown } });

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `${name}-template`, namespace: shop },
  spec: { replicas: 2, selector: { matchLabels: { app: name, by: 'deployment' } }, template: labelled(name) },
});

const labelled = (name: string, image?: string) => {
  const { metadata, spec } = template(name, image);
  return { metadata: { labels: { ...metadata.labels, by: 'deployment' } }, spec };
};

interface Status {
  readonly phase?: string;
  readonly readyReplicas?: number;
  readonly stableRS?: string;
}
const statusOf = async (place: Place) => ((await read(cluster, place))['status'] ?? {}) as Status;
const countOf = async (place: Place) => ((await read(cluster, place))['spec'] as { replicas: number }).replicas;

/** What the pods of the ReplicaSets that it owns are made of, where they run. */
async function imagesOf(place: Place): Promise<readonly string[]> {
  const { uid } = (await read(cluster, place))['metadata'] as { uid: string };
  const { items } = await read(cluster, `apis/apps/v1/namespaces/${shop}/replicasets`);
  const owned = (items as ReplicaSet[]).filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === uid);
  const running = owned.filter(({ spec }) => spec.replicas > 0);
  return running.map(({ spec }) => spec.template.spec.containers[0]?.image ?? '');
}

interface ReplicaSet {
  readonly metadata: { readonly ownerReferences?: readonly { readonly uid: string }[] };
  readonly spec: { readonly replicas: number; readonly template: ReturnType<typeof template> };
}

async function up(): Promise<void> {
  const found = await Promise.all([cart, api, web].map(statusOf));
  expect(found.map(({ phase, readyReplicas }) => [phase, readyReplicas])).toEqual(found.map(() => ['Healthy', 3]));
  expect([await countOf(apiTemplate), await countOf(webTemplate)]).toEqual([2, 0]);
}

async function asleep(): Promise<void> {
  expect(await Promise.all([cart, api, web].map(countOf))).toEqual([0, 0, 0]);
  expect(await Promise.all([cart, api, web].map(async (place) => (await statusOf(place)).readyReplicas ?? 0))).toEqual([
    0, 0, 0,
  ]);
  expect([await countOf(apiTemplate), await countOf(webTemplate)]).toEqual([2, 0]);
}

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: [rollouts],
  places: [cart, api, web, apiTemplate, webTemplate],
  night: () => rollouts.reconcile(30),
  asleep,
  up,
});

beforeAll(async () => {
  cluster = await realCluster();
  shop = await cluster.namespace('shop');
  const [ours, deployments] = [
    `apis/argoproj.io/v1alpha1/namespaces/${shop}/rollouts`,
    `apis/apps/v1/namespaces/${shop}/deployments`,
  ];
  [cart, api, web] = ['cart', 'api', 'web'].map((name) => `${ours}/${name}`) as [Place, Place, Place];
  [apiTemplate, webTemplate] = ['api', 'web'].map((name) => `${deployments}/${name}-template`) as [Place, Place];
  rollouts = await startArgoRollouts(cluster, shop);
  for (const name of ['api', 'web']) await create(cluster, deployments, deployment(name));
  await create(cluster, ours, rollout('cart', { template: template('cart') }));
  await create(cluster, ours, byReference('api', 'never'));
  await create(cluster, ours, byReference('web', 'onsuccess'));
  await until(scene(), up);
  service = await Service.install(cluster, { kinds: ['Rollout'], namespaces: [shop] });
});

afterAll(async () => {
  await service?.close();
  await rollouts?.stop();
  await cluster?.close();
});

describe('Argo Rollouts as it is released', () => {
  it('runs by itself what it is asked for: another count, and another template by its steps', async () => {
    const { stableRS } = await statusOf(cart);
    await patch(cluster, cart, { spec: { replicas: 4, template: template('cart', 'example.com/cart:2') } });
    await until(scene(), async () => {
      const status = await statusOf(cart);
      expect([status.phase, status.readyReplicas, status.stableRS === stableRS]).toEqual(['Healthy', 4, false]);
    });
    await patch(cluster, cart, { spec: { replicas: 3 } });
    await until(scene(), up);
  });

  it('what its owner deploys in the night comes up in the morning, with the right count', async () => {
    const here = scene();
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, cart, { spec: { template: template('cart', 'example.com/cart:3') } });
    await patch(cluster, apiTemplate, { spec: { template: labelled('api', 'example.com/api:2') } });
    await here.night();
    await asleep();
    await service.wake();
    await until(here, async () => {
      await up();
      expect(await countOf(cart)).toBe(3);
      expect(await Promise.all([cart, api].map(imagesOf))).toEqual([['example.com/cart:3'], ['example.com/api:2']]);
    });
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
  });

  it('one that its owner raises in the night stays up', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, cart, { spec: { replicas: 3 } });
    await until(here, async () => expect((await statusOf(cart)).readyReplicas).toBe(3));
    await here.night();
    expect([await countOf(cart), await countOf(api), await countOf(web)]).toEqual([3, 0, 0]);
    await service.wake();
    await untilAsBefore(here, before);
  });

  everyNight(scene);
});
