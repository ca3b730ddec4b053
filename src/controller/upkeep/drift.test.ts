import { afterEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { annotations, configMaps } from '../../domain/names.ts';

const minute = 60_000;
/** Monday, 23:00 in Berlin: outside working hours. */
const night = Date.UTC(2026, 0, 5, 22);

let world: ControllerWorld;
afterEach(() => world.stopController());

const deployment = (name: string) => workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2 });

/** Asleep, with a watch of Deployments that says nothing more. */
async function asleepAndDeaf(): Promise<void> {
  world = new ControllerWorld({ startAt: night });
  world.cluster.apply([namespaceManifest('shop'), deployment('cart')]);
  world.cluster.api.faults.add({
    match: ({ verb, resource }) => verb === 'watch' && resource === 'deployments.apps',
    effect: { kind: 'watch', mode: 'silent' },
  });
  await world.startController();
  await world.clock.advance(minute);
  expect(world.replicas('shop', 'cart')).toBe(0);
}

const records = () => JSON.parse(world.stateData()['resource_states']!) as { name: string }[];
const names = () => records().map(({ name }) => name);

function record(entry: Record<string, unknown>): void {
  const data = { ...world.stateData(), resource_states: JSON.stringify([...records(), entry]) };
  const metadata = { name: configMaps.state, namespace: releaseNamespace };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
}

const recordOf = (name: string, uid: string) => {
  const at = new Date(world.clock.now()).toISOString();
  return { kind: 'Deployment', namespace: 'shop', name, uid, replicas: 2, at };
};

describe('a record of what the watch does not show', () => {
  it('stays while the workload is there: another controller took it down, and only the record has come through', async () => {
    await asleepAndDeaf();
    world.cluster.apply([deployment('late')]);
    const late = world.cluster.store.get('deployments.apps', 'shop', 'late')!;
    const marks = { [annotations.hibernatedReplicas]: '2', [annotations.markedUid]: late.metadata.uid };
    const spec = { ...(late['spec'] as object), replicas: 0 };
    world.cluster.apply([{ ...late, metadata: { ...late.metadata, annotations: marks }, spec }]);
    const dropped: string[] = [];
    world.cluster.api.faults.onWrite(({ name }) => {
      if (name === configMaps.state && !names().includes('late')) dropped.push('late');
    });
    record(recordOf('late', late.metadata.uid));
    await world.clock.advance(minute);
    expect([dropped, names()]).toEqual([[], ['cart', 'late']]);
  });

  it('goes when the workload is gone', async () => {
    await asleepAndDeaf();
    record(recordOf('gone', 'uid-of-gone'));
    await world.clock.advance(minute);
    expect(names()).toEqual(['cart']);
  });
});

describe('what cannot be read past the caches', () => {
  /** Asleep, its owner raises it, and the apiserver does not answer for it so many times. */
  async function raisedUnread(times: number): Promise<{ readonly reads: number[] }> {
    world = new ControllerWorld({ startAt: night });
    world.cluster.apply([namespaceManifest('shop'), deployment('cart')]);
    await world.startController();
    await world.clock.advance(5 * minute);
    const reads: number[] = [];
    const since = world.clock.now();
    world.cluster.api.faults.onRequest(({ verb, resource }) => {
      if (verb === 'get' && resource === 'deployments.apps') reads.push((world.clock.now() - since) / 1000);
    });
    world.cluster.api.faults.add({
      match: ({ verb, resource }) => verb === 'get' && resource === 'deployments.apps',
      effect: { kind: 'fail', status: 409, message: 'try again' },
      times,
    });
    const cart = world.cluster.store.get('deployments.apps', 'shop', 'cart')!;
    world.cluster.apply([{ ...cart, spec: { ...(cart['spec'] as object), replicas: 3 } }]);
    return { reads };
  }

  it('is read again soon, not with the next look of the hour', async () => {
    await raisedUnread(1);
    await world.clock.advance(minute);
    expect(records()).toMatchObject([{ name: 'cart', replicas: 3 }]);
  });

  it('is read at the pace of what is refused while that lasts', async () => {
    const { reads } = await raisedUnread(Number.POSITIVE_INFINITY);
    await world.clock.advance(20 * minute);
    expect(reads.slice(0, 6)).toHaveLength(6);
    expect(reads.length).toBeLessThan(50);
  });
});
