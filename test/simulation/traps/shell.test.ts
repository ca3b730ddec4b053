import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { FaultRule } from '../../../embedded-cluster/faults.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { standDownAndWait } from '../../../src/controller/stops/uninstall.ts';
import { isReplicaRecord } from '../../../src/domain/record/record.ts';
import type { DatabaseCondition } from '../../../src/ports/databases.ts';
import { externalWakeSessions } from '../../../src/state/external-wake-sessions.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { serviceManifest, type WorkloadParts } from '../../support/builders/manifests.ts';
import { allDown, allUp, minute, OfficeWorld } from '../office-world.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';
import { controllerUser } from '../world/sim-world.ts';

const cart = 'Deployment shop/cart';
const protectedBy = {
  karpenter: 'karpenter.sh/do-not-disrupt',
  clusterAutoscaler: 'cluster-autoscaler.kubernetes.io/safe-to-evict',
};

/** What happens to Deployments is heard half an hour later. */
const lateWatch: FaultRule = {
  match: ({ user, verb, resource }) => user === controllerUser && verb === 'watch' && resource === 'deployments.apps',
  effect: { kind: 'watch', mode: 'hold', ms: 30 * minute },
};

/** The recorded count of a workload in the shop; undefined without a record. */
function recorded(world: OfficeWorld, name: string): number | undefined {
  const decoded = resourceStates.decode(world.stateData()['resource_states']);
  const record = decoded.ok ? decoded.value.find((one) => one.name === name) : undefined;
  return record !== undefined && isReplicaRecord(record) ? record.replicas : undefined;
}

/** How many sessions of other clusters are on the books; undefined when they cannot be read. */
function sessionsOf(world: OfficeWorld): number | undefined {
  const decoded = externalWakeSessions.decode(world.stateData()['external_wake_sessions']);
  return decoded.ok ? decoded.value.length : undefined;
}

const shopFront = { config: { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] } } };

function withFront(world: OfficeWorld): OfficeWorld {
  world.cluster.apply([serviceManifest('shop', 'web', 'cart')]);
  return world;
}

/** As its owner has it written down, with nothing of ours on it: a `kubectl replace` while nobody watches. */
function replaceFront(world: OfficeWorld): void {
  const { labels: _l, annotations: _a, ...metadata } = world.store.get('services', 'shop', 'web')!.metadata;
  const { metadata: _m, ...rest } = serviceManifest('shop', 'web', 'cart');
  world.store.update('services', { ...rest, metadata } as KubeObject);
}

function selectorOf(world: OfficeWorld): unknown {
  const found = world.store.get('services', 'shop', 'web')!;
  return (found['spec'] as { readonly selector: unknown }).selector;
}

const satellitesIn = (world: OfficeWorld) =>
  world.workloads().filter(({ metadata }) => metadata.name.startsWith('svc-satellite-'));

/** A pod of our own, as the chart labels it. */
function ownPod(annotations: Readonly<Record<string, string>> = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'svc-controller',
      namespace: releaseNamespace,
      labels: { 'svc.io/part-of': 'svc' },
      annotations: { ...annotations },
    },
    spec: { containers: [{ name: 'main', image: 'registry.example.com/svc:1' }] },
  };
}

function annotationsOf(world: OfficeWorld): Readonly<Record<string, string>> {
  return world.store.get('pods', releaseNamespace, 'svc-controller')?.metadata.annotations ?? {};
}

describe('writes to workloads', () => {
  it('that somebody else was quicker with are decided on a fresh read, however late the watch is', async () => {
    const world = new OfficeWorld();
    world.cluster.api.faults.add(lateWatch);
    await world.at(19, 55);
    world.owner(cart, { spec: { replicas: 5 } });
    await world.at(20, 3);
    expect([world.level(cart), recorded(world, 'cart')]).toEqual([0, 5]);
  });

  it('are at most maxConcurrentOperations at a time', async () => {
    const workloads = Array.from({ length: 12 }, (_, index): WorkloadParts => {
      return { kind: 'Deployment', namespace: 'shop', name: `d${index}`, replicas: 1 };
    });
    const world = new OfficeWorld({ workloads, config: { controller: { maxConcurrentOperations: 2 } } });
    const takesMs = 400;
    world.faults.hold('slow', ({ method, path }) => method === 'PATCH' && path.includes('/deployments/'), {
      kind: 'delay',
      ms: takesMs,
    });
    const doneAt: number[] = [];
    world.cluster.api.faults.onWrite(({ user, resource }) => {
      if (user === controllerUser && resource === 'deployments.apps') doneAt.push(world.clock.now());
    });
    await world.at(20, 5);
    expect(doneAt).toHaveLength(12);
    for (const [index, at] of doneAt.entries()) {
      if (index >= 2) expect(at - doneAt[index - 2]!).toBeGreaterThanOrEqual(takesMs);
    }
  });
});

