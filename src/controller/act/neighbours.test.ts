import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { KustomizeController } from '../../../embedded-cluster/neighbours/flux.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { definitionOf, type NeighbourKind, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const workingHours = {
  timezone: 'Europe/Berlin',
  schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00' },
};
const all = { workingHours, targeting: { kinds: ['ScaledObject', 'Kustomization', 'HelmRelease'] } };
const paused = 'autoscaling.keda.sh/paused-replicas';

let world: ControllerWorld;
afterEach(() => world.stopController());

const appliedBy = (name: string) => ({
  'kustomize.toolkit.fluxcd.io/name': name,
  'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
});

const deployment = (name: string, labels: Record<string, string> = {}) =>
  workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2, labels });

const everyone: readonly Manifest[] = [
  ...(['ScaledObject', 'Kustomization', 'HelmRelease'] as const).map(definitionOf),
  ...['shop', 'flux-system'].map(namespaceManifest),
  deployment('cart', appliedBy('apps')),
  deployment('worker'),
  deployment('web', {
    'helm.toolkit.fluxcd.io/name': 'web',
    'helm.toolkit.fluxcd.io/namespace': 'shop',
    ...appliedBy('held'),
  }),
  neighbour('ScaledObject', 'shop/worker', { spec: { scaleTargetRef: { name: 'worker' } } }),
  neighbour('ScaledObject', 'shop/pinned', { annotations: { [paused]: '3' }, spec: { scaleTargetRef: { name: 'x' } } }),
  neighbour('ScaledObject', 'shop/zeroed', { annotations: { [paused]: '0' }, spec: { scaleTargetRef: { name: 'y' } } }),
  neighbour('Kustomization', 'flux-system/apps', { spec: { path: './apps' } }),
  neighbour('Kustomization', 'flux-system/held', { spec: { path: './held', suspend: true } }),
  neighbour('Kustomization', 'flux-system/infra', { spec: { path: './infra' } }),
  neighbour('HelmRelease', 'shop/web', { spec: { interval: '5m', suspend: false } }),
];

async function started(config: Record<string, unknown> = all, objects = everyone): Promise<void> {
  world = new ControllerWorld({ startAt: afternoon, config });
  world.cluster.apply(objects);
  await world.startController();
  await world.clock.advance(5 * minute);
}

const untilNight = () => world.clock.advance(afternoon + 70 * minute - world.clock.now());
const untilMorning = () => world.clock.advance(afternoon + 15.5 * hour - world.clock.now());

const stored = (kind: NeighbourKind, place: string) => {
  const [namespace = '', name = ''] = place.split('/');
  const found = world.cluster.store.get(storageOf(kind), namespace, name);
  if (found === undefined) throw new Error(`${kind} ${place} is not there`);
  return { spec: found['spec'], annotations: found.metadata.annotations ?? {} };
};
const suspended = (kind: NeighbourKind, place: string) => (stored(kind, place).spec as { suspend?: boolean }).suspend;
const pausedAt = (place: string) => stored('ScaledObject', place).annotations[paused];

/** Everything that a neighbour or its owner may see, as one text. */
function everything(): string {
  const places = everyone.filter(({ kind }) => kind !== 'CustomResourceDefinition' && kind !== 'Namespace');
  return JSON.stringify(
    places.map(({ kind, metadata }) => {
      const { namespace = '', name } = metadata as { namespace?: string; name: string };
      if (kind === 'Deployment') return [name, world.replicas(namespace, name)];
      return [kind, name, stored(kind as NeighbourKind, `${namespace}/${name}`)];
    }),
  );
}

