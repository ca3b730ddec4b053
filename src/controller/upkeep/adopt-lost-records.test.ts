import { afterEach, describe, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { annotations } from '../../domain/names.ts';

const hour = 3_600_000;
/** A monday, ten in the evening in Berlin: everything that is ours should sleep. */
const evening = Date.UTC(2026, 0, 5, 21);

let world: ControllerWorld;
afterEach(() => world.stopController());

/** A Deployment that a release put to sleep, of which this one has no record. */
async function found(by: string | undefined, excluded: boolean, startAt = evening): Promise<void> {
  const exclude = excluded ? [{ exact: 'shop' }] : [{ pattern: 'kube-*' }];
  world = new ControllerWorld({ startAt, config: { targeting: { namespaces: { exclude } } } });
  const asleep = { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 0 } as const;
  world.cluster.apply([namespaceManifest('shop'), workloadManifest(asleep)]);
  const cart = world.cluster.store.get('deployments.apps', 'shop', 'cart')!;
  const marks = {
    [annotations.hibernatedReplicas]: '3',
    [annotations.markedUid]: cart.metadata.uid,
    ...(by === undefined ? {} : { [annotations.markedBy]: by }),
  };
  world.cluster.apply([{ ...cart, metadata: { ...cart.metadata, annotations: marks } }]);
  await world.startController();
  await world.clock.advance(hour / 4);
}

const replicas = () =>
  (world.cluster.store.get('deployments.apps', 'shop', 'cart')?.spec as { replicas: number } | undefined)?.replicas;
const recorded = () => (world.stateData()['resource_states'] ?? '').includes('"cart"');

describe('a mark without a record', () => {
  it.each([
    ['of another release, outside of our scope, is left to that release', 'svc-two', true, 0, false],
    ['of another release, within our scope, is ours now and sleeps on', 'svc-two', false, 0, true],
    ['of ours, outside of our scope by now, is handed back', releaseNamespace, true, 3, false],
    ['of a version that named no release, outside of our scope, is handed back', undefined, true, 3, false],
    ['of ours, within our scope, is recorded again and sleeps on', releaseNamespace, false, 0, true],
  ] as const)('%s', async (_, by, excluded, level, hasRecord) => {
    await found(by, excluded);
    expect([replicas(), recorded()]).toEqual([level, hasRecord]);
  });

  it('of a release that was here before, within our scope, comes up by day', async () => {
    await found('svc-two', false, evening - 9 * hour);
    expect(replicas()).toBe(3);
  });
});
