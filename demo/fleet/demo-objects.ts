import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { loadAnnotation } from '../../embedded-cluster/controllers/autoscaler-controller.ts';
import { behaviourPrefix } from '../../embedded-cluster/kubelet/behaviour.ts';
import { type DemoWorkload, demoWorkloads, searchCluster } from './demo-workloads.ts';

const perStart = 0.2;

/** The demo world as manifests, in the order in which they must be applied. The seed varies how long things take. */
export function demoObjects(seed: number): readonly Manifest[] {
  const namespaces = [...Object.keys(demoWorkloads), 'kube-system'];
  return [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...customResource(),
    ...Object.entries(demoWorkloads).flatMap(([namespace, rows]) =>
      rows.flatMap((row) => workloadObjects(namespace, row, seed)),
    ),
    ...systemObjects(),
    autoscaler('shop', 'checkout', { least: 2, most: 6, load: 140 }),
  ];
}

function workloadObjects(namespace: string, row: DemoWorkload, seed: number): Manifest[] {
  if (row.kind === 'CronJob') return [cronJob(namespace, row)];
  const workload = row.kind === 'StatefulSet' ? statefulSet(namespace, row, seed) : deployment(namespace, row, seed);
  return [service(namespace, row), workload];
}

function deployment(namespace: string, row: DemoWorkload, seed: number): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadataOf(namespace, row), ...ownersOf(row) },
    spec: {
      replicas: row.replicas ?? 1,
      selector: { matchLabels: selectorOf(row) },
      template: template(namespace, row, seed),
    },
  };
}

function statefulSet(namespace: string, row: DemoWorkload, seed: number): Manifest {
  const storage = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: row.disk ?? '10Gi' } } };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadataOf(namespace, row),
    spec: {
      replicas: row.replicas ?? 1,
      serviceName: row.name,
      selector: { matchLabels: selectorOf(row) },
      template: template(namespace, row, seed),
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: storage }],
    },
  };
}

function cronJob(namespace: string, row: DemoWorkload): Manifest {
  const pod = {
    metadata: { labels: selectorOf(row), annotations: prefixed({ 'run-seconds': '40', ...row.behaviour }) },
    spec: { restartPolicy: 'Never', containers: [container(row)] },
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadataOf(namespace, row),
    spec: {
      schedule: row.schedule ?? '@hourly',
      ...(row.timeZone === undefined ? {} : { timeZone: row.timeZone }),
      suspend: row.suspended ?? false,
      concurrencyPolicy: 'Forbid',
      jobTemplate: { spec: { backoffLimit: 2, template: pod } },
    },
  };
}

/** Named ports, so that whatever stands in for the service can listen on the same ones. */
function service(namespace: string, row: DemoWorkload): Manifest {
  const main =
    row.tier === 'data'
      ? { name: 'tcp', port: row.port ?? 8080, targetPort: 'tcp' }
      : { name: 'http', port: 80, targetPort: 'http' };
  const ports = [main];
  const metrics = { name: 'metrics', port: 9090, targetPort: 'metrics' };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: row.name, namespace, labels: labelsOf(row) },
    spec: { selector: selectorOf(row), ports: row.tier === 'frontend' ? [...ports, metrics] : ports },
  };
}

function template(namespace: string, row: DemoWorkload, seed: number) {
  const start =
    row.startSeconds === undefined
      ? {}
      : { 'start-seconds': String(varied(row.startSeconds, seed, namespace, row.name)) };
  const annotations = prefixed({ ...start, ...row.behaviour });
  const init =
    row.init === true ? { initContainers: [{ name: 'migrate', image: row.image, command: ['migrate'] }] } : {};
  return {
    metadata: { labels: labelsOf(row), annotations },
    spec: {
      containers: [container(row)],
      ...init,
      ...(row.nodeSelector === undefined ? {} : { nodeSelector: row.nodeSelector }),
    },
  };
}

function container(row: DemoWorkload) {
  const port = row.port ?? 8080;
  const memory = row.memory ?? '256Mi';
  return {
    name: 'app',
    image: row.image,
    ...(row.kind === 'CronJob'
      ? {}
      : {
          ports: [
            { name: row.tier === 'data' ? 'tcp' : 'http', containerPort: port },
            { name: 'metrics', containerPort: 9090 },
          ],
        }),
    resources: { requests: { cpu: row.cpu ?? '100m', memory }, limits: { memory } },
    ...(row.startupProbe === undefined
      ? {}
      : { startupProbe: { tcpSocket: { port: row.port ?? 8080 }, ...row.startupProbe } }),
  };
}

function metadataOf(namespace: string, row: DemoWorkload) {
  const { annotations } = row;
  return { name: row.name, namespace, labels: labelsOf(row), ...(annotations === undefined ? {} : { annotations }) };
}

function selectorOf(row: DemoWorkload): Record<string, string> {
  return { 'app.kubernetes.io/name': row.name };
}

function labelsOf(row: DemoWorkload): Record<string, string> {
  const tier = row.kind === 'CronJob' ? {} : { tier: row.tier ?? 'backend' };
  return { ...selectorOf(row), ...tier, ...row.labels };
}

function ownersOf({ ownedBy }: DemoWorkload) {
  return ownedBy === undefined ? {} : { ownerReferences: [{ ...ownedBy, controller: true, blockOwnerDeletion: true }] };
}

function prefixed(behaviour: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(behaviour).map(([name, value]) => [`${behaviourPrefix}${name}`, value]));
}

/** The figure, up to a fifth longer; the same for the same seed. */
function varied(seconds: number, seed: number, namespace: string, name: string): number {
  let hash = seed | 0;
  for (const letter of `${namespace}/${name}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return Math.round(seconds * (1 + (perStart * (hash >>> 0)) / 2 ** 32));
}

function customResource(): Manifest[] {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return [
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'searchclusters.search.example.com' },
      spec: {
        group: 'search.example.com',
        scope: 'Namespaced',
        names: { plural: 'searchclusters', singular: 'searchcluster', kind: searchCluster.kind },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
    {
      apiVersion: searchCluster.apiVersion,
      kind: searchCluster.kind,
      metadata: { name: searchCluster.name, namespace: 'search' },
      spec: { nodes: 2 },
    },
  ];
}

function systemObjects(): Manifest[] {
  const dns: DemoWorkload = { name: 'coredns', image: 'coredns:1.12.1', replicas: 2, memory: '128Mi', startSeconds: 3 };
  const metrics: DemoWorkload = { name: 'metrics-server', image: 'metrics-server:0.8.0', startSeconds: 20 };
  return [dns, metrics].map((row) => deployment('kube-system', row, 0));
}

function autoscaler(
  namespace: string,
  name: string,
  { least, most, load }: { readonly least: number; readonly most: number; readonly load: number },
): Manifest {
  const target = { type: 'Utilization', averageUtilization: 70 };
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, namespace, annotations: { [loadAnnotation]: String(load) } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: least,
      maxReplicas: most,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
    },
  };
}
