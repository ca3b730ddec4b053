import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chartFolder } from './harness/helm.ts';

const values = parse(readFileSync(join(chartFolder, 'values.yaml'), 'utf8')) as Record<string, unknown>;

const container = (runAsUser: number) => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser,
});
const resources = { requests: { cpu: '10m', memory: '128Mi' }, limits: { memory: '128Mi' } };
const account = { create: true, name: '', annotations: {} };
const alert = (held: string, severity: string, threshold: object = {}) => ({
  enabled: true,
  for: held,
  severity,
  ...threshold,
});

/** What users rely on: a default that changes is a change of behaviour on their next upgrade. */
const promised: Readonly<Record<string, unknown>> = {
  replicaCount: 1,
  fullnameOverride: '',
  nameOverride: '',
  namespace: { create: false, name: '' },
  'image.tag': '',
  'image.pullPolicy': 'IfNotPresent',
  'image.api.repository': 'api',
  'image.api.digest': '',
  'image.controller.repository': 'controller',
  'image.controller.digest': '',
  'image.frontend.repository': 'frontend',
  'image.frontend.digest': '',
  'image.satellite.repository': 'satellite',
  'image.satellite.digest': '',
  'imagePullSecrets.create': false,
  'imagePullSecrets.existingSecret': '',
  'imagePullSecrets.secretName': '',
  'imagePullSecrets.username': '',
  'imagePullSecrets.password': '',
  'global.imagePullSecrets': [],
  secrets: { jwtSecret: '', internalApiSecret: '', smtp: { user: '', password: '' }, existingSecret: '' },
  externalWakeSecrets: { create: false, secrets: [] },
  license: '',
  branding: { name: '', logo: { light: '', dark: '' }, accentColor: '' },
  rbac: { create: true },
  serviceAccount: { api: account, controller: account },
  service: {
    type: 'ClusterIP',
    annotations: {},
    api: { port: 8080, healthPort: 8081 },
    controller: { healthPort: 8081, metricsPort: 9090 },
    frontend: { port: 80, httpsPort: 443 },
  },
  tls: { enabled: false, secretName: '' },
  frontend: { trustedProxies: [] },
  livenessProbe: { enabled: true, failureThreshold: 3, initialDelaySeconds: 15, periodSeconds: 20, timeoutSeconds: 5 },
  readinessProbe: { enabled: true, failureThreshold: 3, initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 3 },
  startupProbe: { enabled: true, failureThreshold: 90, initialDelaySeconds: 0, periodSeconds: 10, timeoutSeconds: 5 },
  resources: { api: resources, controller: resources, frontend: resources },
  securityContext: { api: container(1000), controller: container(1000), frontend: container(65_532) },
  'podSecurityContext.fsGroup': 1000,
  affinity: {},
  nodeSelector: {},
  tolerations: [],
  podAnnotations: {},
  podLabels: {},
  deploymentAnnotations: { app: {}, controller: {} },
  deploymentLabels: { app: {}, controller: {} },
  extraEnvVars: [],
  extraVolumes: [],
  extraVolumeMounts: [],
  'metrics.serviceMonitor': {
    enabled: false,
    additionalLabels: {},
    interval: '',
    scrapeTimeout: '',
    namespace: '',
  },
  'metrics.prometheusRule.enabled': false,
  'metrics.prometheusRule.additionalLabels': {},
  'metrics.prometheusRule.alertExtraLabels': {},
  'metrics.prometheusRule.alertExtraAnnotations': {},
  'metrics.prometheusRule.alerts': {
    apiErrorRate: alert('5m', 'warning', { thresholdPercent: 0.05 }),
    configMapSizeWarning: alert('15m', 'warning', { thresholdBytes: 819_200 }),
    configMapSizeCritical: alert('10m', 'critical', { thresholdBytes: 900_000 }),
    parameterStoreSizeWarning: alert('15m', 'warning', { thresholdBytes: 3_500 }),
    parameterStoreSizeCritical: alert('10m', 'critical', { thresholdBytes: 3_900 }),
    passkeyStoreSizeWarning: alert('15m', 'warning', { thresholdBytes: 600_000 }),
    reconciliationStalled: alert('5m', 'warning', { thresholdSeconds: 7_200 }),
    // Ours, beside the eleven.
    configurationRefused: alert('5m', 'warning'),
    scalingFailures: alert('5m', 'critical'),
    licenseExpiring: alert('5m', 'warning'),
    licenseUnverified: alert('5m', 'warning'),
    notActing: alert('5m', 'warning'),
  },
  'metrics.grafanaDashboard': {
    enabled: false,
    annotations: {},
    extraLabels: {},
    folder: 'Svc',
    sidecarLabel: 'grafana_dashboard',
    sidecarLabelValue: '1',
  },
};

describe('the defaults of the chart', () => {
  it.each(Object.entries(promised))('%s', (path, value) => {
    const found = path.split('.').reduce<unknown>((place, key) => (place as Record<string, unknown>)[key], values);
    expect(found).toEqual(value);
  });
});
