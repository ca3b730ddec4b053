import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { type Keda, startKeda } from './harness/keda.ts';
import { everyNight, type Scene, until, untilAsBefore } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read, remove, written } from './harness/objects.ts';
import { Service } from './harness/service.ts';

const paused = 'autoscaling.keda.sh/paused';
const pausedReplicas = 'autoscaling.keda.sh/paused-replicas';

let cluster: RealCluster;
let keda: Keda;
let service: Service;
let shop: string;
/** Scaled by KEDA as its triggers say; paused at 2 by its owner; and what they scale. */
let cart: Place;
let api: Place;
let cartTarget: Place;
let apiTarget: Place;
/** Frozen as it stands by its owner, and what it scales. */
let web: Place;
let webTarget: Place;
/** The autoscaler that KEDA makes for the first, and keeps while it is not paused. */
let autoscaler: Place;
/** Starts jobs, one at a time; where they are. */
let mails: Place;
let jobs: Place;

/** Active at every minute of the day: a span ends where the other one runs. */
const always = [
  ['0 0 * * *', '58 23 * * *'],
  ['0 12 * * *', '58 11 * * *'],
].map(([start, end]) => ({ type: 'cron', metadata: { timezone: 'Etc/UTC', start, end, desiredReplicas: '3' } }));

const template = (name: string, more: object = {}) => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: `example.com/${name}:1` }], ...more },
});

const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: shop, annotations: { team: 'checkout' } },
  spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: template(name) },
});

const scaled = (kind: 'ScaledObject' | 'ScaledJob', name: string, more: { annotations?: object; spec: object }) => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind,
  metadata: { name, namespace: shop, annotations: { team: 'checkout', ...more.annotations } },
  spec: { pollingInterval: 1, triggers: always, ...more.spec },
});

const target = (name: string) => ({ scaleTargetRef: { name }, minReplicaCount: 3, maxReplicaCount: 5 });

const countOf = async (place: Place) => ((await read(cluster, place))['spec'] as { replicas: number }).replicas;
const readyOf = async (place: Place) =>
  ((await read(cluster, place))['status'] as { readyReplicas?: number }).readyReplicas ?? 0;
const annotationsOf = async (place: Place) =>
  ((await read(cluster, place))['metadata'] as { annotations?: Readonly<Record<string, string>> }).annotations ?? {};
/** KEDA keeps those that have ended. */
const runningJobs = async () =>
  ((await read(cluster, jobs))['items'] as Job[])
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.conditions === undefined)
    .map(({ metadata }) => metadata);

interface Job {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly object[] };
}

async function endJobs(): Promise<void> {
  for (const { name } of await runningJobs()) await remove(cluster, `${jobs}/${name}`);
}

const targets = () => [cartTarget, apiTarget, webTarget];

async function up(): Promise<void> {
  expect(await Promise.all(targets().map(countOf))).toEqual([3, 2, 1]);
  expect(await Promise.all(targets().map(readyOf))).toEqual([3, 2, 1]);
  expect((await runningJobs()).length).toBe(1);
  expect((await read(cluster, autoscaler))['spec']).toMatchObject({ minReplicas: 3, maxReplicas: 5 });
}

async function asleep(): Promise<void> {
  // The last one KEDA would leave at zero: it stays up.
  expect(await Promise.all(targets().map(countOf))).toEqual([0, 0, 1]);
  expect(await Promise.all(targets().map(readyOf))).toEqual([0, 0, 1]);
  expect((await annotationsOf(mails))[paused]).toBe('true');
}

/** What is paused KEDA looks at when it changes, and when it starts: it starts three times in a night. */
async function night(): Promise<void> {
  for (const _ of [1, 2, 3]) {
    await keda.operator.crash();
    await keda.operator.reconciledSinceStart(4);
  }
}

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: [keda.operator],
  places: [cart, api, web, mails, ...targets()],
  night,
  asleep,
  up,
});

