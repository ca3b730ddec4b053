import { beforeEach, describe, expect, it } from 'vitest';
import { workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';

const minute = 60_000;
/** A monday evening of winter in Berlin; the cluster wakes at 08:00, 07:00 in UTC. */
const evening = Date.UTC(2026, 0, 5, 18);
const morning = Date.UTC(2026, 0, 6, 7);

describe('a workload that is tried again', () => {
  let world: ControllerWorld;

  beforeEach(async () => {
    world = new ControllerWorld({ startAt: evening });
    world.cluster.apply([
      workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 2 }),
      workloadManifest({
        kind: 'Deployment',
        namespace: 'shop',
        name: 'cart',
        replicas: 1,
        behaviour: { pull: 'fail' },
      }),
    ]);
    await world.startController();
  });

  const until = (at: number) => world.clock.advance(at - world.clock.now());
  const cards = () =>
    world.notices.map(({ title, facts = [], casualties = [] }) => [
      title,
      ...facts.filter(({ name }) => name !== 'Duration').map(({ name, value }) => `${name}: ${value}`),
      ...casualties,
    ]);
  const phaseNow = () => JSON.parse(world.stateData()['phase'] ?? '{}');

  function ask(name: string, at = world.clock.now()): void {
    const state = world.cluster.store.get('configmaps', releaseNamespace, 'svc-state')!;
    const data = state['data'] as Record<string, string>;
    const retry = { kind: 'Deployment', namespace: 'shop', name, by: 'ada', at: new Date(at).toISOString() };
    world.cluster.store.update('configmaps', { ...state, data: { ...data, wake_retries: JSON.stringify([retry]) } });
  }

  it('has a wake of its own with a new verdict, and the cluster stays awake', async () => {
    await until(morning + 30 * minute);
    expect(cards().at(-1)?.[0]).toBe('Wake Complete - 1 workload failed');
    const before = phaseNow();
    world.notices.length = 0;
    ask('cart');
    await world.clock.advance(1_000);
    expect(JSON.parse(world.stateData()['transition']!).payload).toMatchObject({ retry: true });
    expect(world.stateData()['wake_retries']).toBeUndefined();
    await world.clock.advance(20 * minute);
    expect(cards()).toEqual([
      ['Waking Up Resources', 'Initiated by: ada', 'Resources: Deployment shop/cart'],
      [
        'Wake Complete - 1 workload failed',
        'Initiated by: ada',
        'Resources: Deployment shop/cart',
        expect.stringContaining('Deployment shop/cart'),
      ],
    ]);
    expect(phaseNow()).toEqual(before);
    expect(world.stateData()['transition']).toBeUndefined();
  });

  it('is raised at once when the cluster refused it before, whatever else is down', async () => {
    const refused = new Set(['cart', 'web']);
    world.cluster.api.faults.add({
      match: ({ resource, verb, name }) =>
        resource === 'deployments.apps' && verb === 'patch' && refused.has(name ?? '') && world.clock.now() >= morning,
      effect: { kind: 'fail', status: 403 },
    });
    await until(morning + 40 * minute);
    expect([world.replicas('shop', 'web'), world.replicas('shop', 'cart')]).toEqual([0, 0]);
    refused.delete('web');
    world.notices.length = 0;
    ask('web');
    await world.clock.advance(2_000);
    expect([world.replicas('shop', 'web'), world.replicas('shop', 'cart')]).toEqual([2, 0]);
    await world.clock.advance(minute);
    expect(cards().map(([title]) => title)).toEqual(['Waking Up Resources', 'Wake Complete']);
    expect(world.stateData()['resource_states']).toContain('cart');
  });

  it('is left when the cluster goes to sleep', async () => {
    await until(morning + 12 * 60 * minute - 2 * minute);
    ask('cart');
    await world.clock.advance(10 * minute);
    expect([world.replicas('shop', 'web'), world.replicas('shop', 'cart')]).toEqual([0, 0]);
    expect(phaseNow()).toMatchObject({ phase: 'hibernated' });
  });

  it('is not woken for a wish of long ago, nor when it is gone', async () => {
    await until(morning + 30 * minute);
    world.notices.length = 0;
    ask('cart', world.clock.now() - 11 * minute);
    await world.clock.advance(minute);
    ask('nobody');
    await world.clock.advance(minute);
    expect(cards()).toEqual([]);
    expect(world.stateData()['wake_retries']).toBeUndefined();
  });
});
