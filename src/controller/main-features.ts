import { RdsDatabases } from '../adapters/aws/rds-databases.ts';
import { createChannels } from '../adapters/chat/channels.ts';
import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { KubernetesOwnPods } from '../adapters/cluster/own-pods.ts';
import { KubernetesServices } from '../adapters/cluster/service-writer.ts';
import { HttpHostingClusters } from '../adapters/external-wake/hosting-clusters.ts';
import { KeyFolder } from '../adapters/http-signatures/key-folder.ts';
import type { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { HttpClient } from '../adapters/outbound/http-client.ts';
import type { Config } from '../config/config.ts';
import { HolidayCalendar } from '../domain/holiday/holiday-calendar.ts';
import { configMaps } from '../domain/names.ts';
import { variable } from '../platform/process-environment.ts';
import type { Clock } from '../ports/clock.ts';
import type { Databases } from '../ports/databases.ts';
import type { Logger } from '../ports/logger.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Random } from '../ports/random.ts';
import type { FrameSink } from '../ports/records.ts';
import { AutoscalerProtection } from './beside/autoscaler-protection.ts';
import type { Companion } from './beside/companion.ts';
import { satelliteSettingsFrom } from './beside/satellite-settings.ts';
import { Satellites } from './beside/satellites.ts';
import { InsightsAccountant } from './insights/insights-accountant.ts';
import type { ControllerMetrics } from './metrics.ts';
import { createNotifier, type RunningNotifier } from './notifications/notifier.ts';

export interface FeatureOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly frames: FrameSink;
  readonly metrics: ControllerMetrics;
  readonly mailer?: Mailer;
  config(): Config;
}

export interface ControllerFeatures {
  readonly notifier: RunningNotifier;
  readonly databases: Databases;
  readonly companions: readonly Companion[];
  readonly hosts: HttpHostingClusters;
  readonly accountant: InsightsAccountant;
  readonly holidays: HolidayCalendar;
  stop(): Promise<void>;
}

/** Everything beyond workloads: who is told, what the cloud runs, what stands in for sleeping services. */
export function controllerFeatures(options: FeatureOptions): ControllerFeatures {
  const { client, namespace, env, clock, random, logger, frames, metrics, config } = options;
  const keys = new KeyFolder(variable(env, 'KEYS_FOLDER') ?? '/etc/svc/keys');
  const mailer = options.mailer ?? smtpMailer(env, config);
  const channels = createChannels({ clock, random, mailer, web: new HttpClient(), keys, config });
  const notifier = createNotifier({ clock, logger, frames, metrics, channels, config });
  const log = { logger, verbose: () => isVerbose(config()) };
  const databases = new RdsDatabases({ clock, log, config });
  const store = new ConfigMapStateStore(client, { namespace, name: configMaps.insights });
  const { registry } = metrics;
  // Nodes are none of our business, so nothing may be read of them; but we run on one ourselves.
  const usualArchitecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const accountant = new InsightsAccountant({ store, clock, logger, registry, usualArchitecture });
  return {
    notifier,
    databases,
    companions: [
      new Satellites({ services: new KubernetesServices(client), settings: satelliteSettingsFrom(env) }),
      new AutoscalerProtection(new KubernetesOwnPods(client, namespace)),
    ],
    // Hosting clusters are often on the same private network, so any address may be connected to.
    hosts: new HttpHostingClusters({
      clock,
      random,
      web: new HttpClient({ allowed: () => true }),
      keys,
      clusterName: () => config().clusterName,
    }),
    accountant,
    holidays: new HolidayCalendar(),
    async stop() {
      await accountant.flush();
      await notifier.stop();
      await databases.close();
    },
  };
}

function smtpMailer(env: FeatureOptions['env'], config: () => Config): Mailer {
  const user = variable(env, 'SMTP_USER');
  const password = variable(env, 'SMTP_PASSWORD');
  return new SmtpMailer({
    settings: () => config().smtp,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
  });
}

/** Bodies and signing of cloud calls are logged only when both switches say so. */
function isVerbose({ operations }: Config): boolean {
  return operations.devMode && operations.logLevel === 'debug';
}
