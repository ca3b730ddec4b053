import { describe, expect, it } from 'vitest';
import { annotations } from '../../../src/domain/names.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import {
  autoscaler,
  scaledObject,
  scaledObjectDefinition,
  workloadManifest,
} from '../../support/builders/manifests.ts';
import { hibernateIntent, resumeIntent } from '../actors/state-intents.ts';
import { allDown, allUp, ann, minute, OfficeWorld } from '../office-world.ts';

const cart = 'Deployment shop/cart';

function recordOf(world: OfficeWorld, name: string): unknown {
  const decoded = resourceStates.decode(world.stateData()['resource_states']);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.value.find((record) => record.name === name);
}

describe('traps in what owners and tools do', () => {
  it('a workload recorded at its own downtime value: a second hibernation never records our zero', async () => {
    const world = await new OfficeWorld().at(20, 10);
    await hibernateIntent(world, ann);
    await world.advance(5 * minute);
    world.start();
    await world.at(24 + 1);
    expect(recordOf(world, 'cart')).toMatchObject({ replicas: 3 });
    await world.at(32, 10);
    expect(world.levels()).toEqual(allUp);
  });

  it("a user's zero undone by an old record: what is zeroed in the night stays at zero", async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.owner(cart, { spec: { replicas: 2 } });
    await world.advance(minute);
    world.owner(cart, { spec: { replicas: 0 } });
    await world.at(33);
    expect(world.level(cart)).toBe(0);
  });

  it('raised without our mark and zeroed again while the controller was away: the zero is its owner’s', async () => {
    const world = await new OfficeWorld().at(21);
    world.kill();
    world.owner('Deployment shop/cart', { spec: { replicas: 2 }, annotations: null });
    world.owner('Deployment shop/cart', { spec: { replicas: 0 } });
    await world.at(32);
    world.start();
    await world.at(33);
    expect(world.levels()).toEqual({ ...allUp, 'Deployment shop/cart': 0 });
    expect(world.stateData()['resource_states']).toBe('[]');
  });

  it("an owner's zero is not raised, and an owner-suspended CronJob is not resumed", async () => {
    const world = await new OfficeWorld().at(33);
    expect(world.levels()).toEqual(allUp);
  });

  it('scaled up by its owner in the night: keeps that number, is reported once, and over the wake too', async () => {
    const world = await new OfficeWorld().at(22);
    world.owner(cart, { spec: { replicas: 5 } });
    await world.advance(30 * minute);
    world.start();
    await world.at(31);
    expect(world.level(cart)).toBe(5);
    expect(world.workload(cart).metadata.annotations?.[annotations.hibernatedReplicas]).toBeUndefined();
    expect(world.audited('Replicas Changed by Their Owner')).toMatchObject([
      { details: { workloads: [`${cart} is raised by kubectl-edit: it was 3 replicas and is 5 replicas now`] } },
    ]);
    await world.at(33);
    expect(world.level(cart)).toBe(5);
  });

  it('GitOps raises what we lowered, to the very count: not fought, and reported', async () => {
    const world = await new OfficeWorld().at(22);
    world.owner(cart, { spec: { replicas: 3 } });
    await world.at(31);
    expect(world.level(cart)).toBe(3);
    expect(world.cards().filter((title) => title === 'Unexpected Replica Change')).toHaveLength(1);
  });

  it('a namespace excluded while asleep is handed back', async () => {
    const world = await new OfficeWorld().at(22);
    const home = world.store.get('namespaces', undefined, 'shop')!;
    const metadata = { ...home.metadata, annotations: { [annotations.exclude]: 'true' } };
    world.store.update('namespaces', { ...home, metadata });
    await world.advance(minute);
    expect(world.levels()).toEqual(allUp);
    expect(JSON.stringify(world.audited('Workload Handed Back'))).toContain('Deployment shop/cart');
  });

  it('a tool strips our annotations from what sleeps: it comes up all the same, CronJobs too', async () => {
    const world = await new OfficeWorld().at(22);
    for (const ref of [cart, 'StatefulSet shop/db', 'CronJob shop/report']) world.owner(ref, { annotations: null });
    await world.at(33);
    expect(world.levels()).toEqual(allUp);
  });

  it('a copy of a sleeping workload is not raised by the mark it was copied with', async () => {
    const world = await new OfficeWorld().at(22);
    const { labels, annotations: marks } = world.workload(cart).metadata;
    const manifest = workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'copy', replicas: 0 });
    world.cluster.apply([{ ...manifest, metadata: { ...manifest.metadata, labels, annotations: marks } }]);
    await world.at(33);
    expect(world.level('Deployment shop/copy')).toBe(0);
    expect(world.level(cart)).toBe(3);
  });

  it('recreated in the night with the same name: never gets the old count', async () => {
    const world = await new OfficeWorld().at(22);
    world.store.delete('deployments.apps', 'shop', 'cart', { propagationPolicy: 'Background' });
    world.cluster.apply([workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 1 })]);
    await world.advance(5 * minute);
    expect(world.level(cart)).toBe(0);
    await world.at(33);
    expect(world.level(cart)).toBe(1);
  });

  it('records lost with their ConfigMap are rebuilt from the marks', async () => {
    const world = await new OfficeWorld().at(22);
    world.store.delete('configmaps', 'svc', 'svc-state');
    await world.advance(5 * minute);
    expect(recordOf(world, 'cart')).toMatchObject({ replicas: 3 });
    await world.at(33);
    expect(world.levels()).toEqual(allUp);
  });

  it('records cleared by hand while asleep are rebuilt from the marks, and our own zero is not recorded', async () => {
    const world = await new OfficeWorld().at(22);
    const state = world.store.get('configmaps', 'svc', 'svc-state')!;
    world.store.update('configmaps', { ...state, data: { ...(state['data'] as object), resource_states: '[]' } });
    await world.advance(5 * minute);
    expect(recordOf(world, 'cart')).toMatchObject({ replicas: 3 });
    await world.at(33);
    expect(world.levels()).toEqual(allUp);
  });

  it('records lost while its owner had it up: the mark goes, and the next zero is its owner’s', async () => {
    const world = await new OfficeWorld().at(22);
    world.kill();
    world.owner(cart, { spec: { replicas: 2 } });
    world.store.delete('configmaps', 'svc', 'svc-state');
    await world.at(33);
    world.start();
    await world.advance(minute);
    world.owner(cart, { spec: { replicas: 0 } });
    await world.advance(90 * minute);
    expect(world.level(cart)).toBe(0);
  });

  it('hibernate then wake in the middle: everything comes back', async () => {
    const world = await new OfficeWorld().at(12, 10);
    world.faults.arm({ kind: 'delay', ms: 20_000 }, 'writes', 6, 3);
    await hibernateIntent(world, ann);
    await world.advance(3_000);
    await resumeIntent(world);
    await world.advance(10 * minute);
    expect(world.levels()).toEqual(allUp);
  });

  it('a fence: autoscalers from zero, KEDA, operators and volumes that would be deleted are never scaled', async () => {
    const world = new OfficeWorld({
      workloads: [
        { kind: 'Deployment', namespace: 'shop', name: 'from-zero', replicas: 2 },
        { kind: 'Deployment', namespace: 'shop', name: 'keda', replicas: 2 },
        { kind: 'Deployment', namespace: 'shop', name: 'plain-hpa', replicas: 2 },
        { kind: 'StatefulSet', namespace: 'shop', name: 'precious', replicas: 2, deletesVolumes: true },
      ],
    });
    world.cluster.apply([
      scaledObjectDefinition(),
      scaledObject('shop', 'keda'),
      autoscaler('shop', 'from-zero', 0),
      autoscaler('shop', 'plain-hpa', 2),
    ]);
    await world.at(22);
    expect(world.levels()).toEqual({
      'Deployment shop/from-zero': 2,
      'Deployment shop/keda': 2,
      'Deployment shop/plain-hpa': 0,
      'StatefulSet shop/precious': 2,
    });
    await world.at(33);
    expect(world.level('Deployment shop/plain-hpa')).toBe(2);
  });

  it('a namespace being deleted is left alone, and its records go with it', async () => {
    const world = await new OfficeWorld().at(22);
    world.store.delete('namespaces', undefined, 'shop');
    await world.at(33);
    expect(world.workloads()).toEqual([]);
    expect(world.stateData()['resource_states']).toBe('[]');
    expect(world.audited('Workload Handed Back')).toEqual([]);
    const gone = world.audited('Workload Removed').flatMap(({ details }) => details?.['workloads'] ?? []);
    expect(gone).toContain(cart);
  });

  it('CronJobs resume in steps, and not all in the same second', async () => {
    const jobs = Array.from(
      { length: 25 },
      (_, i) => ({ kind: 'CronJob', namespace: 'shop', name: `job-${i}` }) as const,
    );
    const world = await new OfficeWorld({ workloads: jobs }).at(22);
    expect(Object.values(world.levels()).every((level) => level === 0)).toBe(true);
    const resumed: number[] = [];
    world.store.onChange('cronjobs.batch', ({ object, previous }) => {
      const suspended = (one: typeof object | undefined) => (one?.['spec'] as { suspend?: boolean })?.suspend;
      if (suspended(previous) && !suspended(object)) resumed.push(world.clock.now());
    });
    await world.at(32, 10);
    expect(resumed).toHaveLength(25);
    expect(
      Math.max(
        ...Map.groupBy(resumed, (at) => at)
          .values()
          .map((group) => group.length),
      ),
    ).toBeLessThanOrEqual(10);
  });

  it('more than 500 of a kind: every one goes down and comes back', async () => {
    const many = Array.from(
      { length: 620 },
      (_, i) => ({ kind: 'CronJob', namespace: 'shop', name: `job-${i}` }) as const,
    );
    const world = await new OfficeWorld({ workloads: many }).at(20, 30);
    expect(Object.values(world.levels()).filter((level) => level === 0)).toHaveLength(620);
    await world.at(33);
    expect(Object.values(world.levels()).filter((level) => level === 1)).toHaveLength(620);
  });

  it('a workload that is deleted in the night is told as gone, not as handed back', async () => {
    const world = await new OfficeWorld().at(21);
    world.store.delete('deployments.apps', 'shop', 'cart', { propagationPolicy: 'Background' });
    await world.advance(5 * minute);
    expect(world.audited('Workload Handed Back')).toEqual([]);
    expect(world.audited('Workload Removed')).toMatchObject([{ details: { workloads: [cart] } }]);
  });

  it('asleep, everything is asleep', async () => {
    expect((await new OfficeWorld().at(20, 5)).levels()).toEqual(allDown);
  });
});
