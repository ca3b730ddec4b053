import { ClusterAdmissionFacts } from '../adapters/cluster/admission-facts.ts';
import { AuditConfigMaps } from '../adapters/cluster/audit-config-maps.ts';
import { KubernetesClusterView } from '../adapters/cluster/cluster-view.ts';
import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { ConfigMapWatch } from '../adapters/cluster/config-map-watch.ts';
import { NamespaceEvents } from '../adapters/cluster/namespace-events.ts';
import { KubernetesWorkloadWriter } from '../adapters/cluster/workload-writer.ts';
import { internalFrames } from '../adapters/internal-frames/internal-frames.ts';
import { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../adapters/kubernetes/client/token-bucket.ts';
import { projections } from '../adapters/kubernetes/projection/projections.ts';
import { findAccess } from '../adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../adapters/kubernetes/transport/https-transport.ts';
import type { Config } from '../config/config.ts';
import { durationMs } from '../domain/duration.ts';
import type { LicenseSource } from '../domain/license/check.ts';
import { communityLicense, communityPublicKey } from '../domain/license/community.ts';
import { configMaps, fieldManager } from '../domain/names.ts';
import type { WakeFigures } from '../domain/wake/figures.ts';
import { ConfigSource } from '../platform/config-source.ts';
import { serveHealth, serveMetrics } from '../platform/health-server.ts';
import { verifyLicenseSignature } from '../platform/license-keys.ts';
import { createLogger } from '../platform/logger.ts';
import { LoopPulse } from '../platform/loop-liveness.ts';
import { portVariable, variable } from '../platform/process-environment.ts';
import { cryptographicRandom } from '../platform/random.ts';
import { installShutdown } from '../platform/shutdown.ts';
import { systemClock } from '../platform/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Databases } from '../ports/databases.ts';
import type { HostingClusters } from '../ports/hosting-clusters.ts';
import type { Logger } from '../ports/logger.ts';
import type { Notifier } from '../ports/notifier.ts';
import type { Random } from '../ports/random.ts';
import type { FrameSink } from '../ports/records.ts';
import type { Transport } from '../ports/transport.ts';
import type { Companion } from './beside/companion.ts';
import { Controller } from './controller.ts';
import { controllerFeatures, type FeatureOptions } from './main-features.ts';
import { ControllerMetrics } from './metrics.ts';
import { sayConfigRefusal } from './notifications/alerts.ts';
import type { ControllerPorts } from './ports.ts';
import { standDownAndWait } from './stops/uninstall.ts';

export interface ControllerOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly namespace: string;
  readonly frames?: FrameSink;
  readonly notifier?: Notifier;
  readonly databases?: Databases;
  readonly companions?: readonly Companion[];
  readonly hosts?: HostingClusters;
  /** Notifications, databases, satellites, savings and hosting clusters as the configuration asks; left out, none of them. */
  readonly features?: Pick<FeatureOptions, 'env' | 'mailer'>;
  readonly figures?: WakeFigures;
  readonly requestTimeoutMs?: number;
  /** Client limits other than the configuration's: for benchmarks. */
  readonly rate?: { readonly qps: number; readonly burst: number };
  /** Hears of each configuration in force, the first included. */
  readonly onConfig?: (config: Config) => void;
}

export interface RunningController {
  readonly metrics: ControllerMetrics;
  /** False when the loop hangs, which only a restart would end. */
  alive(): boolean;
  readonly ports: ControllerPorts;
  /** True once every cache is filled and passes run. */
  ready(): boolean;
  stop(): Promise<void>;
}