describe('records', () => {
  const leaving = (name: string, seconds: number): WorkloadParts => ({
    kind: 'Deployment',
    namespace: 'shop',
    name,
    replicas: 3,
    pod: { terminationGracePeriodSeconds: 3_600 },
    behaviour: { 'terminate-seconds': String(seconds) },
  });
  const tier = (name: string, ...members: readonly string[]) => ({
    name,
    timeout: '5m',
    select: members.map((one) => ({ namespace: 'shop', name: one })),
  });

  it('take the count of an owner who raises a workload in the middle of the hibernation', async () => {
    const workloads = [leaving('cart', 1), leaving('slow', 120), leaving('db', 1)];
    const config = { hibernateOrdering: { tiers: [tier('apps', 'cart', 'slow'), tier('data', 'db')] } };
    const world = await new OfficeWorld({ workloads, config }).at(20);
    await world.advance(20_000);
    expect(world.level(cart)).toBe(0);
    world.owner(cart, { spec: { replicas: 5 } });
    await world.advance(20_000);
    expect(world.stateData()['transition']).toContain('"hibernation"');
    expect([world.level(cart), recorded(world, 'cart')]).toEqual([5, 5]);
  });

  it('are not changed by what a late watch says of a workload that is down again', async () => {
    const world = new OfficeWorld();
    world.cluster.api.faults.add(lateWatch);
    await world.at(22);
    world.owner(cart, { spec: { replicas: 5 } });
    await world.at(22, 10);
    world.owner(cart, { spec: { replicas: 0 } });
    await world.at(22, 35);
    expect(recorded(world, 'cart')).toBe(3);
    await world.at(33);
    expect(world.level(cart)).toBe(3);
    expect(world.cards()).toEqual(['Hibernation Complete', 'Waking Up Resources', 'Wake Complete']);
  });

  it('of what is back outlive a wake that a hibernation takes over', async () => {
    const slow: WorkloadParts = {
      kind: 'Deployment',
      namespace: 'shop',
      name: 'slow',
      replicas: 1,
      behaviour: { 'start-seconds': '300' },
    };
    const workloads: readonly WorkloadParts[] = [{ ...slow, name: 'cart', behaviour: {} }, slow];
    const world = new OfficeWorld({ workloads });
    void world.api;
    await world.at(32, 1);
    expect(world.level(cart)).toBe(1);
    const held: (number | undefined)[] = [];
    world.store.onAnyChange(({ event: { object } }) => {
      if (object.kind === 'ConfigMap' && object.metadata.name === 'svc-state') held.push(recorded(world, 'cart'));
    });
    expect((await world.api.asAdmin('triggerHibernation', { body: {} })).status).toBe(200);
    await world.advance(10 * minute);
    expect(world.audit().some(({ title }) => title.startsWith('Wake Complete'))).toBe(true);
    expect(world.level(cart)).toBe(0);
    expect([...new Set(held)]).toEqual([1]);
  });
});

describe('what people asked for', () => {
  it('before a stand-down does not come back when that ends', async () => {
    const world = new OfficeWorld();
    void world.api;
    await world.at(20, 30);
    expect((await world.api.asAdmin('wakeUp', { body: { duration: '8h' } })).status).toBe(200);
    await world.at(21);
    expect(world.levels()).toEqual(allUp);
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a release' } })).status).toBe(200);
    await world.at(21, 30);
    expect((await world.api.asAdmin('endStandDown')).status).toBe(200);
    await world.at(23);
    expect(world.levels()).toEqual(allDown);
  });

  it('and was overruled by a hibernation is not named again when a lost license hands everything back', async () => {
    const world = new OfficeWorld();
    void world.api;
    await world.at(20, 30);
    expect((await world.api.asAdmin('wakeUp', { body: { duration: '8h' } })).status).toBe(200);
    await world.at(21);
    expect((await world.api.asAdmin('triggerHibernation', { body: {} })).status).toBe(200);
    await world.at(22);
    expect(world.levels()).toEqual(allDown);
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.at(22, 30);
    expect(world.levels()).toEqual(allUp);
    const { wakeOverride, manualHibernation } = (await world.api.asAdmin('hibernationStatus')).body;
    expect([wakeOverride, manualHibernation]).toEqual([null, null]);
  });
});

describe('a license that is lost in the night', () => {
  it('takes satellites and the protection of our own pods back, too', async () => {
    const world = withFront(new OfficeWorld(shopFront));
    world.cluster.apply([ownPod()]);
    await world.at(20, 10);
    expect(selectorOf(world)).toEqual({ 'svc.io/satellite': 'web' });
    expect(Object.keys(annotationsOf(world))).toContain(protectedBy.karpenter);
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.advance(10 * minute);
    expect(world.level(cart)).toBe(3);
    expect([selectorOf(world), satellitesIn(world)]).toEqual([{ app: 'cart' }, []]);
    expect(annotationsOf(world)).toEqual({});
  });
});

