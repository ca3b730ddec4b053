import { Registry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { ControllerWorld, controllerIdentity, releaseNamespace } from '../../../test/support/controller-world.ts';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { ConfigMapStateStore } from '../../adapters/cluster/config-map-state-store.ts';
import { LedgerInsights } from '../../adapters/insights/ledger-insights.ts';
import { KubeClient } from '../../adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../adapters/kubernetes/client/token-bucket.ts';
import { configMaps, fieldManager } from '../../domain/names.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import { StateSession } from '../../state/session/state-session.ts';
import type { StateStore } from '../../state/state-store.ts';
import { gather } from '../snapshot/snapshot.ts';
import { InsightsAccountant } from './insights-accountant.ts';

const hour = 3_600_000;
/** A monday, 12:00 in UTC; the cluster sleeps from 20:00 to 08:00 in Berlin, which is 19:00 to 07:00 here. */
const noon = Date.UTC(2026, 0, 5, 12);

describe('the books on savings', () => {
  let world: ControllerWorld;
  let store: CountingStore;
  let accountant: InsightsAccountant;
  let registry: Registry;
  let usualArchitecture: 'amd64' | 'arm64' = 'amd64';

  beforeEach(async () => {
    world = new ControllerWorld({ startAt: noon });
    world.cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      deployment('cart', 3, { cpu: '500m', memory: '1Gi' }),
      deployment('zero', 0, { cpu: '4', memory: '8Gi' }),
      deployment('plain', 2, undefined),
    ]);
    await world.startController();
    await world.clock.advance(5_000);
    store = new CountingStore(world);
    restart();
  });

  let log = new RecordingLogger();

  function restart(): void {
    log = new RecordingLogger();
    registry = new Registry();
    accountant = new InsightsAccountant({
      store,
      clock: world.clock,
      logger: log,
      registry,
      usualArchitecture,
    });
  }

  async function observe(): Promise<void> {
    const { state, view } = world.ports;
    const compiled = world.ports.compiled();
    await accountant.observe({ session: await StateSession.open(state), compiled, snapshot: gather(view, compiled) });
  }

  /** Passes of the controller as they come: one a quarter of an hour. */
  async function until(hours: number): Promise<void> {
    while (world.clock.now() < noon + hours * hour) {
      await world.clock.advance(Math.min(hour / 4, noon + hours * hour - world.clock.now()));
      await observe();
    }
  }

  const report = async () => {
    const reading = await new LedgerInsights(store, () => world.config).read();
    if (!reading.available) throw new Error(reading.message);
    return reading.report;
  };

  it('counts a night: what slept, what the schedule had planned, and nothing that was at zero before', async () => {
    await until(20);
    const { totals, namespaces, asleepHours, plannedAsleepHours, days } = await report();
    // cart asks for 3 × 0.5 cores and 3 GiB, plain for 2 × the defaults: 2 cores and 4 GiB in all, for twelve hours.
    expect(totals.saved.coreHours).toBeCloseTo(24, 1);
    expect(totals.planned.coreHours).toBeCloseTo(24, 1);
    expect(totals.saved.memoryGBHours).toBeCloseTo(48, 1);
    // By day only the first look and the evening are written: the hour since the morning is not in the books yet.
    expect(totals.ran.coreHours).toBeCloseTo(13.5, 1);
    expect(asleepHours).toBeCloseTo(12, 1);
    expect(plannedAsleepHours).toBeCloseTo(12, 1);
    expect(namespaces.map(({ namespace }) => namespace)).toEqual(['shop']);
    expect(days.map(({ date, saved }) => [date, Math.round(saved.coreHours)])).toEqual([
      ['2026-01-05', 8],
      ['2026-01-06', 16],
    ]);
    const metric = (await registry.getSingleMetric('svc_saved_core_hours_total')?.get())?.values[0]?.value;
    expect(metric).toBeCloseTo(totals.saved.coreHours, 1);
  });

  it('are not written in a dry run, which leaves nothing behind', async () => {
    world.reconfigure({ operations: { dryRun: true } });
    await until(20);
    expect(world.cluster.store.get('configmaps', releaseNamespace, configMaps.insights)).toBeUndefined();
  });

  it('counts cores by the kind of node that a template asks for, and the rest as ours', async () => {
    const selector = { nodeSelector: { 'kubernetes.io/arch': 'arm64' } };
    world.cluster.apply([deployment('small', 4, { cpu: '500m', memory: '1Gi' }, selector)]);
    await until(20);
    const cores = async () => {
      const inputs = (await report()).formula.flatMap((one) => one.inputs);
      return ['coreHoursAmd64', 'coreHoursArm64'].map((name) =>
        Math.round(inputs.find((input) => input.name === name)?.value ?? -1),
      );
    };
    // small: 4 × 0.5 cores for twelve hours; the others as above.
    expect(await cores()).toEqual([24, 24]);
    usualArchitecture = 'arm64';
    restart();
    usualArchitecture = 'amd64';
    await until(44);
    expect(await cores()).toEqual([24, 72]);
  });

  it('loses nothing and counts nothing twice when the process dies in the night', async () => {
    await until(10);
    restart();
    await until(10.25);
    restart();
    await world.clock.advance(3 * hour);
    await observe();
    await until(20);
    const { totals, asleepHours } = await report();
    expect(totals.saved.coreHours).toBeCloseTo(24, 1);
    // A pass falls on the very edge here, when the wake has only begun; the next look is a quarter of an hour later.
    expect(asleepHours).toBeCloseTo(12, 0);
  });

  it('tells when the cluster slept', async () => {
    await until(20);
    const [night, ...more] = await new LedgerInsights(store, () => world.config).nights();
    expect(more).toEqual([]);
    expect(((night?.to ?? 0) - (night?.from ?? 0)) / hour).toBeCloseTo(12, 1);
  });

  it('writes at most once an hour while nothing changes, and not at all by day', async () => {
    await until(6);
    expect(store.writes).toBe(1);
    await until(7.5);
    const before = store.writes;
    await until(17.5);
    expect(store.writes - before).toBeLessThanOrEqual(11);
    await until(20);
    const after = store.writes;
    await until(30);
    expect(store.writes).toBe(after);
  });

  it('does not count a clock that was set ahead as hours saved', async () => {
    await until(10);
    world.clock.jumpWallClock(3 * hour);
    await observe();
    await until(20);
    // Three of the twelve hours never happened.
    expect((await report()).totals.saved.coreHours).toBeCloseTo(18, 1);
  });

  it('leaves books alone that it cannot decode, and says so', async () => {
    await until(10);
    const stored = await store.read();
    await store.write(stored, { '2026-01': 'no ledger' });
    restart();
    const writes = store.writes;
    await until(12);
    expect(store.writes).toBe(writes);
    expect(await new LedgerInsights(store, () => world.config).read()).toMatchObject({
      available: false,
      message: 'The books of 2026-01 in ConfigMap svc-insights cannot be decoded',
    });
  });

  it('waits without a word or a read while the state cannot be decoded, and goes on when it is repaired', async () => {
    await until(8);
    const { state } = world.ports;
    const before = await state.read();
    await state.write(before, { resource_states: 'nothing that is JSON' });
    restart();
    const reads = store.reads;
    await until(10);
    expect(log.lines).toEqual([]);
    expect(store.reads).toBe(reads);
    await state.write(await state.read(), { resource_states: before.data['resource_states'] });
    await until(20);
    expect((await report()).totals.saved.coreHours).toBeCloseTo(24, 0);
  });

  it('keeps no books while it is off', async () => {
    world.reconfigure({ insights: { enabled: false } });
    await until(20);
    expect(store.writes).toBe(0);
    expect(await new LedgerInsights(store, () => world.config).read()).toEqual({
      enabled: false,
      available: false,
      message: 'config.insights.enabled is false',
      report: null,
    });
  });

  it('never throws when its ConfigMap cannot be read or written', async () => {
    store.broken = true;
    await until(10);
    store.broken = false;
    await until(20);
    expect((await report()).totals.saved.coreHours).toBeLessThanOrEqual(24.1);
  });
});

