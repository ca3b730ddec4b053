import { ClusterAdmissionFacts } from '../../../src/adapters/cluster/admission-facts.ts';
import { AuditConfigMaps } from '../../../src/adapters/cluster/audit-config-maps.ts';
import { KubernetesClusterView } from '../../../src/adapters/cluster/cluster-view.ts';
import { ConfigMapWatch } from '../../../src/adapters/cluster/config-map-watch.ts';
import { ManagedStateStore } from '../../../src/adapters/cluster/managed-state-store.ts';
import { KubernetesServices } from '../../../src/adapters/cluster/service-writer.ts';
import { StatePartsWatch } from '../../../src/adapters/cluster/state-parts-watch.ts';
import { KubeClient } from '../../../src/adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../../../src/adapters/kubernetes/client/token-bucket.ts';
import { projections } from '../../../src/adapters/kubernetes/projection/projections.ts';
import type { Config } from '../../../src/config/config.ts';
import { satelliteSettingsFrom } from '../../../src/controller/beside/satellite-settings.ts';
import { Satellites } from '../../../src/controller/beside/satellites.ts';
import { Controller } from '../../../src/controller/controller.ts';
import { controllerAdapters } from '../../../src/controller/main-adapters.ts';
import type { ControllerMetrics } from '../../../src/controller/metrics/metrics.ts';
import type { ControllerPorts } from '../../../src/controller/pass/ports.ts';
import { noHolidays } from '../../../src/domain/holiday/regional-holidays.ts';
import type { LicenseSource } from '../../../src/domain/license/check.ts';
import { configMaps, fieldManager } from '../../../src/domain/names.ts';
import type { Notice } from '../../../src/domain/notification/notice.ts';
import { standardFigures } from '../../../src/domain/wake/verdict/figures.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Databases } from '../../../src/ports/databases.ts';
import type { Logger } from '../../../src/ports/logger.ts';
import type { Notifier } from '../../../src/ports/notifier.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { Frame } from '../../../src/ports/sinks.ts';
import type { Transport } from '../../../src/ports/transport.ts';
import { type CompiledConfig, compileConfig } from '../../../src/service/compiled-config.ts';
import { shippedAuthority } from '../../../src/service/license-source.ts';
import { type PartSizes, partSizes } from '../../../src/state/parts/state-part.ts';
import { asShipped } from '../../support/as-shipped.ts';
import { type FaultPlan, FaultyTransport } from './faulty-transport.ts';
import { Life } from './life.ts';
import { RememberingNotifier } from './remembering-notifier.ts';
import { releaseNamespace } from './shipped-controller.ts';

export { releaseNamespace };

export interface ProcessOptions {
  readonly transport: Transport;
  readonly faults: FaultPlan;
  readonly clock: Clock;
  /** The pace of watches; see `PacedClock`. */
  readonly watchClock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly config: () => Config;
  readonly license: () => LicenseSource | null;
  readonly metrics: ControllerMetrics;
  readonly notice?: (notice: Notice) => void;
  /** The real one, or another that remembers more; `notice` then hears nothing. */
  readonly notifier?: Notifier;
  readonly frame?: (frame: Frame) => void;
  readonly databases?: Databases;
  /** Whether the installation has satellites; `without image`: redirection was off when it was started. */
  readonly redirects?: boolean | 'without image';
  /** Smaller than in production: then a handful of workloads outgrows `svc-state`. */
  readonly partSizes?: PartSizes;
}

/** One life of the controller, wired to a cluster as its `main.ts` does, that can be killed where it stands. */
export class ControllerProcess {
  readonly ports: ControllerPorts;
  readonly #controller: Controller;
  readonly #stopAdapters: () => void;
  readonly #watchKinds: () => void;
  readonly #life: Life;