describe('what stands beside the workloads', () => {
  it('protects our pods with what nobody else has set, and takes back only that', async () => {
    const world = new OfficeWorld();
    world.cluster.apply([ownPod({ [protectedBy.clusterAutoscaler]: 'true' })]);
    await world.at(20, 10);
    expect(annotationsOf(world)).toMatchObject({
      [protectedBy.clusterAutoscaler]: 'true',
      [protectedBy.karpenter]: 'true',
    });
    await world.at(33);
    expect(annotationsOf(world)).toEqual({ [protectedBy.clusterAutoscaler]: 'true' });
  });

  it('leaves no satellite behind when the state is lost and the Service points at its own pods again', async () => {
    const world = await withFront(new OfficeWorld(shopFront)).at(20, 10);
    expect(satellitesIn(world)).toHaveLength(1);
    world.kill();
    replaceFront(world);
    expect(selectorOf(world)).toEqual({ app: 'cart' });
    world.reconfigure({ serviceRedirection: { enabled: false, services: [{ namespace: 'shop', name: 'web' }] } });
    world.store.delete('configmaps', releaseNamespace, 'svc-state');
    world.recordsLost();
    world.start();
    await world.at(33);
    expect(satellitesIn(world).map(({ metadata }: KubeObject) => metadata.name)).toEqual([]);
  });

  it('puts no satellite up before its Service is on record', async () => {
    const world = withFront(new OfficeWorld(shopFront));
    const records: (string | undefined)[] = [];
    world.store.onAnyChange(({ event: { type, object } }) => {
      const made = type === 'ADDED' && object.metadata.name.startsWith('svc-satellite-');
      if (made && object.kind === 'Deployment') records.push(world.stateData()['satellites']);
    });
    await world.at(20, 10);
    expect(records).toEqual([expect.stringContaining('"web"')]);
  });

  it('tells of a database that was started', async () => {
    let condition: DatabaseCondition = 'available';
    const world = await new OfficeWorld({
      config: { databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } } },
      databases: {
        read: async () => ({ condition }),
        stop: async () => {
          condition = 'stopped';
          return { outcome: 'done' };
        },
        start: async () => {
          condition = 'available';
          return { outcome: 'done' };
        },
      },
    }).at(33);
    expect(world.audited('Database Stopped')).toHaveLength(1);
    expect(world.audited('Database Started')).toHaveLength(1);
  });
});

const hosting = {
  externalWake: {
    enabled: true,
    localClusterName: 'test',
    clusters: [{ name: 'hub', secretRef: { name: 'hub', key: 'hmac' } }],
  },
};

/** Another cluster has asked for everything at 20:30, for two hours. */
async function neededUntilHalfPastTen(): Promise<OfficeWorld> {
  const world = new OfficeWorld({ config: hosting });
  void world.api;
  await world.at(20, 30);
  expect((await world.api.asCluster('externalWake', { body: { duration: '2h' } })).status).toBe(200);
  await world.at(20, 40);
  expect(world.levels()).toEqual(allUp);
  return world;
}

describe('a session of another cluster', () => {
  it('ends on time, and the cluster sleeps again', async () => {
    const world = await neededUntilHalfPastTen();
    await world.at(22, 29);
    expect(world.levels()).toEqual(allUp);
    await world.at(22, 32);
    expect(world.levels()).toEqual(allDown);
  });

  it('is taken off the books on time by day too, when its end changes nothing in the cluster', async () => {
    const world = new OfficeWorld({ config: hosting });
    void world.api;
    await world.at(13);
    expect((await world.api.asCluster('externalWake', { body: { duration: '90m' } })).status).toBe(200);
    await world.at(14, 29);
    const asked = sessionsOf(world);
    await world.at(14, 31);
    expect([asked, sessionsOf(world)]).toEqual([1, 0]);
  });
});

describe('dry run', () => {
  it('writes nothing when a session of another cluster runs out', async () => {
    const world = await neededUntilHalfPastTen();
    world.reconfigure({ operations: { dryRun: true } });
    await world.at(21);
    const before = world.stateData();
    await world.at(23, 30);
    expect(world.stateData()).toEqual(before);
    expect(world.levels()).toEqual(allUp);
  });

  it("writes nothing into the license's books", async () => {
    const world = await new OfficeWorld().at(13);
    world.reconfigure({ operations: { dryRun: true } });
    await world.at(13, 10);
    const before = world.stateData();
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.at(16);
    expect(world.stateData()).toEqual(before);
  });
});

describe('what is said of it', () => {
  it('the metric follows the cluster to sleep and back', async () => {
    const world = await new OfficeWorld().at(20, 30);
    const shown = async () => (await world.process!.ports.metrics.hibernated.get()).values.map(({ value }) => value);
    expect(await shown()).toEqual([1]);
    await world.at(33);
    expect(await shown()).toEqual([0]);
  });

  it('an uninstall whose time runs out says so, and one that is handed back says 0', async () => {
    const world = await new OfficeWorld().at(20, 30);
    world.kill();
    const uninstall = () => standDownAndWait({ state: world.apiState, clock: world.clock, logger: world.log }, '2m');
    const first = uninstall();
    await world.advance(3 * minute);
    expect(await first).toBe(2);
    world.start();
    const second = uninstall();
    await world.advance(3 * minute);
    expect(await second).toBe(0);
  });
});
