import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { type ArgoCd, startArgoCd } from './harness/argo-cd.ts';
import { GitServer } from './harness/git-server.ts';
import { everyNight, type Scene, until, untilAsBefore } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read, written } from './harness/objects.ts';
import { Service } from './harness/service.ts';

const skip = 'argocd.argoproj.io/skip-reconcile';

let cluster: RealCluster;
let git: GitServer;
let argo: ArgoCd;
let service: Service;
let shop: string;
let home: string;
/** One that heals by itself, one that syncs by itself but does not heal, and what they apply. */
let healing: Place;
let syncing: Place;
let cart: Place;
let web: Place;

const deployment = (name: string, image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: shop, annotations: { team: 'checkout' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image }] },
    },
  },
});

const application = (name: string, automated: object) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, namespace: home, annotations: { team: 'checkout' } },
  spec: {
    project: 'default',
    source: { repoURL: git.url, path: name, targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: shop },
    syncPolicy: { automated },
  },
});

const repository = (image: string) => ({
  'healing/cart.yaml': stringify(deployment('cart', image)),
  'syncing/web.yaml': stringify(deployment('web', 'example.com/web:1')),
});

type Spec = ReturnType<typeof deployment>['spec'];
const specOf = async (place: Place) => (await read(cluster, place))['spec'] as Spec;
const readyOf = async (place: Place) =>
  ((await read(cluster, place))['status'] as { readyReplicas?: number }).readyReplicas ?? 0;
const skipped = async (place: Place) =>
  ((await read(cluster, place))['metadata'] as { annotations?: Record<string, string> }).annotations?.[skip];

async function up(): Promise<void> {
  expect([await readyOf(cart), await readyOf(web)]).toEqual([3, 3]);
  const { sync } = (await read(cluster, healing))['status'] as { sync?: { status: string } };
  expect(sync?.status).toBe('Synced');
}

async function asleep(): Promise<void> {
  expect([(await specOf(cart)).replicas, (await specOf(web)).replicas]).toEqual([0, 0]);
  expect([await skipped(healing), await skipped(syncing)]).toEqual(['true', undefined]);
}

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: [argo.controller, argo.repository],
  places: [healing, syncing, cart, web],
  night: () => argo.controller.reconcile(5),
  asleep,
  up,
});

beforeAll(async () => {
  [cluster, git] = await Promise.all([realCluster(), GitServer.start()]);
  [shop, home] = await Promise.all([cluster.namespace('shop'), cluster.namespace('argocd')]);
  const applications = `apis/argoproj.io/v1alpha1/namespaces/${home}/applications`;
  [healing, syncing] = [`${applications}/healing`, `${applications}/syncing`];
  [cart, web] = ['cart', 'web'].map((name) => `apis/apps/v1/namespaces/${shop}/deployments/${name}`) as [Place, Place];
  await git.commit(repository('example.com/cart:1'));
  argo = await startArgoCd(cluster, home);
  await create(cluster, applications, application('healing', { prune: true, selfHeal: true }));
  await create(cluster, applications, application('syncing', { prune: true }));
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
  it('heals by itself: what is lowered without care for it is up again, where its Application says so', async () => {
    await patch(cluster, cart, { spec: { replicas: 0 } });
    await patch(cluster, web, { spec: { replicas: 1 } });
    await until(scene(), async () => expect([await readyOf(cart), await readyOf(web)]).toEqual([3, 1]));
    await scene().night();
    expect((await specOf(web)).replicas).toBe(1);
    await patch(cluster, web, { spec: { replicas: 3 } });
    await until(scene(), up);
  });

  it('what its owner commits in the night comes up in the morning, with the right count', async () => {
    const here = scene();
    await service.hibernate();
    await until(here, asleep);
    await git.commit(repository('example.com/cart:2'));
    // One that syncs and does not heal does so once a commit, and what it raises is its owner's for the night.
    await until(here, async () => expect(await readyOf(web)).toBe(3));
    await here.night();
    expect([(await specOf(cart)).replicas, (await specOf(web)).replicas]).toEqual([0, 3]);
    await service.wake();
    await until(here, async () => {
      await up();
      const { replicas, template } = await specOf(cart);
      expect([replicas, template.spec.containers[0]?.image]).toEqual([3, 'example.com/cart:2']);
    });
    await until(here, async () => expect(await ourMarks(cluster, here.places)).toEqual([]));
    expect(await written(cluster, [syncing])).toEqual([]);
  });

  it('an Application that its owner lets go in the night heals, and stays so', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, healing, { metadata: { annotations: { [skip]: null } } });
    await until(here, async () => expect(await readyOf(cart)).toBe(3));
    await here.night();
    expect([await readyOf(cart), (await specOf(web)).replicas, await skipped(healing)]).toEqual([3, 0, undefined]);
    await service.wake();
    await untilAsBefore(here, before);
  });

  everyNight(scene);
});