describe('neighbours that the configuration names', () => {
  it('sleep and come back as they were, byte for byte', async () => {
    await started();
    const before = everything();
    await untilNight();
    expect(world.replicas('shop', 'cart')).toBe(0);
    expect([pausedAt('shop/worker'), pausedAt('shop/pinned'), pausedAt('shop/zeroed')]).toEqual(['0', '0', '0']);
    expect([suspended('Kustomization', 'flux-system/apps'), suspended('HelmRelease', 'shop/web')]).toEqual([
      true,
      true,
    ]);
    await untilMorning();
    expect(everything()).toBe(before);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  it('what KEDA drives is left to KEDA', async () => {
    await started();
    await untilNight();
    expect(world.replicas('shop', 'worker')).toBe(2);
  });

  it('what applies nothing that sleeps is left alone', async () => {
    await started();
    await untilNight();
    expect(stored('Kustomization', 'flux-system/infra')).toEqual({ spec: { path: './infra' }, annotations: {} });
  });

  it('are quieted before what they apply is lowered, and given back when it is up', async () => {
    await started();
    const order: string[] = [];
    world.cluster.api.faults.onWrite(({ resource, name }) => {
      if (['cart', 'apps'].includes(name)) order.push(`${resource} ${name}`);
    });
    const ready = () =>
      (world.cluster.store.get('deployments.apps', 'shop', 'cart')?.['status'] as { readyReplicas?: number })
        ?.readyReplicas;
    let readyThen: number | undefined;
    world.cluster.api.faults.onWrite(({ resource, name }) => {
      if (resource === storageOf('Kustomization') && name === 'apps') readyThen = ready();
    });
    await untilNight();
    const ours = order.filter((one) => one !== 'deployments.apps/status cart');
    expect(ours[0]).toBe(`${storageOf('Kustomization')} apps`);
    await untilMorning();
    expect([order.at(-1), readyThen]).toEqual([`${storageOf('Kustomization')} apps`, 2]);
  });

  it('a change of their owner in the night stays', async () => {
    await started();
    await untilNight();
    const apps = world.cluster.store.get(storageOf('Kustomization'), 'flux-system', 'apps')!;
    const pinned = world.cluster.store.get(storageOf('ScaledObject'), 'shop', 'pinned')!;
    world.cluster.apply([
      { ...apps, spec: { path: './apps', suspend: false } },
      {
        ...pinned,
        metadata: { ...pinned.metadata, annotations: { ...pinned.metadata.annotations, [paused]: '5' } },
      },
    ]);
    await world.clock.advance(5 * minute);
    expect([suspended('Kustomization', 'flux-system/apps'), pausedAt('shop/pinned')]).toEqual([false, '5']);
    await untilMorning();
    expect([suspended('Kustomization', 'flux-system/apps'), pausedAt('shop/pinned')]).toEqual([false, '5']);
    expect(stored('ScaledObject', 'shop/pinned').annotations).toEqual({ [paused]: '5' });
  });

  it('stay quiet though what they applied is deleted in the night, and bring it back in the morning', async () => {
    await started();
    const repository = new Map([['flux-system/apps', [deployment('cart', appliedBy('apps'))]]]);
    const { cluster, clock } = world;
    const flux = new KustomizeController({ cluster, clock, random: seededRandom(1) }, repository);
    flux.start();
    await untilNight();
    cluster.store.delete('deployments.apps', 'shop', 'cart');
    await world.clock.advance(hour);
    const cart = cluster.store.get('deployments.apps', 'shop', 'cart');
    expect([suspended('Kustomization', 'flux-system/apps'), cart]).toEqual([true, undefined]);
    await untilMorning();
    expect([suspended('Kustomization', 'flux-system/apps'), world.replicas('shop', 'cart')]).toEqual([undefined, 2]);
    flux.stop();
  });

  it('stay quiet until the morning though what they apply is deleted, and our mark with it', async () => {
    await started();
    await untilNight();
    const { store } = world.cluster;
    // Given back in the night, it would bring that back at once.
    world.cluster.api.faults.onWrite(({ resource, name, after }) => {
      const resumed = (after['spec'] as { readonly suspend?: boolean } | undefined)?.suspend !== true;
      if (resource === storageOf('Kustomization') && name === 'apps' && resumed)
        world.cluster.apply([deployment('cart', appliedBy('apps'))]);
    });
    store.delete('deployments.apps', 'shop', 'cart');
    const apps = store.get(storageOf('Kustomization'), 'flux-system', 'apps')!;
    const { annotations: _, ...metadata } = apps.metadata;
    store.update(storageOf('Kustomization'), { ...apps, metadata });
    await world.clock.advance(hour);
    expect(suspended('Kustomization', 'flux-system/apps')).toBe(true);
    expect(store.get('deployments.apps', 'shop', 'cart')).toBe(undefined);
    await untilMorning();
    expect([suspended('Kustomization', 'flux-system/apps'), world.replicas('shop', 'cart')]).toEqual([undefined, 2]);
  });

  /** As the neighbour's own apply, or its owner's hand, would. */
  async function write(manager: string, path: string, spec: object): Promise<void> {
    const { status } = await world.cluster.api.transport().send({
      method: 'PATCH',
      path: `/apis/${path}?fieldManager=${manager}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec }),
    });
    expect(status).toBe(200);
  }
  const cart = 'apps/v1/namespaces/shop/deployments/cart';
  const apps = 'kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/apps';
  const raise = (manager: string, replicas: number) => write(manager, cart, { replicas });

  it('what was under way when they were quieted is lowered again, and wakes with the count that it brought', async () => {
    await started();
    await untilNight();
    await raise('kustomize-controller', 4);
    await world.clock.advance(2 * minute);
    expect(world.replicas('shop', 'cart')).toBe(0);
    await untilMorning();
    expect(world.replicas('shop', 'cart')).toBe(4);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  it('and so it is while others are still on their way down', async () => {
    await started();
    let raised: Promise<void> | undefined;
    world.cluster.api.faults.onWrite(({ resource, name }) => {
      if (resource === 'deployments.apps' && name === 'cart') raised ??= raise('kustomize-controller', 4);
    });
    await untilNight();
    await raised;
    expect([world.replicas('shop', 'cart'), suspended('Kustomization', 'flux-system/apps')]).toEqual([0, true]);
    await untilMorning();
    expect(world.replicas('shop', 'cart')).toBe(4);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  /** One Kustomization that applies the other, and says that it is not suspended. */
  const nested: readonly Manifest[] = everyone.map((manifest) =>
    manifest.kind === 'Kustomization' && manifest.metadata.name === 'apps'
      ? {
          ...neighbour('Kustomization', 'flux-system/apps', { spec: { path: './apps', suspend: false } }),
          metadata: { ...manifest.metadata, labels: appliedBy('fleet') },
        }
      : manifest,
  );
  const fleet = neighbour('Kustomization', 'flux-system/fleet', { spec: { path: './fleet' } });
  const appsWereUnderWay = async () => {
    await write('kustomize-controller', apps, { suspend: false });
    await raise('kustomize-controller', 4);
  };
  const untilMorningAsBrought = async () => {
    await untilMorning();
    expect([world.replicas('shop', 'cart'), suspended('Kustomization', 'flux-system/apps')]).toEqual([4, false]);
    expect(world.stateData()['resource_states']).toBe('[]');
  };

  it('what one brings that was itself brought back by what was under way is lowered again too', async () => {
    await started(all, [...nested, fleet]);
    await untilNight();
    await appsWereUnderWay();
    await world.clock.advance(2 * minute);
    expect([world.replicas('shop', 'cart'), suspended('Kustomization', 'flux-system/apps')]).toEqual([0, true]);
    await untilMorningAsBrought();
  });

  it('and so it is while others are still on their way down, with one that applies the other', async () => {
    await started(all, [...nested, fleet]);
    let raised: Promise<void> | undefined;
    world.cluster.api.faults.onWrite(({ resource, name }) => {
      if (resource === 'deployments.apps' && name === 'cart') raised ??= appsWereUnderWay();
    });
    await untilNight();
    await raised;
    expect([world.replicas('shop', 'cart'), suspended('Kustomization', 'flux-system/apps')]).toEqual([0, true]);
    await untilMorningAsBrought();
  });

  it('what is raised by another hand meanwhile stays up', async () => {
    await started();
    await untilNight();
    await raise('kubectl-scale', 4);
    await world.clock.advance(2 * minute);
    expect(world.replicas('shop', 'cart')).toBe(4);
  });

  it('are handed back by a stand-down', async () => {
    await started();
    const before = everything();
    await untilNight();
    world.reconfigure({ ...all, global: { enabled: false } });
    await world.clock.advance(10 * minute);
    expect(everything()).toBe(before);
  });

  it('come back from their marks when the records are lost', async () => {
    await started();
    const before = everything();
    await untilNight();
    await world.stopController();
    world.cluster.store.delete('configmaps', 'svc', 'svc-state');
    await world.startController();
    await world.clock.advance(5 * minute);
    await untilMorning();
    expect(everything()).toBe(before);
  });

  it('are picked up when their definition appears', async () => {
    await started(
      all,
      everyone.slice(3).filter(({ kind }) => kind === 'Namespace' || kind === 'Deployment'),
    );
    world.cluster.apply([definitionOf('ScaledObject'), neighbour('ScaledObject', 'shop/late')]);
    // The watches of this world live slowly: five minutes of theirs are most of a day.
    await world.clock.advance(26.5 * hour);
    expect(pausedAt('shop/late')).toBe('0');
  });

  it('are left alone while the configuration does not name them, and sleep once it does', async () => {
    await started({ workingHours });
    await untilNight();
    expect([pausedAt('shop/worker'), suspended('Kustomization', 'flux-system/apps')]).toEqual([undefined, undefined]);
    world.reconfigure(all);
    await world.clock.advance(2 * minute);
    expect([pausedAt('shop/worker'), suspended('Kustomization', 'flux-system/apps')]).toEqual(['0', true]);
  });

  it('come back with the morning although they were taken off the list in the night', async () => {
    await started();
    const before = everything();
    await untilNight();
    world.reconfigure({ workingHours });
    await world.clock.advance(5 * minute);
    expect(pausedAt('shop/pinned')).toBe('0');
    await untilMorning();
    expect(everything()).toBe(before);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  /** Runs to the end unless the controller dies first, after so many writes; whether it died. */
  async function diedAfter(writes: number, toTheEnd: () => Promise<void>): Promise<boolean> {
    let seen = 0;
    let died = false;
    const end = world.cluster.api.faults.onWrite(() => {
      if (++seen !== writes) return;
      world.killController();
      died = true;
    });
    await toTheEnd();
    end();
    return died;
  }

  it('are as they were although the controller died after any of its writes in the evening', async () => {
    let deaths = 0;
    for (let after = 1; ; after++) {
      await started();
      const before = everything();
      if (!(await diedAfter(after, () => world.clock.advance(60 * minute)))) break;
      deaths++;
      await world.startController();
      await untilNight();
      expect([after, pausedAt('shop/pinned'), suspended('HelmRelease', 'shop/web')]).toEqual([after, '0', true]);
      await untilMorning();
      expect([after, everything()]).toEqual([after, before]);
      await world.stopController();
    }
    expect(deaths).toBeGreaterThan(10);
  });

  it('and in the morning', async () => {
    let deaths = 0;
    for (let after = 1; ; after++) {
      await started();
      const before = everything();
      await untilNight();
      if (!(await diedAfter(after, untilMorning))) break;
      deaths++;
      await world.startController();
      await world.clock.advance(20 * minute);
      expect([after, everything(), world.stateData()['resource_states']]).toEqual([after, before, '[]']);
      await world.stopController();
    }
    expect(deaths).toBeGreaterThan(10);
  });
});

describe('a kind that may not be read', () => {
  const forbidden = { kind: 'fail', status: 403, message: 'scaledobjects.keda.sh is forbidden' } as const;
  const refuse = () =>
    world.cluster.api.faults.add({
      match: ({ resource }) => resource === storageOf('ScaledObject'),
      effect: forbidden,
    });

  it('by a reload before the chart has granted it holds up nothing else', async () => {
    await started({ workingHours });
    refuse();
    world.reconfigure(all);
    await untilNight();
    expect(world.replicas('shop', 'cart')).toBe(0);
    world.reconfigure({ ...all, global: { enabled: false } });
    await world.clock.advance(minute);
    expect(world.replicas('shop', 'cart')).toBe(2);
  });

  it('any more keeps its records, and comes back once it may be read again', async () => {
    await started();
    const before = everything();
    await untilNight();
    await world.stopController();
    const allow = refuse();
    await world.startController();
    await world.clock.advance(10 * minute);
    expect(world.stateData()['resource_states']).toContain('ScaledObject');
    await untilMorning();
    expect(world.replicas('shop', 'cart')).toBe(2);
    expect(world.stateData()['resource_states']).toContain('ScaledObject');
    allow();
    await world.clock.advance(hour);
    expect(everything()).toBe(before);
  });

  it('since the night is told as not back by a wake that waits for nothing else of it, once', async () => {
    await started();
    await untilNight();
    const asked: number[] = [];
    world.cluster.api.faults.onRequest(({ resource, verb }) => {
      if (resource === storageOf('ScaledObject') && verb === 'get') asked.push(world.clock.now());
    });
    refuse();
    world.reconfigure({ workingHours });
    await world.clock.advance(5 * minute);
    await untilMorning();
    expect([world.replicas('shop', 'cart'), suspended('HelmRelease', 'shop/web')]).toEqual([2, false]);
    await world.clock.advance(hour);
    const files = world.cluster.store.get('configmaps', releaseNamespace, 'svc-audit-0')?.['data'];
    const { entries } = readEntries(Object.values(files as Readonly<Record<string, string>>));
    const reason =
      'svc could not scale it up: it cannot be read; helm upgrade grants the right to it while the value config.targeting.kinds names its kind';
    expect(entries.filter(({ kind }) => kind.startsWith('wake'))).toMatchObject([
      {
        title: 'Wake Complete - 2 workloads failed',
        durationMs: 1000,
        workloads_failed_detail: [`ScaledObject shop/pinned: ${reason}`, `ScaledObject shop/worker: ${reason}`],
      },
    ]);
    // Each of the three is asked for at the pace of what keeps failing: twice a minute, whatever else goes on.
    expect(asked.length / 3 / ((world.clock.now() - asked[0]!) / minute)).toBeLessThan(2.1);
  });
});
