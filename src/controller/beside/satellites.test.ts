import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { asShipped, noApi } from '../../../test/support/as-shipped.ts';
import { workloadsOnly } from '../../../test/support/controller-features.ts';
import { KubernetesOwnPods } from '../../adapters/cluster/own-pods.ts';
import { KubernetesServices } from '../../adapters/cluster/service-writer.ts';
import { KubeClient } from '../../adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../adapters/kubernetes/client/token-bucket.ts';
import { fieldManager } from '../../domain/names.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { Transport, TransportRequest } from '../../ports/transport.ts';
import { type RunningController, startController } from '../main.ts';
import { AutoscalerProtection } from './autoscaler-protection.ts';
import { satelliteSettingsFrom } from './satellite-settings.ts';
import { Satellites } from './satellites.ts';

const minute = 60_000;
/** A short night: asleep from 20:00 to 20:30. */
const workingHours = { schedule: { monday: '08:00-20:00,20:30-23:59' } };
const redirecting = { serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] } };
/** Monday, 19:58 in Berlin. */
const evening = Date.UTC(2026, 0, 5, 18, 58);
const identity = { user: 'system:serviceaccount:svc:svc-controller', groups: ['system:masters'] };

/** The real controller with both companions on the embedded cluster; it can be killed after any write. */
class World {
  readonly clock = new VirtualClock(evening);
  readonly cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), events: 'none' });
  readonly writes: string[] = [];
  #running: RunningController | undefined;
  #lives = 0;
  /** The write after which the process dies; it was carried out all the same. */
  dieAfter = Number.POSITIVE_INFINITY;
  died = false;
  /** Writes to Services break off, and are carried out after so long. */
  landsAfterMs = 0;
  readonly handedBackAsItLands: boolean[] = [];
  onRedirect = () => {};

  constructor(config: Record<string, unknown> = {}) {
    const all = {
      clusterName: 'test',
      externalUrl: 'https://svc.example.com',
      workingHours,
      serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] },
      ...config,
    };
    this.apply(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'svc' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'svc-config', namespace: 'svc' },
        data: { 'config.yaml': JSON.stringify(all) },
      },
      deployment('shop', 'web', { app: 'web' }),
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'shop', labels: { team: 'a' }, annotations: { note: 'b' } },
        spec: {
          selector: { app: 'web' },
          ports: [
            { name: 'http', port: 80, targetPort: 'http' },
            { name: 'x', port: 81, targetPort: 8081 },
          ],
        },
      },
      deployment('svc', 'svc-app', { app: 'svc', 'svc.io/part-of': 'svc' }),
    );
    this.cluster.start();
  }

  apply(...objects: readonly Manifest[]): void {
    this.cluster.apply(objects);
  }

  async start(): Promise<void> {
    this.#lives += 1;
    const life = this.#lives;
    const inner = this.cluster.transport(identity);
    const transport: Transport = {
      send: async (request: TransportRequest) => {
        if (this.#lives !== life) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        if (request.method === 'GET') return inner.send(request);
        if (request.method === 'PATCH' && request.path.includes('/services/')) this.onRedirect();
        this.writes.push(`${request.method} ${request.path.split('?')[0]}`);
        if (this.landsAfterMs > 0 && request.path.includes('/services/')) {
          this.clock.after(this.landsAfterMs, () => {
            const stood = this.state('stand_down') as { handbackDone?: boolean } | undefined;
            this.handedBackAsItLands.push(stood?.handbackDone === true);
            void inner.send(request);
          });
          throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        }
        const answer = await inner.send(request);
        if (this.writes.length !== this.dieAfter) return answer;
        this.died = true;
        this.#lives += 1;
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      },
    };
    const { clock } = this;
    const client = new KubeClient({
      transport,
      clock,
      random: seededRandom(life),
      limiter: new TokenBucket(clock, { qps: 150, burst: 200 }),
      userAgent: fieldManager,
      fieldManager,
      logger: silentLogger,
      requestTimeoutMs: 30_000,
    });
    const settings = satelliteSettingsFrom({ SATELLITE_IMAGE: 'r/satellite:1' });
    const starting = startController({
      transport,
      clock,
      random: seededRandom(life + 100),
      logger: silentLogger,
      namespace: 'svc',
      ...asShipped,
      frames: noApi,
      features: workloadsOnly({
        companions: [
          new Satellites({ services: new KubernetesServices(client), settings }),
          new AutoscalerProtection(new KubernetesOwnPods(client, 'svc')),
        ],
      }),
    });
    await clock.advance(0);
    this.#running = await starting;
    await clock.advance(1000);
  }

  /** Lets time pass, and starts the process again whenever it died. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10_000) {
      await this.clock.advance(Math.min(10_000, left));
      if (this.died) {
        this.died = false;
        void this.#running?.stop();
        await this.start();
      }
    }
  }

  service(): { selector: unknown; annotations: unknown; labels: unknown } {
    const found = this.cluster.store.get('services', 'shop', 'web')!;
    const spec = found['spec'] as { selector: unknown };
    return { selector: spec.selector, annotations: found.metadata.annotations, labels: found.metadata.labels };
  }

  satellite(): Record<string, unknown> | undefined {
    return this.cluster.store.get('deployments.apps', 'shop', 'svc-satellite-web')?.['spec'] as Record<string, unknown>;
  }

  replicas(): number {
    return (this.cluster.store.get('deployments.apps', 'shop', 'web')!['spec'] as { replicas: number }).replicas;
  }

  state(key: string): unknown {
    const data = this.cluster.store.get('configmaps', 'svc', 'svc-state')?.['data'] as
      | Record<string, string>
      | undefined;
    return data?.[key] === undefined || data[key] === '' ? undefined : JSON.parse(data[key]);
  }

  configure(config: Record<string, unknown>): void {
    const all = { clusterName: 'test', externalUrl: 'https://svc.example.com', ...config };
    this.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'svc-config', namespace: 'svc' },
      data: { 'config.yaml': JSON.stringify(all) },
    });
  }

  /** The audit entries with this title, as they are stored. */
  audit(title: string): readonly unknown[] {
    return [...this.cluster.store.list('configmaps')]
      .filter(({ metadata }) => metadata.name.startsWith('svc-audit-'))
      .flatMap((file) => Object.values((file['data'] ?? {}) as Record<string, string>))
      .flatMap((text) => text.split('\n').filter((line) => line.startsWith('{')))
      .map((line) => JSON.parse(line) as { readonly title: string })
      .filter((entry) => entry.title === title);
  }

  /** Annotations of our own pods that ask the node autoscalers to leave them alone. */
  protection(): string[] {
    const pods = [...this.cluster.store.list('pods')].filter(({ metadata }) => metadata.namespace === 'svc');
    return pods
      .flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}))
      .filter((key) => /karpenter|safe-to-evict/.test(key));
  }

  patchService(change: { selector?: Record<string, string>; annotations?: Record<string, string> }): void {
    const found = this.cluster.store.get('services', 'shop', 'web')!;
    const spec = found['spec'] as Record<string, unknown>;
    this.cluster.store.update('services', {
      ...found,
      metadata: { ...found.metadata, ...(change.annotations === undefined ? {} : { annotations: change.annotations }) },
      spec: { ...spec, ...(change.selector === undefined ? {} : { selector: change.selector }) },
    });
  }
}

