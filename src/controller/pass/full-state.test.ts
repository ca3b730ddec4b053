import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { configMaps } from '../../domain/names.ts';
import { stateSize, stateSizeLimits } from '../../state/size.ts';

const hour = 3_600_000;
const minute = 60_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);
const { ordinary, hard } = stateSizeLimits;

let world: ControllerWorld;
afterEach(async () => {
  await world.stopController();
  world.cluster.stop();
});

const redirected = { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'cart' }] } };

async function start(deployments: readonly string[]): Promise<void> {
  world = new ControllerWorld({ startAt: noon, config: redirected, redirects: true });
  const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as Manifest;
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: { selector: { app: 'cart' }, ports: [{ port: 80 }] },
  } as Manifest;
  world.cluster.apply([shop, service, ...deployments.map(deployment)]);
  await world.startController();
  await world.clock.advance(minute);
}

function deployment(name: string): Manifest {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app:1' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  } as Manifest;
}

/** Others filled the state up to so many bytes. */
function fillTo(bytes: number): void {
  const { note: _note, ...data } = world.stateData();
  const note = 'x'.repeat(bytes - stateSize(data).bytes);
  const metadata = { name: configMaps.state, namespace: releaseNamespace };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { ...data, note } }]);
}

const selector = () =>
  (world.cluster.store.get('services', 'shop', 'cart')?.['spec'] as Partial<Record<string, unknown>> | undefined)?.[
    'selector'
  ];

const titles = () => world.notices.map(({ title }) => title);

const audited = () =>
  world.cluster.store
    .list('configmaps', releaseNamespace)
    .filter(({ metadata }) => metadata.name?.startsWith('svc-audit-'))
    .flatMap((file) => (file['data'] as Record<string, string>)['entries']!.trim().split('\n'))
    .map((line) => JSON.parse(line));

describe('a state with little room', () => {
  it('records no hibernation into the reserve, so nothing is taken down', async () => {
    await start(['cart', 'web']);
    fillTo(ordinary - 300);
    await world.clock.advance(9 * hour);
    expect([world.replicas('shop', 'cart'), world.replicas('shop', 'web')]).toEqual([1, 1]);
    expect(stateSize(world.stateData()).bytes).toBeLessThanOrEqual(ordinary);
    expect(titles()).toContain('State ConfigMap Full');
  });

  it('wakes in order, with a verdict and an entry, out of the reserve', async () => {
    await start(['cart', 'web']);
    await world.clock.advance(9 * hour);
    expect(world.replicas('shop', 'cart')).toBe(0);
    fillTo(ordinary);
    await world.clock.advance(11 * hour);
    expect([world.replicas('shop', 'cart'), world.replicas('shop', 'web')]).toEqual([1, 1]);
    expect(titles()).toContain('Wake Complete');
    expect(audited().map(({ title }) => title)).toContain('Wake Complete');
  });

  it('hands back and says so, even where an older release has used the reserve up', async () => {
    await start(['cart', 'web', ...Array.from({ length: 8 }, (_, index) => `other-${index}`)]);
    await world.clock.advance(9 * hour);
    expect(selector()).not.toEqual({ app: 'cart' });
    fillTo(hard - 10);
    world.reconfigure({ ...redirected, global: { enabled: false } });
    await world.clock.advance(30 * minute);
    expect(selector()).toEqual({ app: 'cart' });
    expect([world.replicas('shop', 'cart'), world.replicas('shop', 'web')]).toEqual([1, 1]);
    expect(JSON.parse(world.stateData()['stand_down']!).handbackDone).toBe(true);
  });

  it('tells what it has no room to store: sessions of other clusters still run out', async () => {
    await start(['cart']);
    const session = {
      id: 's',
      cluster: 'b',
      resources: [],
      startedAt: new Date(world.clock.now()).toISOString(),
      expiresAt: new Date(world.clock.now() + 2 * hour).toISOString(),
    };
    const metadata = { name: configMaps.state, namespace: releaseNamespace };
    const data = { ...world.stateData(), external_wake_sessions: JSON.stringify([session]) };
    world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]);
    fillTo(hard);
    await world.clock.advance(3 * hour);
    expect(world.stateData()['external_wake_sessions']).toBe('[]');
    expect(audited().map(({ title }) => title)).toContain('External Wake Expired');
  });

  it('ends a wake that is refused 400 workloads with long messages: each is told, and there is an entry', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `service-with-a-name-of-some-length-${index}`);
    await start(names);
    await world.clock.advance(9 * hour);
    expect(world.replicas('shop', names[7]!)).toBe(0);
    const message = `admission webhook "policy.example.com" denied the request: ${'because of reasons, '.repeat(150)}`;
    world.cluster.api.faults.add({
      match: ({ resource, verb }) => resource.startsWith('deployments') && verb === 'patch',
      effect: { kind: 'fail', status: 403, message },
    });
    const failed = () => audited().filter(({ kind }) => kind === 'wake-failed');
    const latest = world.clock.now() + 11 * hour;
    while (failed().length === 0 && world.clock.now() < latest) await world.clock.advance(10 * minute);
    expect(world.stateData()).not.toHaveProperty('transition');
    const told = failed().flatMap((entry) => entry.workloads_failed_detail as string[]);
    expect(new Set(told).size).toBe(names.length);
    expect(Math.max(...told.map((sentence) => sentence.length))).toBeLessThan(350);
  });
});
