import { rdsCalls } from '../adapters/aws/rds-client.ts';
import { RdsDatabases } from '../adapters/aws/rds-databases.ts';
import { KubernetesOwnPods } from '../adapters/cluster/own-pods.ts';
import { HttpHostingClusters } from '../adapters/external-wake/hosting-clusters.ts';
import { mountedKeys } from '../adapters/http-signatures/key-folder.ts';
import { createChannels } from '../adapters/notification/channels.ts';
import { HttpClient } from '../adapters/outbound/http-client.ts';
import type { Config } from '../config/config.ts';
import type { Databases } from '../ports/databases.ts';
import type { HostingClusters } from '../ports/hosting-clusters.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Notifier } from '../ports/notifier.ts';
import type { Off } from '../ports/off.ts';
import type { FrameSink } from '../ports/sinks.ts';
import type { Service } from '../service/service.ts';
import { AutoscalerProtection } from './beside/autoscaler-protection.ts';
import type { Companion } from './beside/companion.ts';
import { satelliteSettingsFrom } from './beside/satellite-settings.ts';
import { Satellites } from './beside/satellites.ts';
import { InsightsAccountant } from './insights/insights-accountant.ts';
import type { EndedPass } from './insights/sample.ts';
import type { ControllerMetrics } from './metrics/metrics.ts';
import { DeliveryLog } from './notifications/delivery-log.ts';
import { createNotifier } from './notifications/notifier.ts';

/** What every way of assembling the features is given. */
export interface FeatureBase {
  readonly service: Service;
  readonly frames: FrameSink;
  readonly metrics: ControllerMetrics;
}

/** Everything beyond workloads, none of which may be left out. */
export interface ControllerFeatures {
  readonly notifier: Notifier;
  readonly databases: Databases;
  readonly companions: readonly Companion[];
  readonly hosts: HostingClusters | Off;
  /** Hears of every pass that ran to its end. */
  afterPass(pass: EndedPass): Promise<void>;
  stop(): Promise<void>;
}

/** What the process was started with. */
export interface FeatureEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  mailer(config: () => Config): Mailer;
}

/** As the configuration asks for them: who is told, what the cloud runs, what stands in for sleeping services. */
export function controllerFeatures(
  { service, frames, metrics }: FeatureBase,
  { env, ...environment }: FeatureEnvironment,
): ControllerFeatures {
  const { client, ownNamespace, clock, random, logger, config } = service;
  const keys = mountedKeys(env);
  const mailer = environment.mailer(config);
  const channels = createChannels({ clock, random, mailer, web: new HttpClient(), keys, config });
  const notifier = createNotifier({ clock, logger, log: new DeliveryLog(clock, frames), metrics, channels, config });
  const databases = new RdsDatabases({ clock, log: service.cloudLog, config, open: rdsCalls });
  const { registry } = metrics;
  const { usualArchitecture } = service;
  const accountant = new InsightsAccountant({ store: service.insights, clock, logger, registry, usualArchitecture });
  return {
    notifier,
    databases,
    companions: [
      new Satellites({ services: service.services, settings: satelliteSettingsFrom(env) }),
      new AutoscalerProtection(new KubernetesOwnPods(client, ownNamespace)),
    ],
    // Hosting clusters are often on the same private network, so any address may be connected to.
    hosts: new HttpHostingClusters({
      clock,
      random,
      web: new HttpClient({ allowed: () => true }),
      keys,
      clusterName: () => config().clusterName,
    }),
    afterPass: (pass) => accountant.observe(pass),
    async stop() {
      await accountant.flush();
      await notifier.stop();
      await databases.close();
    },
  };
}