/** Wires the controller to a cluster and starts it. Rejects with `InvalidConfiguration` when it must not start. */
export async function startController(options: ControllerOptions): Promise<RunningController> {
  const { clock, random, logger, namespace } = options;
  const limiter = new TokenBucket(clock, options.rate ?? { qps: 150, burst: 200 });
  const client = new KubeClient({
    transport: options.transport,
    clock,
    random,
    limiter,
    userAgent: fieldManager,
    fieldManager,
    logger,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
  });
  const watch = (name: string, versionOnly = false) =>
    new ConfigMapWatch({ client, namespace, name, versionOnly, clock, random, logger });

  const configWatch = await watch(configMaps.config).start();
  const config = new ConfigSource(configWatch.current()?.data, logger);
  const inForce = (current: Config) => {
    if (options.rate === undefined) {
      limiter.configure({ qps: current.controller.kubernetesQPS, burst: current.controller.kubernetesBurst });
    }
    options.onConfig?.(current);
  };
  inForce(config.current());
  configWatch.onChange((configMap) => config.reload(configMap?.data));

  const licenseWatch = watch(configMaps.license);
  const stateWatch = watch(configMaps.state, true);
  const state = new ConfigMapStateStore(client, { namespace, name: configMaps.state });
  stateWatch.onChange((configMap) => state.heardOfVersion(configMap?.resourceVersion));

  const project = projections();
  const view = new KubernetesClusterView({ client, projections: project, clock, random, logger });
  const metrics = new ControllerMetrics();
  const pulse = new LoopPulse(clock);
  const frames = options.frames ?? { send() {} };
  const features =
    options.features === undefined
      ? undefined
      : controllerFeatures({
          ...options.features,
          client,
          namespace,
          clock,
          random,
          logger,
          frames,
          metrics,
          config: () => config.current(),
        });
  const hosts = options.hosts ?? features?.hosts;
  const ports: ControllerPorts = {
    clock,
    random,
    logger,
    view,
    writer: pulse.through(
      new KubernetesWorkloadWriter(client, project, (workload) => view.noteAnswer(workload), namespace),
    ),
    state: pulse.through(state),
    audit: new AuditConfigMaps(client, namespace),
    events: new NamespaceEvents({ client, clock, logger, releaseNamespace: namespace, component: fieldManager }),
    frames,
    notifier: options.notifier ?? features?.notifier ?? { async notify() {}, condition() {} },
    databases: options.databases ?? features?.databases ?? noDatabases,
    admission: new ClusterAdmissionFacts(client, logger),
    companions: options.companions ?? features?.companions ?? [],
    metrics,
    ownNamespace: namespace,
    config: () => config.current(),
    license: {
      source: () => licenseSource(licenseWatch),
      authority: { publicKeys: [communityPublicKey], builtIn: communityLicense, verify: verifyLicenseSignature },
    },
    holidays: () => features?.holidays.off(config.current().holidays) ?? noHolidays,
    ...(hosts === undefined ? {} : { hosts }),
    async afterPass(context) {
      await features?.accountant.observe(context);
      pulse.end();
    },
    ...(options.figures === undefined ? {} : { figures: options.figures }),
  };
  const controller = new Controller(ports);
  const loadHolidays = async ({ holidays }: Config) => {
    const problems = (await features?.holidays.load(holidays.regions)) ?? [];
    for (const problem of problems) logger.warn('A holiday region is not known', { problem });
    controller.reconsider();
  };
  void loadHolidays(config.current());
  config.onChange((current) => {
    inForce(current);
    metrics.configRefused.set(config.refusal === undefined ? 0 : 1);
    sayConfigRefusal(ports.notifier, config.refusal, clock.now());
    controller.reconsider();
    void loadHolidays(current);
  });
  licenseWatch.onChange(() => controller.reconsider());
  controller.start();
  const started = Promise.all([view.start(), licenseWatch.start(), stateWatch.start()]);
  void started.then(() => controller.reconsider());
  return {
    metrics,
    ports,
    alive: () => pulse.alive(durationMs(config.current().controller.reconcileInterval)),
    ready: () => view.synced() && licenseWatch.synced,
    async stop() {
      for (const one of [configWatch, licenseWatch, stateWatch]) one.stop();
      await controller.stop();
      await features?.stop();
      view.stop();
    },
  };
}

/** An absent ConfigMap is no licence; one that cannot be read leaves open whether there is one. */
function licenseSource(watch: ConfigMapWatch): LicenseSource | null {
  if (!watch.synced) return null;
  const text = watch.current()?.data['license'];
  if (text !== undefined) return { found: 'text', text };
  return watch.error === undefined ? { found: 'nothing' } : { found: 'unreadable', message: String(watch.error) };
}

const noHolidays: readonly never[] = [];

const noDatabases: Databases = {
  read: async () => ({ condition: 'unknown', message: 'no cloud is configured' }),
  stop: async () => ({ outcome: 'refused', status: 0, message: 'no cloud is configured' }),
  start: async () => ({ outcome: 'refused', status: 0, message: 'no cloud is configured' }),
};

/** The process itself: access to the cluster, probes, metrics, signals. */
async function runProcess(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const clock = systemClock;
  const logger = createLogger({ process: 'controller' });
  const shutdown = installShutdown(clock, logger, () => 30_000);
  const access = await findAccess({ env, clock });
  const transport = new HttpsTransport({ access, clock });
  const namespace = variable(env, 'POD_NAMESPACE') ?? access.namespace;
  const random = cryptographicRandom;
  if (args[0] === 'uninstall') {
    const limiter = new TokenBucket(clock, { qps: 10, burst: 10 });
    const client = new KubeClient({
      transport,
      clock,
      random,
      limiter,
      userAgent: fieldManager,
      fieldManager,
      requestTimeoutMs: 30_000,
    });
    const state = new ConfigMapStateStore(client, { namespace, name: configMaps.state });
    const timeout = args[args.indexOf('--timeout') + 1];
    process.exit(
      await standDownAndWait({ state, clock, logger }, args.includes('--timeout') && timeout ? timeout : '10m'),
    );
  }
  let running: RunningController | undefined;
  const health = await serveHealth(portVariable(env, 'HEALTH_PORT', 8081), {
    alive: () => running?.alive() ?? true,
    ready: () => (running?.ready() ? { ready: true } : { ready: false, reason: 'the caches are being filled' }),
  });
  shutdown.onStop('health', () => void health.close());
  const frames = internalFrames(env, logger);
  running = await startController({
    transport,
    clock,
    random,
    logger,
    namespace,
    ...(frames === undefined ? {} : { frames }),
    features: { env },
    onConfig: (config) => logger.setLevel(config.operations.logLevel),
  });
  const { metrics, stop } = running;
  const metricsServer = await serveMetrics(portVariable(env, 'METRICS_PORT', 9090), () => metrics.render());
  shutdown.onStop('metrics', () => void metricsServer.close());
  shutdown.onStop('controller', stop);
  logger.info('Controller started', { namespace });
}

if (import.meta.main) {
  runProcess(process.env, process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
