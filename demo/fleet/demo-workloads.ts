type DemoKind = 'Deployment' | 'StatefulSet' | 'CronJob';
type DemoTier = 'data' | 'backend' | 'frontend';

/** One row of the demo world; what it does not say has a believable default. */
export interface DemoWorkload {
  readonly name: string;
  readonly kind?: DemoKind;
  readonly image: string;
  readonly tier?: DemoTier;
  readonly replicas?: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly port?: number;
  /** From the start of a container to its readiness; varied a little by the seed. */
  readonly startSeconds?: number;
  readonly startupProbe?: { readonly failureThreshold: number; readonly periodSeconds: number };
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly suspended?: boolean;
  /** Behaviours of its pods, without the prefix. */
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly disk?: string;
  readonly init?: boolean;
  readonly ownedBy?: { readonly apiVersion: string; readonly kind: string; readonly name: string };
}

export const searchCluster = { apiVersion: 'search.example.com/v1', kind: 'SearchCluster', name: 'catalogue' } as const;

const argo = { 'app.kubernetes.io/managed-by': 'argocd', 'argocd.argoproj.io/instance': 'staging' };

/** About sixty workloads as a mid-sized company has them, among them one of each kind of trouble. */
export const demoWorkloads: Readonly<Record<string, readonly DemoWorkload[]>> = {
  shop: [
    {
      name: 'storefront',
      image: 'shop/storefront:5.12.0',
      tier: 'frontend',
      replicas: 3,
      port: 8080,
      startSeconds: 25,
    },
    { name: 'cart', image: 'shop/cart:2.8.1', replicas: 2, startSeconds: 20, behaviour: { 'terminate-seconds': '8' } },
    { name: 'checkout', image: 'shop/checkout:3.4.0', replicas: 2, startSeconds: 45 },
    { name: 'catalogue', image: 'shop/catalogue:4.0.2', replicas: 2, startSeconds: 35, init: true },
    { name: 'recommendations', image: 'shop/recommendations:1.9.3', startSeconds: 120, memory: '1Gi' },
    { name: 'product-images', image: 'shop/product-images:1.2.0', tier: 'frontend', startSeconds: 20 },
    {
      name: 'shop-db',
      kind: 'StatefulSet',
      image: 'postgres:17.2',
      tier: 'data',
      disk: '20Gi',
      port: 5432,
      startSeconds: 40,
      memory: '1Gi',
    },
    { name: 'price-sync', kind: 'CronJob', image: 'shop/price-sync:1.4.0', schedule: '*/30 * * * *' },
    {
      name: 'abandoned-carts',
      kind: 'CronJob',
      image: 'shop/mailer:2.0.1',
      schedule: '0 9 * * 1-5',
      timeZone: 'Europe/Berlin',
    },
  ],
  payments: [
    { name: 'gateway', image: 'payments/gateway:7.1.0', tier: 'frontend', replicas: 3, port: 8443, startSeconds: 30 },
    {
      name: 'ledger',
      image: 'payments/ledger:3.3.3',
      replicas: 2,
      startSeconds: 90,
      startupProbe: { failureThreshold: 30, periodSeconds: 10 },
    },
    {
      name: 'fraud-scoring',
      image: 'payments/fraud-scoring:0.18.0',
      startSeconds: 180,
      memory: '2Gi',
      startupProbe: { failureThreshold: 40, periodSeconds: 10 },
    },
    {
      name: 'invoicing',
      image: 'payments/invoicing:2.2.0',
      behaviour: { 'crash-after-seconds': '15', 'crash-times': '3' },
      startSeconds: 20,
    },
    { name: 'payouts', image: 'payments/payouts:1.1.4', startSeconds: 25, annotations: { 'svc.io/exclude': 'true' } },
    {
      name: 'payments-db',
      kind: 'StatefulSet',
      image: 'postgres:17.2',
      tier: 'data',
      replicas: 2,
      disk: '50Gi',
      port: 5432,
      startSeconds: 50,
      memory: '2Gi',
    },
    {
      name: 'settlement',
      kind: 'CronJob',
      image: 'payments/settlement:1.6.0',
      schedule: '15 2 * * *',
      timeZone: 'Europe/Berlin',
    },
    {
      name: 'card-migration',
      kind: 'CronJob',
      image: 'payments/card-migration:0.3.0',
      schedule: '@daily',
      suspended: true,
    },
  ],
  search: [
    { name: 'query-api', image: 'search/query-api:6.0.0', tier: 'frontend', replicas: 2, startSeconds: 30 },
    { name: 'suggest', image: 'search/suggest:2.5.1', startSeconds: 40 },
    {
      name: 'catalogue-search',
      image: 'search/operator-node:1.8.0',
      replicas: 2,
      startSeconds: 70,
      ownedBy: searchCluster,
    },
    { name: 'indexer', image: 'search/indexer:4.4.0', startSeconds: 60, init: true },
    { name: 'synonyms', image: 'search/synonyms:1.0.7', startSeconds: 20, replicas: 0 },
    {
      name: 'search-data',
      kind: 'StatefulSet',
      image: 'opensearch:2.19.0',
      tier: 'data',
      replicas: 3,
      disk: '30Gi',
      port: 9200,
      startSeconds: 100,
      memory: '2Gi',
      startupProbe: { failureThreshold: 60, periodSeconds: 10 },
    },
    { name: 'reindex', kind: 'CronJob', image: 'search/indexer:4.4.0', schedule: '0 3 * * 0' },
  ],
  media: [
    { name: 'upload', image: 'media/upload:3.0.0', tier: 'frontend', replicas: 2, startSeconds: 20 },
    { name: 'transcoder', image: 'media/transcoder:9.2.0', replicas: 2, cpu: '500m', memory: '1Gi', startSeconds: 150 },
    { name: 'thumbnailer', image: 'media/thumbnailer:2.1.0', startSeconds: 30 },
    {
      name: 'gpu-upscaler',
      image: 'media/upscaler:0.9.0',
      cpu: '500m',
      nodeSelector: { 'sim.svc.io/nowhere': 'true' },
    },
    { name: 'subtitles', image: 'media/subtitles:1.3.0', startSeconds: 80 },
    {
      name: 'object-store',
      kind: 'StatefulSet',
      image: 'minio:2026.3',
      tier: 'data',
      replicas: 2,
      disk: '100Gi',
      port: 9000,
      startSeconds: 30,
    },
    { name: 'cleanup-uploads', kind: 'CronJob', image: 'media/cleanup:1.0.2', schedule: '@hourly' },
  ],
  analytics: [
    { name: 'collector', image: 'analytics/collector:5.5.0', tier: 'frontend', replicas: 2, startSeconds: 20 },
    { name: 'dashboards', image: 'grafana:12.1.0', tier: 'frontend', startSeconds: 35 },
    { name: 'stream-processor', image: 'analytics/streams:2.0.0', replicas: 2, cpu: '300m', startSeconds: 110 },
    { name: 'experiments', image: 'analytics/experiments:1.7.0', startSeconds: 25 },
    {
      name: 'notebooks',
      image: 'analytics/notebooks:4.1.0',
      memory: '2Gi',
      startSeconds: 240,
      startupProbe: { failureThreshold: 60, periodSeconds: 10 },
    },
    {
      name: 'warehouse',
      kind: 'StatefulSet',
      image: 'clickhouse:26.2',
      tier: 'data',
      disk: '200Gi',
      port: 8123,
      memory: '4Gi',
      cpu: '1',
      startSeconds: 75,
    },
    {
      name: 'daily-report',
      kind: 'CronJob',
      image: 'analytics/report:3.2.0',
      schedule: '30 6 * * *',
      timeZone: 'Europe/Berlin',
    },
    {
      name: 'funnel-export',
      kind: 'CronJob',
      image: 'analytics/export:1.1.0',
      schedule: '10 */4 * * *',
      behaviour: { 'run-seconds': '120' },
    },
  ],
  platform: [
    { name: 'identity', image: 'platform/identity:8.0.1', replicas: 2, startSeconds: 50 },
    { name: 'notifications', image: 'platform/notifications:2.9.0', startSeconds: 20 },
    { name: 'feature-flags', image: 'platform/flags:1.15.0', startSeconds: 20 },
    { name: 'audit-log', image: 'platform/audit-log:1.2.2', startSeconds: 30 },
    {
      name: 'legacy-bridge',
      image: 'platform/legacy-bridge:0.4.9',
      behaviour: { 'crash-after-seconds': '8', 'exit-code': '137' },
    },
    {
      name: 'queue',
      kind: 'StatefulSet',
      image: 'rabbitmq:4.1',
      tier: 'data',
      replicas: 3,
      disk: '10Gi',
      port: 5672,
      startSeconds: 30,
    },
    {
      name: 'cache',
      kind: 'StatefulSet',
      image: 'valkey:8.1',
      tier: 'data',
      disk: '5Gi',
      port: 6379,
      startSeconds: 20,
    },
    { name: 'certificate-check', kind: 'CronJob', image: 'platform/cert-check:1.0.0', schedule: '0 */6 * * *' },
  ],
  staging: [
    { name: 'storefront', image: 'shop/storefront:5.13.0-rc2', tier: 'frontend', startSeconds: 25, labels: argo },
    { name: 'cart', image: 'shop/cart:2.9.0-rc1', startSeconds: 20, labels: argo },
    { name: 'checkout', image: 'shop/checkout:3.5.0-rc4', startSeconds: 45, labels: argo },
    { name: 'preview-1482', image: 'registry.example.com/shop/preview:pr-1482', behaviour: { pull: 'fail' } },
    {
      name: 'shop-db',
      kind: 'StatefulSet',
      image: 'postgres:17.2',
      tier: 'data',
      disk: '5Gi',
      port: 5432,
      startSeconds: 30,
    },
    { name: 'load-test', image: 'staging/load-test:0.7.0', replicas: 0 },
  ],
  tools: [
    { name: 'wiki', image: 'tools/wiki:3.8.0', tier: 'frontend', startSeconds: 60 },
    {
      name: 'issue-tracker',
      image: 'tools/tracker:11.4.0',
      tier: 'frontend',
      startSeconds: 130,
      memory: '2Gi',
      startupProbe: { failureThreshold: 45, periodSeconds: 10 },
    },
    {
      name: 'ci-runner',
      image: 'tools/ci-runner:17.5.0',
      replicas: 2,
      cpu: '500m',
      startSeconds: 20,
      behaviour: { 'terminate-seconds': '25' },
    },
    { name: 'registry', image: 'tools/registry:3.0.0', startSeconds: 20 },
    { name: 'dev-mail', image: 'tools/mailpit:1.24.0', startSeconds: 20 },
    {
      name: 'tools-db',
      kind: 'StatefulSet',
      image: 'postgres:16.8',
      tier: 'data',
      disk: '20Gi',
      port: 5432,
      startSeconds: 35,
    },
    { name: 'backup', kind: 'CronJob', image: 'tools/backup:2.3.0', schedule: '0 1 * * *', timeZone: 'Europe/Berlin' },
  ],
};
