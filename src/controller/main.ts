import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { internalFrames } from '../adapters/internal-frames/internal-frames.ts';
import type { Rate } from '../adapters/kubernetes/client/token-bucket.ts';
import { findAccess } from '../adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../adapters/kubernetes/transport/https-transport.ts';
import { smtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { configMaps, fieldManager } from '../domain/names.ts';
import { standardFigures, type WakeFigures } from '../domain/wake/verdict/figures.ts';
import { serveHealth, serveMetrics } from '../platform/health-server.ts';
import { createLogger } from '../platform/logger.ts';
import { LoopPulse } from '../platform/loop-liveness.ts';
import { takeRoom } from '../platform/node-flags.ts';
import { portVariable, variable } from '../platform/process-environment.ts';
import { cryptographicRandom } from '../platform/random.ts';
import { afterRestore, installShutdown } from '../platform/shutdown.ts';
import { spacedLogger } from '../platform/spaced-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { isOff, type Off } from '../ports/off.ts';
import type { FrameSink } from '../ports/sinks.ts';
import { connectClient } from '../service/connect-client.ts';
import { shippedAuthority } from '../service/license-source.ts';
import { connectService, type ServiceOptions } from '../service/service.ts';
import { type PartSizes, partSizes } from '../state/parts/state-part.ts';
import { Controller } from './controller.ts';
import type { LoopOptions } from './loop/loop.ts';
import { controllerAdapters } from './main-adapters.ts';
import { type ControllerFeatures, controllerFeatures, type FeatureBase } from './main-features.ts';
import { ControllerMetrics } from './metrics/metrics.ts';
import { setConfigRefusalCondition } from './notifications/alerts.ts';
import type { ControllerPorts } from './pass/ports.ts';
import { standDownAndWait } from './stops/uninstall.ts';

export interface ControllerOptions
  extends Pick<
    ServiceOptions,
    'transport' | 'clock' | 'random' | 'logger' | 'namespace' | 'authority' | 'inForce' | 'restored'
  > {
  /** The way to the api's event stream. */
  readonly frames: FrameSink | Off;
  /** Notifications, databases, satellites, savings and hosting clusters. */
  features(base: FeatureBase): ControllerFeatures;
  readonly figures?: WakeFigures;
  /** Another pace for the housekeeping of watches: for weeks of virtual time. */
  readonly watchClock?: Clock;
  /** Other times of the loop: for weeks of virtual time, in which nobody sets the clock. */
  readonly loop?: LoopOptions;
  /** Other sizes of the state's ConfigMaps: for tests that outgrow them soon. */
  readonly partSizes?: PartSizes;
  readonly requestTimeoutMs?: number;
  /** Client limits other than the configuration's: for benchmarks. */
  readonly rate?: Rate;
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
  let isRestored = false;
  const service = await connectService({
    ...options,
    restored() {
      isRestored = true;
      options.restored();
    },
    logger: spacedLogger(options.logger, options.clock),
    account: fieldManager,
    watchClock: options.watchClock ?? options.clock,
    collectsParts: true,
    partSizes: options.partSizes ?? partSizes,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    figures: options.figures ?? standardFigures,
    refusedAtStart: 'stops',
    rate: ({ controller }) => options.rate ?? { qps: controller.kubernetesQPS, burst: controller.kubernetesBurst },
  });
  const { clock, logger } = service;
  const metrics = new ControllerMetrics();
  const pulse = new LoopPulse(clock);
  const frames = framesOf(options.frames, logger);
  const features = options.features({ service, frames, metrics });
  const adapters = controllerAdapters(service);
  const ports: ControllerPorts = {
    ...service,
    ...features,
    ...adapters,
    writer: pulse.through(adapters.writer),
    state: pulse.through(service.state),
    frames,
    metrics,
    async afterPass(pass) {
      await features.afterPass(pass);
      pulse.end();
    },
  };
  const controller = new Controller(ports, options.loop);
  service.onInputs(() => controller.reconsider());
  service.configuration.onChange(() => {
    const refusal = service.configuration.refusal();
    metrics.configRefused.set(refusal === undefined ? 0 : 1);
    setConfigRefusalCondition(ports.notifier, refusal, clock.now());
  });
  controller.start();
  const { cluster, inputs } = service.fill();
  void Promise.all([cluster, inputs]).then(() => controller.reconsider());
  return {
    metrics,
    ports,
    alive: () => pulse.alive(service.compiled().reconcileMs),
    ready: () => service.filled(),
    async stop() {
      await controller.stop(!isRestored);
      await features.stop();
      service.stop();
    },
  };
}

function framesOf(frames: FrameSink | Off, logger: Logger): FrameSink {
  if (!isOff(frames)) return frames;
  logger.info('The api is not told of progress', { why: frames.off });
  return { send() {} };
}

/** The process itself: access to the cluster, probes, metrics, signals. */
async function runProcess(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  takeRoom();
  const clock = systemClock;
  const logger = createLogger({ process: 'controller' });
  const shutdown = installShutdown(clock, logger, () => 30_000);
  const access = await findAccess({ env, clock });
  const transport = new HttpsTransport({ access, clock });
  const namespace = variable(env, 'POD_NAMESPACE') ?? access.namespace;
  const random = cryptographicRandom;
  if (args[0] === 'uninstall') {
    const access = { transport, clock, random, logger, account: fieldManager, requestTimeoutMs: 30_000 };
    const { client } = connectClient(access, { qps: 10, burst: 10 });
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
  running = await startController({
    transport,
    clock,
    random,
    logger,
    namespace,
    authority: shippedAuthority,
    frames: internalFrames(env, logger),
    features: (base) => controllerFeatures(base, { env, mailer: smtpMailer(env) }),
    inForce: (config) => logger.setLevel(config.operations.logLevel),
    restored: () => shutdown.request(afterRestore),
  });
  const { metrics, stop } = running;
  shutdown.onStop('controller', stop);
  const metricsServer = await serveMetrics(portVariable(env, 'METRICS_PORT', 9090), () => metrics.render());
  shutdown.onStop('metrics', () => void metricsServer.close());
  logger.info('Controller started', { namespace });
}

if (import.meta.main) {
  runProcess(process.env, process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
