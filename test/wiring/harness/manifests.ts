import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { behaviourPrefix } from '../../../embedded-cluster/kubelet/behaviour.ts';

export interface WorkloadOptions {
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** How its pods behave, as `embedded-cluster/kubelet/behaviour.ts` has it. */
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
  readonly pod?: Readonly<Record<string, unknown>>;
  /** With a startupProbe that allows a minute and a half. */
  readonly patient?: true;
}

/** `shop/cart` as a Deployment. */
export function deployment(place: string, options: WorkloadOptions = {}): Manifest {
  return workload('Deployment', place, options);
}

export function statefulSet(place: string, options: WorkloadOptions = {}): Manifest {
  return workload('StatefulSet', place, options);
}

export function cronJob(place: string): Manifest {
  const [namespace = '', name = ''] = place.split('/');
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example/main:1' }] } };
  const spec = { schedule: '0 3 * * *', jobTemplate: { spec: { template } } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { namespace, name }, spec };
}

export function service(place: string, app: string): Manifest {
  const [namespace = '', name = ''] = place.split('/');
  const spec = { selector: { app }, ports: [{ port: 80, targetPort: 8080 }] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name }, spec };
}

function workload(kind: 'Deployment' | 'StatefulSet', place: string, options: WorkloadOptions): Manifest {
  const [namespace = '', name = ''] = place.split('/');
  const { replicas = 1, labels = {}, annotations = {}, behaviour = {}, requests, pod, patient } = options;
  const marks = Object.fromEntries(
    Object.entries(behaviour).map(([key, value]) => [`${behaviourPrefix}${key}`, value]),
  );
  const resources = requests === undefined ? {} : { resources: { requests } };
  const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1, failureThreshold: 90 };
  const startup = patient === undefined ? {} : { startupProbe: probe };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { namespace, name, labels, annotations },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations: marks },
        spec: { ...pod, containers: [{ name: 'main', image: 'example/main:1', ...resources, ...startup }] },
      },
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
    },
  };
}
