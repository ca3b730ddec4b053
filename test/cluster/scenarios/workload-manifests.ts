import type { KubeClient } from '../../../src/adapters/kubernetes/kube-client.ts';
import { type CustomObject, type ResourceType, resources } from '../../../src/adapters/kubernetes/resource-type.ts';

export interface WorkloadParts {
  readonly kind?: 'Deployment' | 'StatefulSet' | 'CronJob';
  readonly name: string;
  readonly replicas?: number;
  readonly suspended?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** `sim.svc.io/` behaviours of its pods, without the prefix. */
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly container?: Readonly<Record<string, unknown>>;
  readonly pod?: Readonly<Record<string, unknown>>;
}

export const workloadTypes = {
  Deployment: resources.deployments,
  StatefulSet: resources.statefulSets,
  CronJob: resources.cronJobs,
} as unknown as Readonly<Record<'Deployment' | 'StatefulSet' | 'CronJob', ResourceType<CustomObject>>>;

export async function createWorkloads(
  client: KubeClient,
  namespace: string,
  workloads: readonly WorkloadParts[],
): Promise<void> {
  await Promise.all(
    workloads.map((parts) => client.create(workloadTypes[parts.kind ?? 'Deployment'], namespace, manifestOf(parts))),
  );
}

export function manifestOf(parts: WorkloadParts): CustomObject {
  const { kind = 'Deployment', name, annotations } = parts;
  const metadata = {
    name,
    labels: { app: name, ...parts.labels },
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
  if (kind === 'CronJob') {
    return {
      apiVersion: 'batch/v1',
      kind,
      metadata,
      // Once a year: no job runs while a test looks.
      spec: {
        schedule: '30 3 1 1 *',
        suspend: parts.suspended ?? false,
        jobTemplate: { spec: { template: template(parts) } },
      },
    };
  }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata,
    spec: {
      replicas: parts.replicas ?? 1,
      selector: { matchLabels: { app: name } },
      template: template(parts),
      ...(kind === 'StatefulSet' ? { serviceName: name, podManagementPolicy: 'Parallel' } : {}),
    },
  };
}

function template({ kind, name, behaviour, container, pod }: WorkloadParts) {
  const declared = Object.entries({ 'terminate-seconds': '0', ...behaviour });
  return {
    metadata: {
      labels: { app: name },
      annotations: Object.fromEntries(declared.map(([key, value]) => [`sim.svc.io/${key}`, value])),
    },
    spec: {
      ...(kind === 'CronJob' ? { restartPolicy: 'Never' } : {}),
      containers: [{ name: 'main', image: 'registry.example.com/app:1', ...container }],
      ...pod,
    },
  };
}