function deployment(namespace: string, name: string, labels: Record<string, string>): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'a:1' }] } },
    },
  };
}

const night = {
  selector: { 'svc.io/satellite': 'web' },
  annotations: { note: 'b', 'svc.io/original-selector': '{"app":"web"}' },
  labels: { team: 'a', 'svc.io/redirected': 'true' },
};
const day = { selector: { app: 'web' }, annotations: { note: 'b' }, labels: { team: 'a' } };

function expectAsleep(world: World): void {
  expect(world.service()).toEqual(night);
  expect(world.replicas()).toBe(0);
  expect(world.state('satellites')).toMatchObject([{ namespace: 'shop', name: 'web', selector: { app: 'web' } }]);
  expect(world.satellite()).toBeDefined();
  expect(world.protection()).toHaveLength(4);
}

function expectAwake(world: World): void {
  expect(world.service()).toEqual(day);
  expect(world.replicas()).toBe(2);
  expect(world.state('satellites') ?? []).toEqual([]);
  expect(world.satellite()).toBeUndefined();
  expect(world.state('autoscaler_protection')).toBeUndefined();
  expect(world.protection()).toEqual([]);
}

describe('satellites', () => {
  it('stand in for the night, and are gone in the morning without a trace', async () => {
    const world = new World();
    await world.start();
    await world.pass(7 * minute);
    expectAsleep(world);
    expect(world.satellite()).toMatchObject({
      replicas: 1,
      template: {
        spec: { containers: [{ ports: [{ containerPort: 8081 }, { containerPort: 20_000, name: 'http' }] }] },
      },
    });
    const { writes } = world;
    const at = (text: string) => writes.findIndex((write) => write.includes(text));
    // Recorded, put up and redirected before anything was lowered.
    expect(at('svc-state')).toBeLessThan(at('POST /apis/apps/v1/namespaces/shop/deployments'));
    expect(at('POST /apis/apps')).toBeLessThan(at('PATCH /api/v1/namespaces/shop/services/web'));
    expect(at('/services/web')).toBeLessThan(at('PATCH /apis/apps/v1/namespaces/shop/deployments/web'));
    const quiet = writes.length;
    await world.pass(20 * minute);
    expect(writes.length).toBe(quiet);
    await world.pass(15 * minute);
    expectAwake(world);
  });

  it('are left out where something behind the service stays up', async () => {
    const world = new World({ resourceRules: { neverScale: [{ namespace: 'shop', name: 'web' }] } });
    await world.start();
    await world.pass(7 * minute);
    expect(world.service()).toEqual(day);
    expect(world.satellite()).toBeUndefined();
  });

  it('respect a selector that its owner changed in the night', async () => {
    const world = new World();
    await world.start();
    await world.pass(7 * minute);
    world.patchService({ selector: { app: 'other' } });
    await world.pass(7 * minute);
    expect(world.service().selector).toEqual({ app: 'other' });
    await world.pass(35 * minute);
    expect(world.service()).toEqual({ ...day, selector: { app: 'other' } });
    expect(world.state('satellites') ?? []).toEqual([]);
    expect(world.satellite()).toBeUndefined();
  });

  it('come down when the configuration no longer names the service', async () => {
    const world = new World();
    await world.start();
    await world.pass(7 * minute);
    const config = { clusterName: 'test', externalUrl: 'https://svc.example.com', workingHours };
    world.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'svc-config', namespace: 'svc' },
      data: { 'config.yaml': JSON.stringify(config) },
    });
    await world.pass(5 * minute);
    expect(world.service()).toEqual(day);
    expect(world.replicas()).toBe(0);
    expect(world.satellite()).toBeUndefined();
  });

  it('are put up again when the configuration names the service again before everything of the first was gone', async () => {
    const world = new World();
    await world.start();
    await world.pass(4 * minute);
    world.configure({ workingHours });
    // As far as the Service is its own again and its satellite is on its way out, while the record still stands.
    for (let ms = 0; ms < 1000 && world.satellite() !== undefined; ms += 1) await world.clock.advance(1);
    expect(world.service()).toEqual(day);
    expect(world.state('satellites')).toHaveLength(1);
    world.configure({
      workingHours,
      serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] },
    });
    await world.pass(minute);
    expectAsleep(world);
  });

  it('are handed back by a stand-down', async () => {
    const world = new World();
    await world.start();
    await world.pass(7 * minute);
    const config = {
      clusterName: 'test',
      externalUrl: 'https://svc.example.com',
      global: { enabled: false },
      serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] },
    };
    world.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'svc-config', namespace: 'svc' },
      data: { 'config.yaml': JSON.stringify(config) },
    });
    await world.pass(5 * minute);
    expectAwake(world);
    expect(world.state('stand_down')).toMatchObject({ handbackDone: true });
  });

  it('are handed back by a stand-down also where a redirect lands after it that nobody had answered', async () => {
    const world = new World();
    await world.start();
    world.landsAfterMs = 20_000;
    world.onRedirect = () => {
      world.onRedirect = () => {};
      world.configure({ workingHours, ...redirecting, global: { enabled: false } });
      // What follows is answered.
      world.clock.after(1, () => {
        world.landsAfterMs = 0;
      });
    };
    await world.pass(6 * minute);
    expect([world.landsAfterMs, world.handedBackAsItLands]).toEqual([0, [false]]);
    expect(world.state('stand_down')).toMatchObject({ handbackDone: true });
    expectAwake(world);
  });

  it.each([
    ['names it', true],
    ['no longer names it', false],
  ])(
    'that cannot be taken back leave no success behind: the wake names the service, while the configuration %s',
    async (_, named) => {
      const world = new World();
      await world.start();
      await world.pass(7 * minute);
      const disarm = world.cluster.api.faults.add({
        match: ({ resource, verb }) => resource === 'services' && verb === 'patch',
        effect: { kind: 'fail', status: 403 },
      });
      if (!named) world.configure({ workingHours });
      await world.pass(30 * minute);
      expect(world.replicas()).toBe(2);
      expect(world.service()).toEqual(night);
      expect(world.audit('Wake Complete')).toMatchObject([
        { result: 'incomplete', completeness: 'incomplete', details: { still_redirected: ['shop/web'] } },
      ]);
      disarm();
      await world.pass(2 * minute);
      expectAwake(world);
    },
  );

  it('that are taken back at the second try cost the wake its time, not its success', async () => {
    const world = new World();
    await world.start();
    await world.pass(7 * minute);
    world.cluster.api.faults.add({
      match: ({ resource, verb }) => resource === 'services' && verb === 'patch',
      effect: { kind: 'fail', status: 403 },
      times: 2,
    });
    await world.pass(35 * minute);
    expectAwake(world);
    expect(world.audit('Wake Complete')).toMatchObject([{ result: 'success', completeness: 'complete' }]);
  });

  it('are found by their mark when the record was lost', async () => {
    const world = new World();
    await world.start();
    await world.pass(7 * minute);
    const state = world.cluster.store.get('configmaps', 'svc', 'svc-state')!;
    const { satellites: _lost, ...data } = state['data'] as Record<string, string>;
    world.cluster.store.update('configmaps', { ...state, data });
    await world.pass(35 * minute);
    expect(world.service()).toEqual(day);
  });

  it('survive a crash after any write of the night and of the morning', async () => {
    const whole = new World();
    await whole.start();
    await whole.pass(42 * minute);
    const count = whole.writes.length;
    expect(count).toBeGreaterThan(10);
    for (let dieAfter = 1; dieAfter <= count; dieAfter++) {
      const world = new World();
      world.dieAfter = dieAfter;
      await world.start();
      await world.pass(7 * minute);
      expectAsleep(world);
      await world.pass(35 * minute);
      expectAwake(world);
    }
  });
});
