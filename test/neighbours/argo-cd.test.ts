import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { type ArgoCd, startArgoCd } from './harness/argo-cd.ts';
import { GitServer } from './harness/git-server.ts';
import { everyNight, type Scene, until, untilAsBefore } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read } from './harness/objects.ts';
import { Service } from './harness/service.ts';

const api = 'argoproj.io/v1alpha1';
const skip = 'argocd.argoproj.io/skip-reconcile';

let cluster: RealCluster;
let git: GitServer;
let argo: ArgoCd;
let service: Service;
let shop: string;
let home: string;
/** The Application that applies the workload, and one that applies nothing that sleeps. */
let apps: Place;
let infra: Place;
let cart: Place;

const deployment = (image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cart', namespace: shop, annotations: { team: 'checkout' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'cart' } },
    template: {
      metadata: { labels: { app: 'cart' } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
    },
  },
});

const repository = (image: string) => ({
  'apps/cart.yaml': stringify(deployment(image)),
  'infra/settings.yaml': stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: shop },
    data: { level: 'info' },
  }),
});

const application = (name: string) => ({
  apiVersion: api,
  kind: 'Application',
  metadata: { name, annotations: { team: 'checkout' } },
  spec: {
    project: 'default',
    source: { repoURL: git.url, path: name, targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: shop },
    syncPolicy: { automated: { prune: true, selfHeal: true } },
  },
});

type Spec = ReturnType<typeof deployment>['spec'];
const specOf = async () => (await read(cluster, cart))['spec'] as Spec;
const ready = async () => ((await read(cluster, cart))['status'] as { readyReplicas?: number }).readyReplicas;
const skipped = async (place: Place) =>
  ((await read(cluster, place))['metadata'] as { annotations?: Record<string, string> }).annotations?.[skip];

async function up(): Promise<void> {
  expect(await ready()).toBe(3);
}

async function asleep(): Promise<void> {
  expect({ cart: (await specOf()).replicas, apps: await skipped(apps) }).toEqual({ cart: 0, apps: 'true' });
}

/** The other Application is looked at again and again meanwhile. */
const night = () => argo.controller.reconcile(10);

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: [argo.controller, argo.repositories],
  places: [apps, infra, cart],
  night,
  asleep,
  up,
});

beforeAll(async () => {
  [cluster, git] = await Promise.all([realCluster(), GitServer.start()]);
  [shop, home] = await Promise.all([cluster.namespace('shop'), cluster.namespace('argocd')]);
  const applications = `apis/${api}/namespaces/${home}/applications`;
  [apps, infra] = [`${applications}/apps`, `${applications}/infra`];
  cart = `apis/apps/v1/namespaces/${shop}/deployments/cart`;
  await git.commit(repository('example.com/cart:1'));
  argo = await startArgoCd(cluster, home);
  for (const name of ['apps', 'infra']) await create(cluster, applications, application(name));
  await until(scene(), up);
  service = await Service.install(cluster, { kinds: ['Application'], namespaces: [shop, home] });
});

afterAll(async () => {
  await service?.close();
  await argo?.stop();
  await git?.close();
  await cluster?.close();
});

describe('Argo CD as it is released', () => {
  it('heals by itself: what is lowered without care for it is up again', async () => {
    await patch(cluster, cart, { spec: { replicas: 0 } });
    await until(scene(), async () => {
      await up();
      expect((await specOf()).replicas).toBe(3);
    });
  });

  it('what its owner commits in the night comes up in the morning, with the right count', async () => {
    const here = scene();
    await service.hibernate();
    await until(here, asleep);
    await git.commit(repository('example.com/cart:2'));
    await here.night();
    await asleep();
    await service.wake();
    await until(here, async () => {
      await up();
      const { replicas, template } = await specOf();
      expect([replicas, template.spec.containers[0]?.image]).toEqual([3, 'example.com/cart:2']);
    });
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
  });

  it('an Application that its owner takes up again in the night stays so', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, apps, { metadata: { annotations: { [skip]: null } } });
    await until(here, up);
    await here.night();
    expect(await skipped(apps)).toBeUndefined();
    await up();
    await service.wake();
    await untilAsBefore(here, before);
  });

  everyNight(scene);
});