/** The real store on the embedded cluster, counted, and broken on request. */
class CountingStore implements StateStore {
  writes = 0;
  reads = 0;
  broken = false;
  readonly #inner: ConfigMapStateStore;

  constructor({ cluster, clock }: ControllerWorld) {
    const client = new KubeClient({
      transport: cluster.transport(controllerIdentity),
      clock,
      random: seededRandom(5),
      limiter: new TokenBucket(clock, { qps: 150, burst: 200 }),
      userAgent: fieldManager,
      fieldManager,
      logger: silentLogger,
      requestTimeoutMs: 30_000,
    });
    this.#inner = new ConfigMapStateStore(client, { namespace: releaseNamespace, name: configMaps.insights });
  }

  read: StateStore['read'] = async () => {
    this.reads++;
    if (this.broken) throw new Error('configmaps is forbidden');
    return this.#inner.read();
  };

  write: StateStore['write'] = async (base, changes) => {
    this.writes++;
    return this.#inner.write(base, changes);
  };

  onChange: StateStore['onChange'] = (listener) => this.#inner.onChange(listener);
}

function deployment(
  name: string,
  replicas: number,
  requests: Record<string, string> | undefined,
  pod: Record<string, unknown> = {},
) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...pod,
          containers: [
            { name: 'main', image: 'nginx', ...(requests === undefined ? {} : { resources: { requests } }) },
          ],
        },
      },
    },
  };
}
