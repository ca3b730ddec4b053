import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { behaviourPrefix, nowhere } from '../../embedded-cluster/kubelet/behaviour.ts';

interface Options {
  readonly tier?: string;
  readonly replicas?: number;
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly nowhere?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startupProbe?: { readonly failureThreshold: number; readonly periodSeconds: number };
}

export function namespaces(...names: readonly string[]): readonly Manifest[] {
  return names.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

export function deployment(namespace: string, name: string, options: Options = {}): Manifest {
  const behaviour = Object.entries({ 'start-seconds': '20', ...options.behaviour });
  const labels = { app: name, tier: options.tier ?? 'backend' };
  const { startupProbe } = options;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels, annotations: { ...options.annotations } },
    spec: {
      replicas: options.replicas ?? 2,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: {
          labels,
          annotations: Object.fromEntries(behaviour.map(([key, value]) => [`${behaviourPrefix}${key}`, value])),
        },
        spec: {
          ...(options.nowhere ? { nodeSelector: nowhere } : {}),
          containers: [
            {
              name: 'main',
              image: `registry.example.com/${name}:1`,
              ...(startupProbe === undefined
                ? {}
                : { startupProbe: { ...startupProbe, httpGet: { path: '/', port: 8080 } } }),
            },
          ],
        },
      },
    },
  };
}

/** A Service of the same name as what it fronts. */
export function service(namespace: string, name: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  };
}

function cronJob(namespace: string, name: string): Manifest {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: {
        spec: {
          template: {
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example.com/job:1' }] },
          },
        },
      },
    },
  };
}

/** Tiers by label, in the order given. */
export function tiers(...names: readonly string[]) {
  return {
    tiers: names.map((tier) => ({ name: tier, select: [{ namespace: 'shop', labels: { tier } }] })),
  };
}

/** A small shop: data, backends and frontends, one workload that is excluded. */
export const shop: readonly Manifest[] = [
  ...namespaces('shop'),
  deployment('shop', 'orders-cache', { tier: 'data', replicas: 1 }),
  deployment('shop', 'cart'),
  deployment('shop', 'checkout', { behaviour: { 'start-seconds': '45' } }),
  deployment('shop', 'storefront', { tier: 'frontend', replicas: 3 }),
  deployment('shop', 'payouts', { annotations: { 'svc.io/exclude': 'true' } }),
  cronJob('shop', 'price-sync'),
];
