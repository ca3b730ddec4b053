import { afterEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { definitionOf, neighbour, storageOf } from '../../../test/support/builders/neighbours.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const config = {
  workingHours: { timezone: 'Europe/Berlin', schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00' } },
  targeting: { kinds: ['Rollout'] },
};
const rollouts = storageOf('Rollout');

let world: ControllerWorld;
afterEach(() => world.stopController());

/** What Argo Rollouts does, as far as a wake looks at it: it reports, with its generation as text. */
function rolloutsController(): void {
  world.cluster.api.faults.onWrite(({ resource, namespace = '', name }) => {
    if (resource === rollouts) world.clock.after(20_000, () => report(namespace, name));
  });
}

function report(namespace: string, name: string): void {
  const found = world.cluster.store.get(rollouts, namespace, name);
  if (found === undefined) return;
  const { replicas = 1 } = found['spec'] as { replicas?: number };
  const observedGeneration = String(found.metadata.generation);
  const status = { observedGeneration, replicas, readyReplicas: replicas, updatedReplicas: replicas };
  world.cluster.store.update(rollouts, { ...found, status } as KubeObject);
}

async function started(): Promise<void> {
  world = new ControllerWorld({ startAt: afternoon, config });
  world.cluster.apply([
    definitionOf('Rollout'),
    namespaceManifest('shop'),
    neighbour('Rollout', 'shop/web', { spec: { replicas: 3, workloadRef: { kind: 'Deployment', name: 'web' } } }),
    neighbour('Rollout', 'shop/one'),
    workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 2 }),
    workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 2 }),
  ]);
  rolloutsController();
  await world.startController();
  await world.clock.advance(5 * minute);
}

const untilNight = () => world.clock.advance(afternoon + 70 * minute - world.clock.now());
const untilMorning = () => world.clock.advance(afternoon + 15.5 * hour - world.clock.now());
const specOf = (name: string) => world.cluster.store.get(rollouts, 'shop', name)?.['spec'];

describe('a Rollout', () => {
  it('sleeps by its count and has a verdict in the morning; what it runs in its place is left to it', async () => {
    await started();
    await untilNight();
    expect([specOf('web'), specOf('one')]).toMatchObject([{ replicas: 0 }, { replicas: 0 }]);
    expect([world.replicas('shop', 'web'), world.replicas('shop', 'cart')]).toEqual([2, 0]);
    await untilMorning();
    expect([specOf('web'), specOf('one')]).toMatchObject([{ replicas: 3 }, { replicas: 1 }]);
    expect(world.stateData()['resource_states']).toBe('[]');
    const card = world.notices.find(({ title }) => title.startsWith('Wake'));
    expect(JSON.stringify(card)).toContain('Wake Complete');
  });
});