  constructor(options: ProcessOptions) {
    const { clock, watchClock, random, logger, metrics } = options;
    const onRestored = asShipped.restored;
    this.#life = new Life(clock);
    const client = new KubeClient({
      transport: new FaultyTransport({
        inner: options.transport,
        clock,
        plan: options.faults,
        life: this.#life,
        latency: () => 0,
      }),
      clock,
      random,
      limiter: new TokenBucket(clock, { qps: 150, burst: 200 }),
      userAgent: fieldManager,
      fieldManager,
      logger,
      requestTimeoutMs: 30_000,
    });
    const project = projections(() => compiledOf(options.config()).kinds);
    const view = new KubernetesClusterView({
      client,
      projections: project,
      onRestored,
      clock: watchClock,
      random,
      logger,
    });
    this.#watchKinds = () => view.watchKinds(compiledOf(options.config()).kinds);
    this.#watchKinds();
    const sizes = options.partSizes ?? partSizes;
    const namespace = releaseNamespace;
    const state = new ManagedStateStore({ client, namespace, logger, collects: true, sizes });
    const partsWatch = new StatePartsWatch({ client, namespace, state, onRestored, clock: watchClock, random, logger });
    const stateWatch = new ConfigMapWatch({
      client,
      namespace: releaseNamespace,
      name: configMaps.state,
      versionOnly: true,
      onRestored,
      clock: watchClock,
      random,
      logger,
    });
    stateWatch.onChange((configMap) => state.heardOfVersion(configMap?.resourceVersion));
    this.ports = {
      clock,
      random,
      logger,
      view,
      ...controllerAdapters({ client, projections: project, view, clock, logger, ownNamespace: releaseNamespace }),
      state,
      audit: new AuditConfigMaps(client, releaseNamespace),
      frames: { send: (frame) => options.frame?.(frame) },
      notifier: options.notifier ?? new RememberingNotifier((notice) => options.notice?.(notice)),
      databases: whileAlive(options.databases ?? noDatabases, () => this.alive),
      admission: new ClusterAdmissionFacts(client, logger),
      companions: options.redirects
        ? [
            new Satellites({
              services: new KubernetesServices(client),
              settings: options.redirects === true ? satelliteSettings : () => undefined,
            }),
          ]
        : [],
      metrics,
      ownNamespace: releaseNamespace,
      config: options.config,
      compiled: () => compiledOf(options.config()),
      license: { source: options.license, authority: shippedAuthority },
      hosts: { off: 'the simulation has no hosting clusters' },
      afterPass: async () => {},
    };
    this.#controller = new Controller(this.ports, { longestTimerMs: 600_000 });
    this.#stopAdapters = () => {
      view.stop();
      stateWatch.stop();
      partsWatch.stop();
    };
    this.#controller.start();
    void Promise.all([view.start(), stateWatch.start(), partsWatch.start()]).then(() => this.reconsider());
  }

  get alive(): boolean {
    return this.#life.alive;
  }

  /** As `main.ts` does when the configuration has changed, and as passes are asked for. */
  reconsider(): void {
    if (!this.alive) return;
    this.#watchKinds();
    this.#controller.reconsider();
  }

  /** It ends as it should: the pass under way runs to its end. */
  async stop(): Promise<void> {
    this.#stopAdapters();
    await this.#controller.stop(true);
  }

  /** Nothing of it reaches the cluster from now on. */
  kill(): void {
    if (!this.alive) return;
    this.#life.end();
    this.#stopAdapters();
    void this.#controller.stop(true);
  }
}

const satelliteSettings = satelliteSettingsFrom({ SATELLITE_IMAGE: 'registry.example.com/satellite:1' });

/** One for every life: the same configuration is compiled once. */
const compiled = new WeakMap<Config, CompiledConfig>();

function compiledOf(config: Config): CompiledConfig {
  let known = compiled.get(config);
  if (known === undefined) {
    known = compileConfig(config, {
      ownNamespace: releaseNamespace,
      holidays: noHolidays,
      figures: standardFigures,
    });
    compiled.set(config, known);
  }
  return known;
}

/** A process that died calls no cloud any more, and hears no answer. */
function whileAlive(databases: Databases, alive: () => boolean): Databases {
  const gate = async <T>(call: () => Promise<T>): Promise<T> => {
    const answer = alive() ? await call() : undefined;
    return answer !== undefined && alive() ? answer : new Promise<never>(() => {});
  };
  return {
    read: (...given) => gate(() => databases.read(...given)),
    stop: (...given) => gate(() => databases.stop(...given)),
    start: (...given) => gate(() => databases.start(...given)),
  };
}

const noDatabases: Databases = {
  read: async () => ({ condition: 'unknown' }),
  stop: async () => ({ outcome: 'done' }),
  start: async () => ({ outcome: 'done' }),
};
