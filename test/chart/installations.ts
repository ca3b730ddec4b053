import type { Values } from './harness/helm.ts';

/** An installation as somebody would want it, over the smallest values. */
export interface Installation {
  readonly values: Values;
  /** API groups that its cluster has besides the usual ones. */
  readonly apiVersions?: readonly string[];
}

const config = (values: object): Values => ({ config: values });
const week = (weekday: string, weekend = 'off') => ({
  schedule: {
    ...Object.fromEntries(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [day, weekday])),
    saturday: weekend,
    sunday: weekend,
  },
});
const services = (...names: readonly string[]) =>
  names.map((text) => ({ namespace: text.split('/')[0], name: text.split('/')[1] }));
const redirection = (...names: readonly string[]) => ({
  serviceRedirection: { enabled: true, services: services(...names) },
});
const hmac = '0123456789abcdef0123456789abcdef';
const rule = (values: object = {}) => ({ metrics: { prometheusRule: { enabled: true, ...values } } });
const memory = (text: string) => ({ requests: { cpu: '50m', memory: text }, limits: { memory: text } });

/** By what each is about; a row is one values file. */
const rows: Readonly<Record<string, Values>> = {
  'the first try: a dry run': config({ operations: { dryRun: true } }),
  'stood down by the configuration': config({ global: { enabled: false } }),
  'debugging, with cloud bodies and access logs': config({
    operations: { logLevel: 'debug', devMode: true, enableApiAccessLogs: true },
  }),
  'working hours across midnight, on two days': config({
    workingHours: {
      timezone: 'America/New_York',
      schedule: { friday: '08:00-12:00,18:00-00:00', saturday: '00:00-02:00' },
    },
  }),
  'a cluster that never sleeps on weekdays': config({ workingHours: week('on') }),
  'a cluster that always sleeps': config({ workingHours: week('off') }),
  'holidays of two regions': config({ holidays: { regions: ['DE-BY', 'AT'] } }),
  'an address with a path': config({ externalUrl: 'https://tools.example.com/svc' }),
  'two addresses and passkeys': config({
    externalUrl: 'https://svc.example.com',
    internalUrl: 'https://svc.internal.example.com',
    auth: { adminUsers: ['ops@example.com'], webauthn: { enabled: true, rpId: 'example.com', displayName: 'Sleep' } },
  }),
  'local development without TLS': config({ externalUrl: 'http://localhost:8080', allowInsecureExternalUrl: true }),
  'one company, anonymous logs': config({
    auth: {
      adminUsers: ['ops@example.com'],
      allowedEmailDomains: ['example.com'],
      privacy: { domains: ['example.com'] },
      tokenExpiry: '1h',
      refreshExpiry: '24h',
    },
  }),
  'mail with a sign-in': {
    config: { smtp: { host: 'mail.example.com', port: 587, from: 'sleep@example.com' } },
    secrets: { smtp: { user: 'mailer', password: 'mail-password' } },
  },
  'no mail at all': config({ smtp: { enabled: false } }),
  'cards by mail': config({
    notifications: {
      enabled: true,
      channels: { email: { enabled: true, recipients: [{ address: 'ops@example.com' }] } },
    },
  }),
  'cards to Teams, high ones alone': config({
    notifications: {
      enabled: true,
      channels: {
        teams: {
          enabled: true,
          webhooks: [{ name: 'ops', url: 'https://teams.example.com/hook', events: { medium: false, low: false } }],
        },
      },
    },
  }),
  'cards to a signed webhook': config({
    notifications: {
      enabled: true,
      channels: {
        webhook: {
          enabled: true,
          webhooks: [{ url: 'https://hooks.example.com', secretRef: { name: 'hooks', key: 'hmac' } }],
        },
      },
    },
  }),
  'tiers both ways, with databases': config({
    hibernateOrdering: { tiers: [{ name: 'front', timeout: '2m', select: [{ namespace: 'shop' }] }] },
    wakeOrdering: { tiers: [{ name: 'data', timeout: '3m', databases: ['orders'] }] },
    databases: { orders: { type: 'cluster', identifier: 'orders', region: 'eu-central-1' } },
  }),
  'rules and exclusions': config({
    targeting: { namespaces: { exclude: [{ pattern: 'kube-*' }, { exact: 'svc' }, { pattern: '*-system' }] } },
    resourceRules: { neverScale: [{ namespace: 'shop', labels: { keep: 'true' }, reason: 'warm' }] },
  }),
  'a large cluster': {
    config: { controller: { maxConcurrentOperations: 200, kubernetesQPS: 500, kubernetesBurst: 1000 } },
    resources: { controller: memory('512Mi'), api: memory('512Mi') },
  },
  'a patient controller': {
    config: { controller: { reconcileInterval: '12h', wakeBarrierTimeout: '20m', workloadSettleTimeout: '25m' } },
    ...rule(),
  },
  'a host for other clusters': {
    config: {
      externalWake: {
        enabled: true,
        localClusterName: 'hub',
        clusters: [{ name: 'branch', secretRef: { name: 'wake', key: 'hmac' } }],
        excludedNamespaces: ['bank'],
        quotas: { maxConcurrentWakes: 10, maxWakeDuration: '4h', maxWakesPerHour: 60 },
      },
    },
    externalWakeSecrets: { create: true, secrets: [{ name: 'wake', keys: { hmac } }] },
  },
  'a dependent of two hosts': {
    config: {
      externalDependencies: ['hub', 'data'].map((cluster) => ({
        cluster,
        url: `https://${cluster}.example.com`,
        secretRef: { name: 'wake', key: cluster },
        resources: [{ namespace: 'shop' }],
      })),
    },
    externalWakeSecrets: { create: true, secrets: [{ name: 'wake', keys: { hub: hmac, data: hmac } }] },
  },
  'satellites in two namespaces': config(redirection('shop/web', 'crm/web', 'shop/api')),
  'satellites switched off, their names kept': config({
    serviceRedirection: { enabled: false, services: services('shop/web') },
  }),
  'satellites without the admission policy': { config: redirection('shop/web'), admissionPolicy: { enabled: false } },
  'satellites with pull secrets of their namespaces': {
    config: redirection('shop/web'),
    imagePullSecrets: { existingSecret: 'pull' },
    satellite: { imagePullSecrets: ['their-pull'] },
  },
  'satellites with a pull secret that helm puts there': {
    config: redirection('shop/web', 'crm/web'),
    imagePullSecrets: { create: true, username: 'robot', password: 'token' },
    satellite: { createPullSecrets: true },
  },
  'satellites on nodes of their own': {
    config: redirection('shop/web'),
    satellite: {
      nodeSelector: { pool: 'infra' },
      tolerations: [{ key: 'infra', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: { podAntiAffinity: {} },
    },
  },
  'readiness of addresses': config({
    urlReadinessCheck: { enabled: true, intervalSeconds: 10, consecutiveThreshold: 5, whitelist: ['*.example.com'] },
  }),
  'costs and savings': config({
    awsCosts: {
      enabled: true,
      tagValue: 'dev',
      costMetric: 'AmortizedCost',
      refreshTimeUTC: '04:00',
      resourceTags: { team: 'a' },
    },
    insights: { pue: 1.3, gridIntensityGCO2ePerKWh: 120 },
  }),
  'public dashboards': config({ dashboardApi: { enabled: true, corsOrigins: ['https://wall.example.com'] } }),
  'everything through a proxy': config({ proxyURL: 'http://proxy.example.com:3128' }),
  'a brand': {
    branding: { name: 'Example', logo: { light: '<svg viewBox="0 0 1 1"></svg>' }, accentColor: '#0b5394' },
  },
  'secrets that exist already': { secrets: { existingSecret: 'svc-own', jwtSecret: '', internalApiSecret: '' } },
  'an air-gapped registry': {
    image: {
      registry: 'registry.internal.example.com:5000',
      repositoryPrefix: 'mirror/svc',
      tag: '0.12.44',
      pullPolicy: 'Always',
      controller: { digest: `sha256:${'c'.repeat(64)}` },
      satellite: { digest: `sha256:${'5'.repeat(64)}` },
    },
    imagePullSecrets: { existingSecret: 'pull' },
  },
  'pull secrets of an umbrella chart': {
    global: { imagePullSecrets: ['shared', { name: 'other' }], storageClass: 'fast' },
  },
  'an umbrella chart with another release name': { enabled: true, fullnameOverride: 'svc', nameOverride: 'sleep' },
  'accounts for cloud roles': {
    serviceAccount: {
      api: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/svc-api' } },
      controller: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/svc-controller' } },
    },
  },
  'accounts and rights of somebody else': {
    rbac: { create: false },
    serviceAccount: { api: { create: false, name: 'my-api' }, controller: { create: false, name: 'my-controller' } },
  },
  'the fence of the apiserver': { admissionPolicy: { enabled: true, fence: true } },
  'certificates of our own': { tls: { enabled: true, secretName: 'svc-tls' } },
  'behind a load balancer': {
    service: { type: 'LoadBalancer', annotations: { 'service.beta.kubernetes.io/aws-load-balancer-internal': 'true' } },
    frontend: { trustedProxies: ['private_ranges', '2001:db8::/32'] },
  },
  'node ports, other ports': {
    service: { type: 'NodePort', api: { port: 8888, healthPort: 8889 }, frontend: { port: 8000, httpsPort: 8443 } },
  },
  'closed networks': {
    networkPolicy: {
      metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
      egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 443, protocol: 'TCP' }] }],
    },
  },
  'no network policies': { networkPolicy: { enabled: false } },
  'nodes for the platform': {
    nodeSelector: { 'node-role.kubernetes.io/infra': '' },
    tolerations: [{ key: 'node-role.kubernetes.io/infra', operator: 'Exists' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] }],
        },
      },
    },
  },
  'labels and annotations of a platform team': {
    podLabels: { 'app.kubernetes.io/part-of': 'platform', team: 'a' },
    podAnnotations: { 'prometheus.io/scrape': 'true' },
    deploymentLabels: { app: { team: 'a' }, controller: { 'app.kubernetes.io/managed-by': 'flux' } },
    deploymentAnnotations: { app: { 'reloader.stakater.com/auto': 'true' } },
  },
  'outside of a service mesh': {
    podAnnotations: { 'linkerd.io/inject': 'disabled' },
    podLabels: { 'sidecar.istio.io/inject': 'false' },
  },
  'a company certificate and variables': {
    extraEnvVars: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/company/ca.crt' }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'company-ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/etc/company', readOnly: true }],
  },
  'slow probes': {
    livenessProbe: { periodSeconds: 60, timeoutSeconds: 10 },
    readinessProbe: { initialDelaySeconds: 0 },
    startupProbe: { failureThreshold: 300 },
  },
  'no probes': {
    livenessProbe: { enabled: false },
    readinessProbe: { enabled: false },
    startupProbe: { enabled: false },
  },
  'other users': {
    podSecurityContext: { fsGroup: 2000 },
    securityContext: { api: { runAsUser: 2000 }, controller: { runAsUser: 2000 }, frontend: { runAsUser: 2000 } },
  },
  'an uninstall that hands nothing back': { uninstall: { handBack: false } },
  'metrics for the Prometheus operator': {
    metrics: {
      serviceMonitor: {
        enabled: true,
        namespace: 'monitoring',
        interval: '30s',
        scrapeTimeout: '10s',
        additionalLabels: { release: 'p' },
      },
      prometheusRule: {
        enabled: true,
        additionalLabels: { release: 'p' },
        alertExtraLabels: { team: 'a' },
        alertExtraAnnotations: { wiki: 'w' },
      },
      grafanaDashboard: { enabled: true, folder: 'Operations', sidecarLabelValue: 1 },
    },
  },
  'other thresholds, some alerts off': rule({
    alerts: {
      apiErrorRate: { thresholdPercent: 0.2, for: '10m' },
      configMapSizeWarning: { thresholdBytes: 500_000, severity: 'info' },
      reconciliationStalled: { thresholdSeconds: 14_400 },
      licenseExpiring: { enabled: false },
      notActing: { severity: 'critical' },
    },
  }),
  'a namespace of its own beside the release': { namespace: { create: true, name: 'sleeping' } },
};

const openShift = ['security.openshift.io/v1', 'route.openshift.io/v1'];

/** Fifty-seven, and the three files beside this one make sixty. */
export const installations: Readonly<Record<string, Installation>> = {
  ...Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, { values }])),
  'OpenShift, with satellites': { values: config(redirection('shop/web')), apiVersions: openShift },
};
