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
    sessions.length = 0;
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

  const sessions: object[] = [];
  function ask(id: string, resources: readonly object[], ms = 60 * minute): void {
    const state = world.cluster.store.get('configmaps', releaseNamespace, 'svc-state')!;
    const at = world.clock.now();
    const iso = (ms: number) => new Date(ms).toISOString();
    sessions.push({ id, cluster: 'dev', resources, startedAt: iso(at), expiresAt: iso(at + ms) });
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
  const audited = () =>
    world.cluster.store
      .list('configmaps', releaseNamespace)
      .filter(({ metadata }) => metadata.name?.startsWith('svc-audit-'))
      .flatMap((file) => (file['data'] as Record<string, string>)['entries']!.trim().split('\n'))
      .map((line) => JSON.parse(line).title as string);
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

  it('goes back to sleep without a card of its own: it did not come in the night', async () => {
    ask('s1', both, 30 * minute);
    await world.clock.advance(45 * minute);
    expect(levels()).toEqual([0, 0, 0]);
    expect(cards().map(([title]) => title)).toEqual([
      'Waking Up Resources',
      'Wake Complete',
      'External Wake Expired',
      'Database Stopped',
    ]);
    expect(audited()).toContain('Asleep Again After External Wake');
    expect(audited()).not.toContain('Workload Added');
  });

  it('by a second session is begun at once, though the wake for the first one hangs', async () => {
    world.cluster.api.faults.add({
      match: ({ resource, verb, name }) => resource === 'deployments.apps' && verb === 'patch' && name === 'other',
      effect: { kind: 'fail', status: 500 },
    });
    ask('s1', [{ namespace: 'shop', name: 'other' }]);
    await world.clock.advance(10_000);
    ask('s2', both);
    await world.clock.advance(minute);
    expect(levels()).toEqual([2, 2, 0]);
    await world.clock.advance(50 * minute);
    expect(cards().map(([title]) => title)).toEqual(['Waking Up Resources', 'Wake Complete - 1 workload failed']);
    expect(cards()[1]).toContain('Resources: shop/other, Deployment shop/web, shop/db');
    expect(JSON.parse(world.stateData()['phase'] ?? '{}')).toMatchObject({ wokenFor: ['s1', 's2'] });
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

describe('a redirected service that cannot be pointed back', () => {
  const hour = 60 * minute;
  const redirected = {
    serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] },
    externalWake: { enabled: true, localClusterName: 'here' },
  };
  let world: ControllerWorld;
  let refused = false;

  beforeEach(async () => {
    refused = false;
    world = new ControllerWorld({ startAt: noon + 6.9 * hour, config: redirected, redirects: true });
    const web = workloadManifest({
      kind: 'Deployment',
      namespace: 'shop',
      name: 'web',
      replicas: 2,
      behaviour: { 'start-seconds': '20' },
    });
    const { template } = web['spec'] as { readonly template: { readonly metadata: { readonly labels: object } } };
    const service = { selector: template.metadata.labels, ports: [{ port: 80, targetPort: 8080 }] };
    world.cluster.apply([
      web,
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop' }, spec: service },
    ]);
    await world.startController();
    world.cluster.api.faults.add({
      match: ({ resource, verb }) => refused && resource === 'services' && verb === 'patch',
      effect: { kind: 'fail', status: 403 },
    });
  });

  const until = (at: number) => world.clock.advance(at - world.clock.now());
  const selector = () => JSON.stringify(world.cluster.store.get('services', 'shop', 'web')?.['spec']);
  const wakes = () =>
    world.cluster.store
      .list('configmaps', releaseNamespace)
      .filter(({ metadata }) => metadata.name?.startsWith('svc-audit-'))
      .flatMap((file) => (file['data'] as Record<string, string>)['entries']!.trim().split('\n'))
      .map((line) => JSON.parse(line) as { readonly title: string; readonly result: string })
      .filter(({ title }) => title.startsWith('Wake Complete'))
      .map(({ result }) => result);

  it('leaves the wake of what stands behind it incomplete, when only that was named', async () => {
    await until(noon + 7.5 * hour);
    expect(selector()).toContain('satellite');
    refused = true;
    const state = world.cluster.store.get('configmaps', releaseNamespace, 'svc-state')!;
    const iso = (ms: number) => new Date(ms).toISOString();
    const at = world.clock.now();
    const named = [{ namespace: 'shop', name: 'web' }];
    const asked = [{ id: 's1', cluster: 'dev', resources: named, startedAt: iso(at), expiresAt: iso(at + 8 * hour) }];
    const data = state['data'] as Record<string, string>;
    world.cluster.store.update('configmaps', {
      ...state,
      data: { ...data, external_wake_sessions: JSON.stringify(asked) },
    });
    await world.clock.advance(30 * minute);
    expect([world.replicas('shop', 'web'), selector().includes('satellite')]).toEqual([2, true]);
    expect(wakes()).toEqual(['incomplete']);
  });

  it('this morning is not held against it the next', async () => {
    const morning = noon + 19 * hour;
    await until(morning - 1_000);
    refused = true;
    await until(morning + 20 * minute);
    refused = false;
    await until(morning + 24 * hour - 1_000);
    refused = true;
    await until(morning + 24 * hour + 24_000);
    refused = false;
    await until(morning + 25 * hour);
    expect(wakes()).toEqual(['incomplete', 'success']);
  });
});