beforeAll(async () => {
  cluster = await realCluster();
  shop = await cluster.namespace('shop');
  const ofKeda = `apis/keda.sh/v1alpha1/namespaces/${shop}`;
  const deployments = `apis/apps/v1/namespaces/${shop}/deployments`;
  const names = ['cart', 'api', 'web'] as const;
  [cart, api, web] = names.map((name) => `${ofKeda}/scaledobjects/${name}`) as [Place, Place, Place];
  [cartTarget, apiTarget, webTarget] = names.map((name) => `${deployments}/${name}`) as [Place, Place, Place];
  mails = `${ofKeda}/scaledjobs/mails`;
  autoscaler = `apis/autoscaling/v2/namespaces/${shop}/horizontalpodautoscalers/keda-hpa-cart`;
  jobs = `apis/batch/v1/namespaces/${shop}/jobs`;
  keda = await startKeda(cluster, shop);
  for (const name of names) await create(cluster, deployments, deployment(name));
  await create(cluster, `${ofKeda}/scaledobjects`, scaled('ScaledObject', 'cart', { spec: target('cart') }));
  const atTwo = { annotations: { [pausedReplicas]: '2' }, spec: target('api') };
  await create(cluster, `${ofKeda}/scaledobjects`, scaled('ScaledObject', 'api', atTwo));
  const asItStands = { annotations: { [paused]: 'true' }, spec: target('web') };
  await create(cluster, `${ofKeda}/scaledobjects`, scaled('ScaledObject', 'web', asItStands));
  const jobTargetRef = { template: template('mails', { restartPolicy: 'Never' }) };
  const job = { spec: { maxReplicaCount: 1, jobTargetRef } };
  await create(cluster, `${ofKeda}/scaledjobs`, scaled('ScaledJob', 'mails', job));
  await until(scene(), up);
  service = await Service.install(cluster, {
    kinds: ['ScaledObject', 'ScaledJob', 'HorizontalPodAutoscaler'],
    namespaces: [shop],
  });
});

afterAll(async () => {
  await service?.close();
  await keda?.stop();
  await cluster?.close();
});

describe("KEDA's operator as it is released", () => {
  it('scales by itself: what is lowered without care for it is up again, and a job that ended is followed by another', async () => {
    await patch(cluster, cartTarget, { spec: { replicas: 0 } });
    await endJobs();
    await until(scene(), up);
  });

  it('starts no job in the night, and goes on in the morning', async () => {
    const here = scene();
    await service.hibernate();
    await until(here, asleep);
    await endJobs();
    await here.night();
    await asleep();
    expect(await runningJobs()).toEqual([]);
    await service.wake();
    await until(here, up);
  });

  it('its autoscaler is made and unmade by KEDA alone', async () => {
    const here = scene();
    const before = (await read(cluster, autoscaler))['spec'];
    await service.hibernate();
    await until(here, asleep);
    await until(here, async () => await expect(read(cluster, autoscaler)).rejects.toThrow('not found'));
    await service.wake();
    await until(here, async () => {
      await up();
      expect((await read(cluster, autoscaler))['spec']).toEqual(before);
    });
    expect(await ourMarks(cluster, [autoscaler, ...targets()])).toEqual([]);
    expect(await written(cluster, [autoscaler, ...targets()])).toEqual([]);
  });

  it('what its owner changes in the night counts in the morning', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    const image = (tag: string) => ({
      spec: { template: { spec: { containers: [{ name: 'main', image: `example.com/cart:${tag}` }] } } },
    });
    await patch(cluster, cart, { spec: { minReplicaCount: 4 } });
    await patch(cluster, cartTarget, image('2'));
    await here.night();
    await asleep();
    await service.wake();
    await until(here, async () => expect([await countOf(cartTarget), await readyOf(cartTarget)]).toEqual([4, 4]));
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
    await patch(cluster, cart, { spec: { minReplicaCount: 3 } });
    await patch(cluster, cartTarget, { spec: { replicas: 3, ...image('1').spec } });
    await until(here, up);
    const { [cartTarget]: changed, ...rest } = await asOwned(cluster, here.places);
    const { [cartTarget]: was, ...others } = before;
    expect(rest).toEqual(others);
    expect(JSON.parse(changed ?? '').spec).toEqual(JSON.parse(was ?? '').spec);
  });

  it('one that its owner lets go in the night stays up', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, cart, { metadata: { annotations: { [pausedReplicas]: null } } });
    await until(here, async () => expect(await readyOf(cartTarget)).toBe(3));
    await here.night();
    expect([await readyOf(cartTarget), await countOf(apiTarget)]).toEqual([3, 0]);
    await service.wake();
    await untilAsBefore(here, before);
  });

  everyNight(scene);
});
