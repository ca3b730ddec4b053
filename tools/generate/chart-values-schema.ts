import type { JsonSchema } from './config-values-schema.ts';

// The part of the values schema that is the chart's own. Strict on our keys, so that a misspelt one is found at install;
// open where the value is passed on to Kubernetes as it is.

const text = (rules: JsonSchema = {}): JsonSchema => ({ type: 'string', ...rules });
const emptyOr = (pattern: string) => text({ pattern: `^$|${pattern}` });
const flag: JsonSchema = { type: 'boolean' };
const int = (minimum: number, maximum = 2_147_483_647): JsonSchema => ({ type: 'integer', minimum, maximum });
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** Handed on to Kubernetes, which knows best what is right. */
const passedOn: JsonSchema = { type: 'object' };
const passedOnList = list({ type: 'object' });
const texts: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };

const name = '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$';
const objectName = emptyOr(name);
const duration = text({ pattern: '^([0-9]+(ms|s|m|h|d))+$' });
const port = int(1, 65_535);
const cidr = '^([0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)/[0-9]{1,3}$';

const probe = object({
  enabled: flag,
  failureThreshold: int(1),
  initialDelaySeconds: int(0),
  periodSeconds: int(1),
  timeoutSeconds: int(1),
});

const account = object({ create: flag, name: objectName, annotations: texts });
const repository = object({ repository: text({ minLength: 1 }), digest: emptyOr('^sha256:[0-9a-f]{64}$') });
const perProcess = (schema: JsonSchema) => object({ api: schema, controller: schema, frontend: schema });
const perDeployment = (schema: JsonSchema) => object({ app: schema, controller: schema });

const alert = (threshold: Readonly<Record<string, JsonSchema>> = {}) =>
  object({ enabled: flag, for: duration, severity: text({ minLength: 1 }), ...threshold });
const bytes = alert({ thresholdBytes: int(1, 1_048_576) });

export const chartValueSchemas: Readonly<Record<string, JsonSchema>> = {
  // An umbrella chart's `condition: svc.enabled` leaves it in our values; it has been decided on by then.
  enabled: flag,
  nameOverride: text({ maxLength: 63 }),
  fullnameOverride: text({ maxLength: 63 }),
  namespace: object({ create: flag, name: objectName }),
  image: object({
    registry: text(),
    repositoryPrefix: text(),
    tag: text(),
    pullPolicy: { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
    api: repository,
    controller: repository,
    frontend: repository,
    satellite: repository,
  }),
  imagePullSecrets: object({
    create: flag,
    existingSecret: objectName,
    secretName: objectName,
    registry: text({ minLength: 1 }),
    username: text(),
    password: text(),
  }),
  // Other charts of an umbrella put keys of their own here.
  global: {
    type: 'object',
    properties: {
      imagePullSecrets: list({
        anyOf: [text({ pattern: name }), { type: 'object', required: ['name'], properties: { name: text() } }],
      }),
    },
  },
  secrets: object({
    jwtSecret: text(),
    internalApiSecret: text(),
    smtp: object({ user: text(), password: text() }),
    existingSecret: objectName,
  }),
  externalWakeSecrets: object({
    create: flag,
    secrets: list({
      ...object({
        name: text({ pattern: name }),
        keys: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^[-._A-Za-z0-9]+$' },
          additionalProperties: text(),
        },
      }),
      required: ['name', 'keys'],
    }),
  }),
  license: text({
    maxLength: 65_536,
    pattern:
      '^\\s*$|^\\s*-----BEGIN SVC LICENSE-----[ \\t]*\\r?\\n[A-Za-z0-9+/=\\s]+\\n[ \\t]*-----END SVC LICENSE-----\\s*$',
  }),
  // The API judges a brand and ignores one that breaks a rule, so a brand never fails an install; a ConfigMap's size would.
  branding: object({
    name: text({ maxLength: 1024 }),
    logo: object({ light: text({ maxLength: 262_144 }), dark: text({ maxLength: 262_144 }) }),
    accentColor: text({ maxLength: 64 }),
  }),
  replicaCount: int(1, 100),
  resources: perProcess(passedOn),
  podSecurityContext: passedOn,
  securityContext: perProcess(passedOn),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  affinity: passedOn,
  nodeSelector: texts,
  tolerations: passedOnList,
  satellite: object({
    imagePullSecrets: list(text({ pattern: name })),
    createPullSecrets: flag,
    nodeSelector: texts,
    tolerations: passedOnList,
    affinity: passedOn,
  }),
  podAnnotations: texts,
  podLabels: texts,
  deploymentAnnotations: perDeployment(texts),
  deploymentLabels: perDeployment(texts),
  extraEnvVars: passedOnList,
  extraVolumes: passedOnList,
  extraVolumeMounts: passedOnList,
  uninstall: object({ handBack: flag, timeout: text({ pattern: '^([0-9]+(s|m|h))+$' }) }),
  rbac: object({ create: flag }),
  serviceAccount: object({ api: account, controller: account }),
  admissionPolicy: object({ enabled: flag, fence: flag }),
  service: object({
    type: { type: 'string', enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
    annotations: texts,
    api: object({ port, healthPort: port }),
    controller: object({ healthPort: port, metricsPort: port }),
    frontend: object({ port, httpsPort: port }),
  }),
  tls: object({ enabled: flag, secretName: objectName }),
  frontend: object({ trustedProxies: list(text({ pattern: `^private_ranges$|${cidr}` })) }),
  networkPolicy: object({ enabled: flag, metricsFrom: passedOnList, egress: passedOnList }),
  metrics: object({
    serviceMonitor: object({
      enabled: flag,
      additionalLabels: texts,
      interval: emptyOr('^([0-9]+(ms|s|m|h|d))+$'),
      scrapeTimeout: emptyOr('^([0-9]+(ms|s|m|h|d))+$'),
      namespace: objectName,
    }),
    prometheusRule: object({
      enabled: flag,
      additionalLabels: texts,
      alertExtraLabels: texts,
      alertExtraAnnotations: texts,
      alerts: object({
        apiErrorRate: alert({ thresholdPercent: { type: 'number', exclusiveMinimum: 0, maximum: 1 } }),
        configMapSizeWarning: bytes,
        configMapSizeCritical: bytes,
        parameterStoreSizeWarning: bytes,
        parameterStoreSizeCritical: bytes,
        passkeyStoreSizeWarning: bytes,
        reconciliationStalled: alert({ thresholdSeconds: int(1) }),
        configurationRefused: alert(),
        scalingFailures: alert(),
        licenseExpiring: alert(),
        licenseUnverified: alert(),
        notActing: alert(),
      }),
    }),
    grafanaDashboard: object({
      enabled: flag,
      annotations: texts,
      extraLabels: texts,
      folder: text(),
      sidecarLabel: text({ minLength: 1 }),
      // `1` is a number to whoever writes YAML, and a label all the same.
      sidecarLabelValue: { type: ['string', 'integer', 'boolean'] },
    }),
  }),
};
