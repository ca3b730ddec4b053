import type { AddressInfo } from 'node:net';
import { findAccess } from '../adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../adapters/kubernetes/transport/https-transport.ts';
import { smtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { HttpClient } from '../adapters/outbound/http-client.ts';
import type { Config } from '../config/config.ts';
import { durationMs } from '../domain/duration.ts';
import { standardFigures } from '../domain/wake/verdict/figures.ts';
import { serveHealth, serveMetrics } from '../platform/health-server.ts';
import { listenAnywhere } from '../platform/listen-anywhere.ts';
import { createLogger } from '../platform/logger.ts';
import { portVariable, secretVariable, variable } from '../platform/process-environment.ts';
import { cryptographicRandom } from '../platform/random.ts';
import { afterRestore, installShutdown } from '../platform/shutdown.ts';
import { systemClock } from '../platform/system-clock.ts';
import { atMost, type Clock } from '../ports/clock.ts';
import type { Mailer } from '../ports/mailer.ts';
import { shippedAuthority } from '../service/license-source.ts';
import { connectService, type ServiceOptions } from '../service/service.ts';
import { type PartSizes, partSizes } from '../state/parts/state-part.ts';
import { type Api, type ApiSettings, createApi } from './api.ts';
import type { ApiSecrets, Outbound } from './call/ports.ts';
import { MailQueue } from './mail/mail-queue.ts';
import { type ApiFeatureBase, type ApiFeatures, apiFeatures } from './main-features.ts';

const apiFieldManager = 'svc-api';
/** Of the time after which the process is ended without a word; what could not be done by then is still told. */
const shareOfShutdown = 0.9;

/** How long a start waits for what it can do without. */
const keptAtStartMs = 5_000;

export interface ApiOptions
  extends ApiSettings,
    Pick<
      ServiceOptions,
      'transport' | 'clock' | 'random' | 'logger' | 'namespace' | 'authority' | 'inForce' | 'restored'
    > {
  readonly secrets: ApiSecrets;
  /** 0 picks a free one; left out, nothing is listened on and requests are injected. */
  readonly port?: number;
  readonly host?: string;
  readonly version: string;
  mailer(config: () => Config): Mailer;
  readonly outbound: Outbound;
  /** Savings, costs, test notifications and external wake. */
  features(base: ApiFeatureBase): ApiFeatures;
  readonly requestTimeoutMs?: number;
  /** The pace of watches, where it is not the clock's own. */
  readonly watchClock?: Clock;
  /** Other sizes of the state's ConfigMaps: for tests that outgrow them soon. */
  readonly partSizes?: PartSizes;
}

export interface RunningApi {
  readonly api: Api;
  /** Where it listens; empty when it does not. */
  readonly url: string;
  ready(): boolean;
  stop(): Promise<void>;
}

/** Wires the API to a cluster and starts it. Rejects with `InvalidConfiguration` when it must not start. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const service = await connectService({
    ...options,
    account: apiFieldManager,
    watchClock: options.watchClock ?? options.clock,
    // It may create them, and the controller removes what is left over.
    collectsParts: false,
    partSizes: options.partSizes ?? partSizes,
    requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
    figures: standardFigures,
    refusedAtStart: 'stops',
    rate: ({ api: { kubernetesQPS, kubernetesBurst } }) => ({ qps: kubernetesQPS, burst: kubernetesBurst }),
  });
  const { outbound, secrets, version } = options;
  const mails = new MailQueue(options.mailer(service.config), options.logger);
  const { features, start, stop } = options.features({
    service,
    mailer: mails.mailerFor('notification'),
    sizeGauge: { set: (labels, bytes) => api.metrics.parameterBytes.set(labels, bytes) },
  });
  const api = createApi({ ...service, mails, outbound, features, version, secrets }, options);
  // Who need not sign in is answered from what is kept of these; what cannot be read keeps nobody from the rest.
  const kept = Promise.all([service.passkeys.keep(), service.insights.keep()]);
  await service.fill().inputs;
  await atMost(options.clock, keptAtStartMs, kept);
  // After them: a cluster that answers late would else sign everybody out for the moment.
  await api.prepare();
  const url = await listen(api, options);
  api.start();
  start();
  return {
    api,
    url,
    ready: () => service.view.synced(),
    async stop() {
      stop();
      await api.stop(durationMs(service.config().api.shutdownTimeout) * shareOfShutdown);
      service.stop();
    },
  };
}

async function listen({ server }: Api, { port, host }: ApiOptions): Promise<string> {
  if (port === undefined) {
    await server.app.ready();
    return '';
  }
  if (host === undefined) await listenAnywhere((everywhere) => server.app.listen({ port, host: everywhere }));
  else await server.app.listen({ port, host });
  const { port: actual } = server.app.server.address() as AddressInfo;
  return `http://127.0.0.1:${actual}`;
}

/** The process itself: access to the cluster, secrets, probes, metrics, signals. */
async function runProcess(env: NodeJS.ProcessEnv): Promise<void> {
  const clock = systemClock;
  const logger = createLogger({ process: 'api' });
  let timeoutMs = 30_000;
  const shutdown = installShutdown(clock, logger, () => timeoutMs);
  const access = await findAccess({ env, clock });
  let running: RunningApi | undefined;
  const health = await serveHealth(portVariable(env, 'HEALTH_PORT', 8081), {
    alive: () => true,
    ready: () => (running?.ready() ? { ready: true } : { ready: false, reason: 'the caches are being filled' }),
  });
  shutdown.onStop('health', () => void health.close());
  running = await startApi({
    transport: new HttpsTransport({ access, clock }),
    clock,
    random: cryptographicRandom,
    logger,
    namespace: variable(env, 'POD_NAMESPACE') ?? access.namespace,
    authority: shippedAuthority,
    secrets: { jwt: secret(env, 'JWT_SECRET'), internalApi: secretVariable(env, 'INTERNAL_API_SECRET') },
    port: portVariable(env, 'PORT', 8080),
    trustedProxies: (variable(env, 'TRUSTED_PROXIES') ?? '').split(',').flatMap((entry) => entry.trim() || []),
    version: variable(env, 'SVC_VERSION') ?? 'development',
    mailer: smtpMailer(env),
    outbound: new HttpClient(),
    features: (base) => apiFeatures(base, env),
    inForce: (config) => {
      logger.setLevel(config.operations.logLevel);
      timeoutMs = durationMs(config.api.shutdownTimeout);
    },
    restored: () => shutdown.request(afterRestore),
  });
  const { api, stop, url } = running;
  shutdown.onStop('api', stop);
  const metrics = await serveMetrics(portVariable(env, 'METRICS_PORT', 9090), () => api.metrics.render());
  shutdown.onStop('metrics', () => void metrics.close());
  logger.info('API started', { url });
}

function secret(env: NodeJS.ProcessEnv, name: string): string {
  const value = variable(env, name);
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

if (import.meta.main) {
  runProcess(process.env).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
