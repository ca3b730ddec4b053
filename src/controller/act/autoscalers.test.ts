import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { loadAnnotation } from '../../../embedded-cluster/controllers/autoscaler-controller.ts';
import { autoscaler, namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { storageOf } from '../../../test/support/builders/neighbours.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const workingHours = { timezone: 'Europe/Berlin', schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00' } };
const held = { workingHours, targeting: { kinds: ['HorizontalPodAutoscaler'] } };
const autoscalers = storageOf('HorizontalPodAutoscaler');

let world: ControllerWorld;
afterEach(() => world.stopController());

const deployment = (name: string) => workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 3 });

/** `load`: in percent of one pod; 80 is a pod's worth. */
function scaler(name: string, least: number, load: number, more: { behavior?: object; exclude?: string } = {}) {
  const manifest = autoscaler('shop', name, least);
  const { behavior, exclude } = more;
  return {
    ...manifest,
    metadata: {
      name,
      namespace: 'shop',
      annotations: { [loadAnnotation]: String(load), ...(exclude === undefined ? {} : { 'svc.io/exclude': exclude }) },
    },
    spec: { ...(manifest['spec'] as object), ...(behavior === undefined ? {} : { behavior }) },
  };
}

const objects: readonly Manifest[] = [
  namespaceManifest('shop'),
  ...['cart', 'idle', 'plain', 'kept'].map(deployment),
  scaler('cart', 0, 240),
  scaler('idle', 0, 0, { behavior: { scaleUp: { selectPolicy: 'Min' } } }),
  scaler('plain', 2, 160),
  scaler('kept', 0, 240, { exclude: 'true' }),
];

async function started(config: Record<string, unknown> = held): Promise<void> {
  world = new ControllerWorld({ startAt: afternoon, config });
  world.cluster.apply(objects);
  await world.startController();
  await world.clock.advance(5 * minute);
}

const untilNight = () => world.clock.advance(afternoon + 70 * minute - world.clock.now());
const untilMorning = () => world.clock.advance(afternoon + 15.5 * hour - world.clock.now());

const stored = (name: string) => {
  const found = world.cluster.store.get(autoscalers, 'shop', name);
  if (found === undefined) throw new Error(`${name} is not there`);
  return found;
};
const policyOf = (name: string) =>
  (stored(name)['spec'] as { behavior?: { scaleUp?: { selectPolicy?: string } } }).behavior?.scaleUp?.selectPolicy;
const policies = () => ['cart', 'idle', 'plain', 'kept'].map(policyOf);
const counts = () => ['cart', 'idle', 'plain', 'kept'].map((name) => world.replicas('shop', name));

/** All that an owner may see of them. */
const seen = () =>
  JSON.stringify(
    ['cart', 'idle', 'plain', 'kept'].map((name) => [stored(name)['spec'], stored(name).metadata.annotations]),
  );

/** Messages arrive: there is work for so many pods. */
function load(name: string, pods: number): void {
  const { metadata, ...rest } = stored(name);
  const annotations = { ...metadata.annotations, [loadAnnotation]: String(pods * 80) };
  world.cluster.store.update(autoscalers, { ...rest, metadata: { ...metadata, annotations } });
}

describe('autoscalers that may scale from zero', () => {
  it('keep their targets up while they are not named', async () => {
    await started({ workingHours });
    await untilNight();
    expect([counts(), policies()]).toEqual([
      [3, 0, 0, 3],
      [undefined, 'Min', undefined, undefined],
    ]);
    load('idle', 2);
    await world.clock.advance(hour);
    expect(world.replicas('shop', 'idle')).toBe(2);
  });

  it('are held while their targets sleep, and given back as they were, byte for byte', async () => {
    await started();
    const before = seen();
    expect(counts()).toEqual([3, 0, 2, 3]);
    await untilNight();
    expect([counts(), policies()]).toEqual([
      [0, 0, 0, 3],
      ['Disabled', 'Disabled', undefined, undefined],
    ]);
    await untilMorning();
    expect([counts(), seen()]).toEqual([[3, 0, 2, 3], before]);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  it('raise nothing in the night, whatever arrives, and do in the morning', async () => {
    await started();
    await untilNight();
    const changes = () =>
      ['cart', 'idle'].map((name) => world.cluster.store.get('deployments.apps', 'shop', name)?.metadata.generation);
    const before = changes();
    load('cart', 5);
    load('idle', 2);
    await world.clock.advance(6 * hour);
    expect([counts(), changes()]).toEqual([[0, 0, 0, 3], before]);
    await untilMorning();
    expect(counts()).toEqual([5, 2, 2, 3]);
  });

  it('are held before their targets are lowered, and given back when these are up', async () => {
    await started();
    const order: string[] = [];
    let readyThen: number | undefined;
    world.cluster.api.faults.onWrite(({ resource, name }) => {
      if (name !== 'cart' || resource.endsWith('/status')) return;
      order.push(resource);
      const cart = world.cluster.store.get('deployments.apps', 'shop', 'cart');
      if (resource === autoscalers)
        readyThen = (cart?.['status'] as { readyReplicas?: number } | undefined)?.readyReplicas;
    });
    await untilNight();
    expect([order[0], readyThen]).toEqual([autoscalers, 3]);
    await untilMorning();
    expect([order.at(-1), readyThen]).toEqual([autoscalers, 3]);
  });

  it('are given back by a stop', async () => {
    await started();
    const before = seen();
    await untilNight();
    world.reconfigure({ ...held, global: { enabled: false } });
    await world.clock.advance(10 * minute);
    expect([counts(), seen()]).toEqual([[3, 0, 2, 3], before]);
  });

  it('come back from their marks when the records are lost', async () => {
    await started();
    const before = seen();
    await untilNight();
    await world.stopController();
    world.cluster.store.delete('configmaps', 'svc', 'svc-state');
    await world.startController();
    await world.clock.advance(5 * minute);
    await untilMorning();
    expect([counts(), seen()]).toEqual([[3, 0, 2, 3], before]);
  });

  it('come back with the morning although they were taken off the list in the night', async () => {
    await started();
    const before = seen();
    await untilNight();
    world.reconfigure({ workingHours });
    await world.clock.advance(5 * minute);
    await untilMorning();
    expect([counts(), seen()]).toEqual([[3, 0, 2, 3], before]);
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  it('stay as their owner has them who lets one scale up in the night', async () => {
    await started();
    await untilNight();
    const { status } = await world.cluster.api.transport().send({
      method: 'PATCH',
      path: '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/idle?fieldManager=kubectl-edit',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ spec: { behavior: { scaleUp: { selectPolicy: 'Max' } } } }),
    });
    expect(status).toBe(200);
    await world.clock.advance(5 * minute);
    expect(policyOf('idle')).toBe('Max');
    await untilMorning();
    expect(policyOf('idle')).toBe('Max');
  });
});
