import { CostDesk } from '../adapters/aws/cost-desk.ts';
import { createChannels } from '../adapters/chat/channels.ts';
import { sendTestNotification } from '../adapters/chat/test-notification.ts';
import { ConfigMapStateStore } from '../adapters/cluster/config-map-state-store.ts';
import { ExternalWakeRequests } from '../adapters/http-signatures/external-wake-verifier.ts';
import { KeyFolder } from '../adapters/http-signatures/key-folder.ts';
import { LedgerInsights } from '../adapters/insights/ledger-insights.ts';
import type { KubeClient } from '../adapters/kubernetes/client/kube-client.ts';
import { HttpClient } from '../adapters/outbound/http-client.ts';
import type { Config } from '../config/config.ts';
import { configMaps } from '../domain/names.ts';
import { variable } from '../platform/process-environment.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Random } from '../ports/random.ts';
import type { Features } from './ports.ts';

export interface ApiFeatureOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly mailer: Mailer;
  /** Hears how large the stored cost statistics are. */
  readonly sizeGauge: { set(labels: { readonly parameter: string }, bytes: number): void };
  config(): Config;
}

export interface ApiFeatures {
  readonly features: Features;
  start(): void;
  stop(): void;
}

/** Savings, costs, test notifications and the signatures of other clusters, as the configuration asks for them. */
export function apiFeatures(options: ApiFeatureOptions): ApiFeatures {
  const { client, namespace, env, clock, random, logger, mailer, config } = options;
  const keys = new KeyFolder(variable(env, 'KEYS_FOLDER') ?? '/etc/svc/keys');
  const channels = createChannels({ clock, random, mailer, web: new HttpClient(), keys, config });
  const store = new ConfigMapStateStore(client, { namespace, name: configMaps.insights });
  const insights = new LedgerInsights(store, config);
  const costs = new CostDesk({
    clock,
    log: { logger, verbose: () => config().operations.devMode && config().operations.logLevel === 'debug' },
    config,
    nights: () => insights.nights(),
    databaseHours: () => insights.databaseHours(),
    sizeGauge: options.sizeGauge,
  });
  return {
    features: {
      insights: async () => asAnswer(await insights.read()),
      costs: async () => asAnswer(await costs.read()),
      testNotification: (channel) => sendTestNotification({ clock, channels, config }, channel),
      externalWake: new ExternalWakeRequests({ clock, logger, keys, config }),
    },
    start: () => void costs.start(),
    stop: () => costs.stop(),
  };
}

/** The contract leaves the report open: it is the feature's own. */
function asAnswer<Reading extends { readonly report: object | null }>(
  reading: Reading,
): Omit<Reading, 'report'> & { report: Record<string, unknown> | null } {
  return { ...reading, report: reading.report as Record<string, unknown> | null };
}
