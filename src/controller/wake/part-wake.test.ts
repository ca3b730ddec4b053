import { beforeEach, describe, expect, it } from 'vitest';
import { workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import type { DatabaseReading, Databases } from '../../ports/databases.ts';

const minute = 60_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);
const config = {
  databases: {
    orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' },
    other: { type: 'instance', identifier: 'other', region: 'eu-central-1' },
  },
  wakeOrdering: {
    tiers: [
      { name: 'data', select: [{ namespace: 'shop', name: 'db' }], databases: ['orders'] },
      { name: 'app', select: [{ namespace: 'shop', name: 'web' }] },
    ],
  },
  externalWake: { enabled: true, localClusterName: 'here' },
};

/** A cloud that does at once what it is told. */
class QuickCloud implements Databases {
  readonly calls: string[] = [];
  readonly stopped = new Set<string>();
  async read(name: string): Promise<DatabaseReading> {
    return { condition: this.stopped.has(name) ? 'stopped' : 'available' };
  }
  async stop(name: string) {
    this.calls.push(`stop ${name}`);
    this.stopped.add(name);
    return { outcome: 'done' } as const;
  }
  async start(name: string) {
    this.calls.push(`start ${name}`);
    this.stopped.delete(name);
    return { outcome: 'done' } as const;
  }
}

describe('what another cluster names while the cluster sleeps', () => {
  let world: ControllerWorld;
  let cloud: QuickCloud;

  beforeEach(async () => {
    world = new ControllerWorld({ startAt: noon, config });
    cloud = new QuickCloud();
    const deployment = (name: string, behaviour: Record<string, string> = {}) =>
      workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2, behaviour });
    world.cluster.apply([deployment('db', { 'start-seconds': '30' }), deployment('web'), deployment('other')]);
    await world.startController();
    Object.assign(world.ports, { databases: cloud });
    await world.clock.advance(noon + 7.5 * 60 * minute - world.clock.now());
    expect(levels()).toEqual([0, 0, 0]);
    cloud.calls.length = 0;
    world.notices.length = 0;
  });

  const levels = () => ['db', 'web', 'other'].map((name) => world.replicas('shop', name));
  const cards = () =>
    world.notices.map(({ title, facts = [] }) => [title, ...facts.map(({ name, value }) => `${name}: ${value}`)]);

  function ask(id: string, resources: readonly object[], ms = 60 * minute): void {
    const state = world.cluster.store.get('configmaps', releaseNamespace, 'svc-state')!;
    const at = world.clock.now();
    const iso = (ms: number) => new Date(ms).toISOString();
    const sessions = [{ id, cluster: 'dev', resources, startedAt: iso(at), expiresAt: iso(at + ms) }];
    const data = state['data'] as Record<string, string>;
    world.cluster.store.update('configmaps', {
      ...state,
      data: { ...data, external_wake_sessions: JSON.stringify(sessions) },
    });
  }
  const both = [
    { namespace: 'shop', type: 'Deployment', name: 'web' },
    { namespace: 'shop', name: 'db' },
  ];
  const recorded = () => world.stateData()['resource_states'] ?? '[]';

  it('is woken in order, with the databases of its tiers, and keeps its records until its verdict is in', async () => {
    ask('s1', both);
    await world.clock.advance(10_000);
    // The first tier is not up yet, so the second waits; the dependent is told so by the records.
    expect(levels()).toEqual([2, 0, 0]);
    expect(recorded()).toContain('"web"');
    await world.clock.advance(2 * minute);
    expect(levels()).toEqual([2, 2, 0]);
    expect(recorded()).not.toContain('"web"');
    expect(cloud.calls).toEqual(['start orders']);
    expect(cards()).toEqual([
      ['Waking Up Resources', 'Initiated by: dev', 'Resources: Deployment shop/web, shop/db'],
      [
        'Wake Complete',
        'Initiated by: dev',
        expect.stringMatching(/^Duration/),
        'Resources: Deployment shop/web, shop/db',
      ],
    ]);
  });

  it('stays up, its databases too, until the session ends, and sleeps again after it', async () => {
    ask('s1', both, 30 * minute);
    await world.clock.advance(20 * minute);
    expect(levels()).toEqual([2, 2, 0]);
    expect(cloud.calls).toEqual(['start orders']);
    expect(JSON.parse(world.stateData()['phase'] ?? '{}')).toMatchObject({ phase: 'hibernated' });
    await world.clock.advance(20 * minute);
    expect(levels()).toEqual([0, 0, 0]);
    expect(cloud.calls).toEqual(['start orders', 'stop orders']);
  });

  it('is woken with everything else when the cluster opens meanwhile, and is told of once more as such', async () => {
    ask('s1', both);
    await world.clock.advance(10_000);
    world.reconfigure({ ...config, workingHours: { schedule: { monday: 'on' } } });
    await world.clock.advance(5 * minute);
    expect(levels()).toEqual([2, 2, 2]);
    expect(JSON.parse(world.stateData()['phase'] ?? '{}')).toMatchObject({ phase: 'awake' });
  });

  it('has one wake for a session, whatever its end was', async () => {
    world.cluster.api.faults.add({
      match: ({ resource, verb, name }) => resource === 'deployments.apps' && verb === 'patch' && name === 'web',
      effect: { kind: 'fail', status: 403 },
    });
    ask('s1', both);
    await world.clock.advance(50 * minute);
    expect(cards().map(([title]) => title)).toEqual(['Waking Up Resources', 'Wake Complete - 1 workload failed']);
  });
});
