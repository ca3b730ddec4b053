import type { CallLog } from '../adapters/aws/connection.ts';
import { ClusterAdmissionFacts } from '../adapters/cluster/admission-facts.ts';
import { AuditConfigMaps } from '../adapters/cluster/audit-config-maps.ts';
import { KubernetesClusterView } from '../adapters/cluster/cluster-view.ts';
import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { ConfigMapWatch, type ConfigMapWatchOptions } from '../adapters/cluster/config-map-watch.ts';
import { KeptConfigMap } from '../adapters/cluster/kept-config-map.ts';
import { ManagedStateStore } from '../adapters/cluster/managed-state-store.ts';
import { KubernetesServices } from '../adapters/cluster/service-writer.ts';
import { StatePartsWatch } from '../adapters/cluster/state-parts-watch.ts';
import { ClusterWorkloadFacts } from '../adapters/cluster/workload-facts.ts';
import type { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import type { Rate } from '../adapters/kubernetes/client/token-bucket.ts';
import { type Projections, projections } from '../adapters/kubernetes/projection/projections.ts';
import type { Config } from '../config/config.ts';
import type { LicenseAuthority } from '../domain/license/check.ts';
import { configMaps } from '../domain/names.ts';
import type { WakeFigures } from '../domain/wake/verdict/figures.ts';
import type { Architecture } from '../domain/workload.ts';
import { ConfigSource, type RefusedAtStart } from '../platform/config-source.ts';
import { ownArchitecture } from '../platform/own-architecture.ts';
import { atMost, type Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Services } from '../ports/services.ts';
import type { PartSizes } from '../state/parts/state-part.ts';
import { BrandingValues } from './branding-values.ts';
import type { CompiledConfig } from './compiled-config.ts';
import { Configuration } from './configuration.ts';
import { type ClientOptions, connectClient } from './connect-client.ts';
import { HolidaySource } from './holiday-source.ts';
import { type LicensePort, licenseSource } from './license-source.ts';

/** What tells one process from another; nothing here may be left out. */
export interface ServiceOptions extends ClientOptions {
  /** The pace of watches: the clock's own, but for a simulation of weeks, which slows it. */
  readonly watchClock: Clock;
  /** The release namespace. */
  readonly namespace: string;
  readonly authority: LicenseAuthority;
  readonly figures: WakeFigures;
  /** Whether it may delete ConfigMaps, and so removes those in which the state went on. */
  readonly collectsParts: boolean;
  /** From which sizes on the state goes on in further ConfigMaps. */
  readonly partSizes: PartSizes;
  readonly refusedAtStart: RefusedAtStart;
  /** How fast the apiserver may be asked, by the configuration in force. */
  rate(config: Config): Rate;
  /** Hears of each configuration in force, the first included. */
  inForce(config: Config): void;
  /**
   * Hears once that the cluster was restored from a backup. Whatever a process knows, was told or has done is of the cluster before it, so it
   * ends, and the next one begins with what there is.
   */
  restored(): void;
}

/** What the processes and `svc --kubeconfig` share: made once, in one way, with nothing that can be left out. */
export interface Service {
  readonly clock: Clock;
  /** The pace of watches, and of what makes up for what they may have missed. */
  readonly watchClock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** The release namespace: never scaled. */
  readonly ownNamespace: string;
  readonly client: KubeClient;
  readonly projections: Projections;
  readonly view: KubernetesClusterView;
  /** ConfigMap `svc-state`, with those in which it goes on. */
  readonly state: ManagedStateStore;
  /** ConfigMap `svc-passkeys`: one key a user. */
  readonly passkeys: KeptConfigMap;
  /** ConfigMap `svc-insights`: the books on what is saved. */
  readonly insights: KeptConfigMap;
  readonly audit: AuditConfigMaps;
  readonly admission: ClusterAdmissionFacts;
  readonly facts: ClusterWorkloadFacts;
  readonly services: Services;
  /** Where calls of the cloud are logged: with bodies and signing only when both switches say so. */
  readonly cloudLog: CallLog;
  /**
   * Of the nodes of workloads that do not say which they need. Nodes are none of our business, so nothing may be read of them;
   * but we run on one ourselves.
   */
  readonly usualArchitecture: Architecture;
  readonly license: LicensePort;
  readonly configuration: Configuration;
  /** The configuration in force: the last good one. */
  config(): Config;
  compiled(): CompiledConfig;
  /** Why the newest one was refused. */
  configRefusal(): string | undefined;
  /** The chart's `branding` values, unchecked; the same object until they change. */
  branding(): unknown;
  /** Hears that a configuration came into force or was refused, or that the license changed. */
  onInputs(listener: () => void): () => void;
  /**
   * Fills the caches: resolves when license and version of the state are known, or could not be read for half a minute, and when
   * everything has been listed once.
   */
  fill(): { readonly inputs: Promise<void>; readonly cluster: Promise<void> };
  /** True once the license and every workload are known. */
  filled(): boolean;
  stop(): void;
}

/** The key of `svc-config` that holds the chart's `branding` values, as YAML. */
export const brandingTextKey = 'branding.yaml';

/** So long a process that starts waits for what it may not be allowed to read. */
const startPatienceMs = 30_000;
/** Until the configuration is known. */
const firstRate: Rate = { qps: 150, burst: 200 };

/** Connects, reads the configuration and compiles it. Rejects with `InvalidConfiguration` when nothing must start. */
export async function connectService(options: ServiceOptions): Promise<Service> {
  const { clock, random, logger, namespace, figures, watchClock } = options;
  const onRestored = once(() => options.restored());
  const { client, limiter } = connectClient(options, firstRate);
  const watch = (name: string, more: Pick<ConfigMapWatchOptions, 'versionOnly' | 'onReadable'> = {}) =>
    new ConfigMapWatch({ client, namespace, name, onRestored, clock: watchClock, random, logger, ...more });
  const kept = (name: string) => new KeptConfigMap(new ConfigMapStateStore(client, { namespace, name }), watch(name));

  const configWatch = await watch(configMaps.config).start();
  const source = firstConfiguration(configWatch, logger, options.refusedAtStart);
  configWatch.onChange((configMap) => source.reload(configMap?.data));
  const holidays = new HolidaySource(clock, logger);
  const configuration = await Configuration.start({ source, holidays, logger, ownNamespace: namespace, figures });
  const inForce = ({ config }: CompiledConfig) => {
    limiter.configure(options.rate(config));
    options.inForce(config);
  };
  inForce(configuration.current());
  configuration.onChange(inForce);

  /** Who hears of inputs: that a ConfigMap is absent, or can be read again, changes nothing in it, and is news all the same. */
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => void listener());
  const licenseWatch = watch(configMaps.license, { onReadable: tell });
  const stateWatch = watch(configMaps.state, { versionOnly: true });
  const state = new ManagedStateStore({
    client,
    namespace,
    logger,
    collects: options.collectsParts,
    sizes: options.partSizes,
  });
  state.onRestored(onRestored);
  const partsWatch = new StatePartsWatch({ client, namespace, state, onRestored, clock: watchClock, random, logger });
  stateWatch.onChange((configMap) => state.heardOfVersion(configMap?.resourceVersion));
  const project = projections(() => configuration.current().kinds);
  const branding = new BrandingValues();
  const view = new KubernetesClusterView({
    client,
    projections: project,
    onRestored,
    clock: watchClock,
    random,
    logger,
  });
  const watchKinds = ({ kinds }: CompiledConfig) => view.watchKinds(kinds);
  watchKinds(configuration.current());
  configuration.onChange(watchKinds);
  const passkeys = kept(configMaps.passkeys);
  const insights = kept(configMaps.insights);
  let listedAt = Number.POSITIVE_INFINITY;
  const license = () => licenseSource(licenseWatch, clock.monotonic() - listedAt);
  configuration.onChange(tell);
  licenseWatch.onChange(tell);
  return {
    clock,
    watchClock,
    random,
    logger,
    ownNamespace: namespace,
    client,
    projections: project,
    view,
    state,
    passkeys,
    insights,
    audit: new AuditConfigMaps(client, namespace),
    admission: new ClusterAdmissionFacts(client, logger),
    facts: new ClusterWorkloadFacts(client),
    services: new KubernetesServices(client),
    cloudLog: { logger, verbose: () => isVerbose(configuration.current().config) },
    usualArchitecture: ownArchitecture,
    license: { source: license, authority: options.authority },
    configuration,
    config: () => configuration.current().config,
    compiled: () => configuration.current(),
    configRefusal: () => configuration.refusal()?.message,
    branding: () => branding.of(configWatch.current()?.data[brandingTextKey]),
    onInputs(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fill() {
      const cluster = view.start();
      void cluster.then(() => {
        listedAt = clock.monotonic();
      });
      // Each is looked for again, and who waits for one that is refused could neither be told of the others nor stopped.
      const inputs = Promise.all([licenseWatch.start().then(tell), stateWatch.start(), partsWatch.start()]);
      return { cluster, inputs: atMost(clock, startPatienceMs, inputs) };
    },
    filled: () => view.synced() && license() !== null,
    stop() {
      for (const one of [configWatch, licenseWatch, stateWatch, partsWatch, passkeys, insights]) one.stop();
      holidays.stop();
      view.stop();
    },
  };
}

function once(tell: () => void): () => void {
  let told = false;
  return () => {
    if (told) return;
    told = true;
    tell();
  };
}

/** A process that is refused ends by itself only when no watch is left open. */
function firstConfiguration(watch: ConfigMapWatch, logger: Logger, refused: RefusedAtStart): ConfigSource {
  try {
    return new ConfigSource(watch.current()?.data, logger, refused);
  } catch (error) {
    watch.stop();
    throw error;
  }
}

function isVerbose({ operations }: Config): boolean {
  return operations.devMode && operations.logLevel === 'debug';
}
