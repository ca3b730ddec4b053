import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type RealCluster, realCluster } from '../cluster/harness/real-cluster.ts';
import { type Flux, startFlux } from './harness/flux.ts';
import { GitServer } from './harness/git-server.ts';
import { everyNight, type Scene, until, untilAsBefore } from './harness/nights.ts';
import { asOwned, create, ourMarks, type Place, patch, read } from './harness/objects.ts';
import { Service } from './harness/service.ts';

const kustomizeApi = 'kustomize.toolkit.fluxcd.io/v1';
const interval = '1s';

let cluster: RealCluster;
let git: GitServer;
let flux: Flux;
let service: Service;
let shop: string;
let home: string;
/** The Kustomization that applies the others, the one that applies the workload, and one that applies nothing that sleeps. */
let root: Place;
let apps: Place;
let infra: Place;
let cart: Place;
/** The same, where the repository says of the second that it is not suspended. */
let teamRoot: Place;
let team: Place;
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

const kustomization = (name: string, path: string, more: object = {}) => ({
  apiVersion: kustomizeApi,
  kind: 'Kustomization',
  metadata: { name, namespace: home },
  spec: { interval, path, prune: true, sourceRef: { kind: 'GitRepository', name: 'fleet' }, ...more },
});

/** As `flux bootstrap` lays a repository out: one Kustomization applies the others. */
const repository = (image: string) => ({
  'clusters/dev/apps.yaml': stringify(kustomization('apps', './apps', { timeout: '1m' })),
  'clusters/dev/infra.yaml': stringify(kustomization('infra', './infra')),
  'apps/cart.yaml': stringify(deployment('cart', image)),
  'clusters/team/team.yaml': stringify(kustomization('team', './team', { suspend: false })),
  'team/web.yaml': stringify(deployment('web', 'example.com/web:1')),
  'infra/settings.yaml': stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: shop },
    data: { level: 'info' },
  }),
});

type Spec = ReturnType<typeof deployment>['spec'];
const specOf = async (place = cart) => (await read(cluster, place))['spec'] as Spec;
const suspended = async (place: Place) => ((await read(cluster, place))['spec'] as { suspend?: boolean }).suspend;
const ready = async (place: Place) =>
  ((await read(cluster, place))['status'] as { readyReplicas?: number }).readyReplicas;

async function up(): Promise<void> {
  expect([await ready(cart), await ready(web)]).toEqual([3, 3]);
}

async function asleep(): Promise<void> {
  const counts = await Promise.all([cart, web].map(async (place) => (await specOf(place)).replicas));
  const quiet = await Promise.all([apps, team, teamRoot].map(suspended));
  expect({ counts, quiet, root: await suspended(root) }).toEqual({ counts: [0, 0], quiet: [true, true, true] });
}

async function night(): Promise<void> {
  await flux.source.reconcile(10);
  await flux.kustomize.reconcile(10);
}

const scene = (): Scene => ({
  cluster,
  service,
  neighbours: [flux.source, flux.kustomize],
  places: [root, apps, infra, cart, teamRoot, team, web],
  night,
  asleep,
  up,
});

beforeAll(async () => {
  [cluster, git] = await Promise.all([realCluster(), GitServer.start()]);
  [shop, home] = await Promise.all([cluster.namespace('shop'), cluster.namespace('flux')]);
  const kustomizations = `apis/${kustomizeApi}/namespaces/${home}/kustomizations`;
  [root, apps, infra] = [`${kustomizations}/fleet`, `${kustomizations}/apps`, `${kustomizations}/infra`];
  [teamRoot, team] = [`${kustomizations}/team-fleet`, `${kustomizations}/team`];
  [cart, web] = ['cart', 'web'].map((name) => `apis/apps/v1/namespaces/${shop}/deployments/${name}`) as [Place, Place];
  await git.commit(repository('example.com/cart:1'));
  flux = await startFlux(cluster, home);
  await create(cluster, `apis/source.toolkit.fluxcd.io/v1/namespaces/${home}/gitrepositories`, {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'fleet', namespace: home },
    spec: { interval, url: git.url, ref: { branch: 'main' } },
  });
  await create(cluster, kustomizations, kustomization('fleet', './clusters/dev'));
  await create(cluster, kustomizations, kustomization('team-fleet', './clusters/team'));
  await until(scene(), up);
  service = await Service.install(cluster, { kinds: ['Kustomization'], namespaces: [shop, home] });
});

afterAll(async () => {
  await service?.close();
  await flux?.stop();
  await git?.close();
  await cluster?.close();
});

describe('Flux as it is released, with one Kustomization that applies the others', () => {
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

  it('a Kustomization that its owner resumes in the night stays resumed', async () => {
    const here = scene();
    const before = await asOwned(cluster, here.places);
    await service.hibernate();
    await until(here, asleep);
    await patch(cluster, apps, { spec: { suspend: false } });
    await until(here, async () => expect(await ready(cart)).toBe(3));
    await here.night();
    // Flux takes away what somebody else set with kubectl on what it applies, and absent is resumed as well.
    expect(await suspended(apps)).not.toBe(true);
    expect([await ready(cart), (await specOf(web)).replicas, await suspended(team)]).toEqual([3, 0, true]);
    await service.wake();
    await untilAsBefore(here, before);
  });

  everyNight(scene);
});
