import { describe, expect, it } from 'vitest';
import { parseWeek } from '../domain/schedule/week.ts';
import { configGroups, configNode } from './config-node.ts';
import type { Node } from './formats/value-types.ts';
import { defaultConfig } from './parse-config.ts';

describe('the schema', () => {
  it('has these defaults', () => {
    expect(defaultConfig).toEqual({
      clusterName: '',
      externalUrl: '',
      internalUrl: '',
      allowInsecureExternalUrl: false,
      global: { enabled: true },
      operations: { dryRun: false, logLevel: 'info', devMode: false, enableApiAccessLogs: false },
      proxyURL: '',
      workingHours: {
        timezone: 'Europe/Berlin',
        schedule: {
          monday: '08:00-20:00',
          tuesday: '08:00-20:00',
          wednesday: '08:00-20:00',
          thursday: '08:00-20:00',
          friday: '08:00-20:00',
          saturday: 'off',
          sunday: 'off',
        },
      },
      targeting: { kinds: [], namespaces: { exclude: [{ pattern: 'kube-*' }, { exact: 'svc' }] } },
      resourceRules: { neverScale: [] },
      hibernateOrdering: { tiers: [] },
      wakeOrdering: { tiers: [] },
      databases: {},
      externalDependencies: [],
      serviceRedirection: { enabled: false, services: [] },
      holidays: { regions: [], act: false },
      controller: {
        reconcileInterval: '1h',
        maxConcurrentOperations: 50,
        kubernetesQPS: 150,
        kubernetesBurst: 200,
        hibernateTierTimeout: '5m',
        wakeBarrierTimeout: '5m',
        workloadSettleTimeout: '10m',
      },
      api: { kubernetesQPS: 150, kubernetesBurst: 200, shutdownTimeout: '30s' },
      auth: {
        adminUsers: [],
        allowedEmailDomains: [],
        tokenExpiry: '24h',
        refreshExpiry: '168h',
        privacy: { anonymizeLogsEnabled: true, domains: [] },
        webauthn: { enabled: false, displayName: '', rpId: '' },
      },
      smtp: { enabled: true, host: '', port: 1025, from: 'no-reply@svc.local' },
      notifications: {
        enabled: false,
        channels: {
          email: { enabled: false, recipients: [] },
          teams: { enabled: false, webhooks: [] },
          slack: { enabled: false, webhooks: [] },
          webhook: { enabled: false, webhooks: [] },
        },
        events: { confirmationWindowSeconds: 300 },
        deduplication: { windowSeconds: 300 },
        queue: { bufferSize: 20 },
        retry: { backoffSeconds: 2, maxAttempts: 3, timeoutSeconds: 30 },
      },
      externalWake: {
        enabled: false,
        localClusterName: '',
        clusters: [],
        excludedNamespaces: [],
        quotas: { maxConcurrentWakes: 5, maxWakeDuration: '8h', maxWakesPerHour: 20 },
      },
      urlReadinessCheck: { enabled: false, intervalSeconds: 5, consecutiveThreshold: 3, whitelist: [], proxyURL: '' },
      awsCosts: {
        enabled: false,
        tagKey: 'aws:eks:cluster-name',
        tagValue: '',
        costMetric: 'NetUnblendedCost',
        hourlyGranularity: true,
        refreshTimeUTC: '05:50',
        cacheTTL: '1h',
        region: 'us-east-1',
        statsRegion: '',
        profile: '',
        proxyURL: '',
        resourceTags: {},
      },
      insights: {
        enabled: true,
        defaultCPUCores: 0.25,
        defaultMemoryGB: 0.5,
        cpuWattsPerVCPU: { amd64: 2.3, arm64: 1.084 },
        memoryWattsPerGB: 0.392,
        pue: 1.14,
        gridIntensityGCO2ePerKWh: 298,
      },
      dashboardApi: { enabled: false, corsOrigins: [] },
    });
  });

  it('has working hours that the schedule reads', () => {
    expect(parseWeek(defaultConfig.workingHours).ok).toBe(true);
  });

  it('describes every key in one sentence', () => {
    const descriptions = [...nodesOf(configNode)].map(({ description }) => description);
    expect(descriptions.filter((text) => !/^[A-Z`][^\n]+\.$/.test(text))).toEqual([]);
  });

  it('groups every key once', () => {
    expect(configGroups.flatMap(({ keys }) => keys)).toEqual(Object.keys(configNode.fields));
  });
});

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  if (node.kind === 'record') for (const field of Object.values(node.fields)) yield* nodesOf(field);
  if (node.kind === 'list' || node.kind === 'map') yield* nodesOf(node.item);
  if (node.kind === 'either') yield* nodesOf(node.record);
}
