import type { AddressInfo } from 'node:net';
import { parse as parseYaml } from 'yaml';
import { ClusterAdmissionFacts } from '../adapters/cluster/admission-facts.ts';
import { AuditConfigMaps } from '../adapters/cluster/audit-config-maps.ts';
import { KubernetesClusterView } from '../adapters/cluster/cluster-view.ts';
import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { ConfigMapWatch } from '../adapters/cluster/config-map-watch.ts';
import { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import { TokenBucket } from '../adapters/kubernetes/client/token-bucket.ts';
import { projections } from '../adapters/kubernetes/projection/projections.ts';
import { findAccess } from '../adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../adapters/kubernetes/transport/https-transport.ts';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { HttpClient } from '../adapters/outbound/http-client.ts';
import type { Config } from '../config/config.ts';
import { durationMs } from '../domain/duration.ts';
import type { LicenseAuthority, LicenseSource } from '../domain/license/check.ts';
import { communityLicense, communityPublicKey } from '../domain/license/community.ts';
import { configMaps } from '../domain/names.ts';
import type { HolidayOff } from '../domain/schedule/week.ts';
import { ConfigSource } from '../platform/config-source.ts';
import { serveHealth, serveMetrics } from '../platform/health-server.ts';
import { verifyLicenseSignature } from '../platform/license-keys.ts';
import { listenAnywhere } from '../platform/listen-anywhere.ts';
import { createLogger } from '../platform/logger.ts';
import { portVariable, secretVariable, variable } from '../platform/process-environment.ts';
import { cryptographicRandom } from '../platform/random.ts';
import { installShutdown } from '../platform/shutdown.ts';
import { systemClock } from '../platform/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Random } from '../ports/random.ts';
import type { Transport } from '../ports/transport.ts';
import { type Api, type ApiSettings, createApi } from './api.ts';
import { noFeatures } from './features.ts';
import { apiFeatures } from './main-features.ts';
import type { ApiPorts, ApiSecrets, Features, Outbound } from './ports.ts';

export const apiFieldManager = 'svc-api';
/** The key of `svc-config` that holds the chart's `branding` values, as YAML. */
export const brandingTextKey = 'branding.yaml';

export interface ApiOptions extends ApiSettings {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly namespace: string;
  readonly secrets: ApiSecrets;
  /** 0 picks a free one; left out, nothing is listened on and requests are injected. */
  readonly port?: number;
  readonly host?: string;
  readonly mailer: (config: () => Config) => Mailer;
  readonly outbound?: Outbound;
  /** Savings, costs, test notifications and external wake as the configuration asks; left out, none of them. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly features?: Partial<Features>;
  readonly holidays?: () => readonly HolidayOff[];
  readonly licenseAuthority?: LicenseAuthority;
  readonly version?: string;
  readonly requestTimeoutMs?: number;
  readonly onConfig?: (config: Config) => void;
}

export interface RunningApi {
  readonly api: Api;
  /** Where it listens; empty when it does not. */
  readonly url: string;
  ready(): boolean;
  config(): Config;
  stop(): Promise<void>;
}

/** Wires the API to a cluster and starts it. Rejects with `InvalidConfiguration` when it must not start. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { clock, random, logger, namespace } = options;
  const limiter = new TokenBucket(clock, { qps: 150, burst: 200 });
  const client = new KubeClient({
    transport: options.transport,
    clock,
    random,
    limiter,
    userAgent: apiFieldManager,
    fieldManager: apiFieldManager,
    logger,
    requestTimeoutMs: options.requestTimeoutMs ?? 10_000,
  });
  const watch = (name: string, versionOnly = false) =>
    new ConfigMapWatch({ client, namespace, name, versionOnly, clock, random, logger });

  const configWatch = await watch(configMaps.config).start();
  const config = new ConfigSource(configWatch.current()?.data, logger);
  const inForce = (current: Config) => {
    limiter.configure({ qps: current.api.kubernetesQPS, burst: current.api.kubernetesBurst });
    options.onConfig?.(current);
  };
  inForce(config.current());
  configWatch.onChange((configMap) => config.reload(configMap?.data));
  config.onChange(inForce);

  const licenseWatch = watch(configMaps.license);
  const stateWatch = watch(configMaps.state, true);
  const state = new ConfigMapStateStore(client, { namespace, name: configMaps.state });
  stateWatch.onChange((configMap) => state.heardOfVersion(configMap?.resourceVersion));
  const view = new KubernetesClusterView({ client, projections: projections(), clock, random, logger });
  const audit = new AuditConfigMaps(client, namespace);
  const mailer = options.mailer(() => config.current());
  const wired =
    options.env === undefined
      ? undefined
      : apiFeatures({
          client,
          namespace,
          env: options.env,
          clock,
          random,
          logger,
          mailer,
          sizeGauge: { set: (labels, bytes) => api.metrics.parameterBytes.set(labels, bytes) },
          config: () => config.current(),
        });
  const ports: ApiPorts = {
    clock,
    random,
    logger,
    view,
    state,
    audit: { texts: async () => (await audit.files()).map(({ text }) => text) },
    passkeys: new ConfigMapStateStore(client, { namespace, name: configMaps.passkeys }),
    mailer,
    admission: new ClusterAdmissionFacts(client, logger),
    outbound: options.outbound ?? new HttpClient(),
    features: { ...noFeatures, ...wired?.features, ...options.features },
    ownNamespace: namespace,
    version: options.version ?? 'development',
    config: () => config.current(),
    configRefusal: () => config.refusal?.message,
    license: {
      source: () => licenseSource(licenseWatch),
      authority: options.licenseAuthority ?? {
        publicKeys: [communityPublicKey],
        builtIn: communityLicense,
        verify: verifyLicenseSignature,
      },
    },
    holidays: options.holidays ?? (() => noHolidays),
    branding: () => brandingOf(configWatch.current()?.data[brandingTextKey]),
    secrets: options.secrets,
  };
  const api = createApi(ports, options);
  void view.start();
  await Promise.all([licenseWatch.start(), stateWatch.start(), api.prepare()]);
  const url = await listen(api, options);
  api.start();
  wired?.start();
  return {
    api,
    url,
    ready: () => view.synced(),
    config: () => config.current(),
    async stop() {
      api.stop();
      wired?.stop();
      await api.server.app.close();
      for (const one of [configWatch, licenseWatch, stateWatch]) one.stop();
      view.stop();
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

/** An absent ConfigMap is no license; one that cannot be read leaves open whether there is one. */
function licenseSource(watch: ConfigMapWatch): LicenseSource | null {
  if (!watch.synced) return null;
  const text = watch.current()?.data['license'];
  if (text !== undefined) return { found: 'text', text };
  return watch.error === undefined ? { found: 'nothing' } : { found: 'unreadable', message: String(watch.error) };
}

function brandingOf(text: string | undefined): unknown {
  try {
    return text === undefined ? {} : parseYaml(text);
  } catch {
    return { name: 0 };
  }
}

const noHolidays: readonly never[] = [];

/** The process itself: access to the cluster, secrets, probes, metrics, signals. */
async function runProcess(env: NodeJS.ProcessEnv): Promise<void> {
  const clock = systemClock;
  const logger = createLogger({ process: 'api' });
  let timeoutMs = 30_000;
  const shutdown = installShutdown(clock, logger, () => timeoutMs);
  const access = await findAccess({ env, clock });
  const user = variable(env, 'SMTP_USER');
  const password = variable(env, 'SMTP_PASSWORD');
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
    env,
    secrets: { jwt: secret(env, 'JWT_SECRET'), internalApi: secretVariable(env, 'INTERNAL_API_SECRET') },
    port: portVariable(env, 'PORT', 8080),
    trustedProxies: (variable(env, 'TRUSTED_PROXIES') ?? '').split(',').flatMap((entry) => entry.trim() || []),
    version: variable(env, 'SVC_VERSION') ?? 'development',
    mailer: (config) =>
      new SmtpMailer({
        settings: () => config().smtp,
        ...(user === undefined ? {} : { user }),
        ...(password === undefined ? {} : { password }),
      }),
    onConfig: (config) => {
      logger.setLevel(config.operations.logLevel);
      timeoutMs = durationMs(config.api.shutdownTimeout);
    },
  });
  const { api, stop, url } = running;
  const metrics = await serveMetrics(portVariable(env, 'METRICS_PORT', 9090), () => api.metrics.render());
  shutdown.onStop('metrics', () => void metrics.close());
  shutdown.onStop('api', stop);
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
