import { CostDesk } from '../adapters/aws/cost-desk.ts';
import { ExternalWakeRequests } from '../adapters/http-signatures/external-wake-verifier.ts';
import { mountedKeys } from '../adapters/http-signatures/key-folder.ts';
import { LedgerInsights } from '../adapters/insights/ledger-insights.ts';
import { createChannels } from '../adapters/notification/channels.ts';
import { sendTestNotification } from '../adapters/notification/test-notification.ts';
import { HttpClient } from '../adapters/outbound/http-client.ts';
import type { Mailer } from '../ports/mailer.ts';
import { storeParameterSize } from '../service/parameter-size.ts';
import type { Service } from '../service/service.ts';
import type { Features } from './call/ports.ts';
import { asAnswer } from './reports/features.ts';

/** What every way of assembling the features is given. */
export interface ApiFeatureBase {
  readonly service: Service;
  readonly mailer: Mailer;
  /** Hears how large the stored cost statistics are. */
  readonly sizeGauge: { set(labels: { readonly parameter: string }, bytes: number): void };
}

export interface ApiFeatures {
  readonly features: Features;
  start(): void;
  stop(): void;
}

/** Savings, costs, test notifications and the signatures of other clusters, as the configuration asks for them. */
export function apiFeatures(
  { service, mailer, sizeGauge }: ApiFeatureBase,
  env: Readonly<Record<string, string | undefined>>,
): ApiFeatures {
  const { clock, random, logger, config, configuration } = service;
  const keys = mountedKeys(env);
  const channels = createChannels({ clock, random, mailer, web: new HttpClient(), keys, config });
  // Dashboards ask for them without a sign-in: answered from memory.
  const insights = new LedgerInsights({ read: async () => service.insights.kept() }, config);
  const costs = new CostDesk({
    clock,
    log: service.cloudLog,
    configuration: { current: config, onChange: (listener) => configuration.onChange(() => listener()) },
    nights: () => insights.nights(),
    databaseHours: () => insights.databaseHours(),
    async stored(size) {
      sizeGauge.set({ parameter: size.parameter }, size.bytes);
      await storeParameterSize(service, size);
    },
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
