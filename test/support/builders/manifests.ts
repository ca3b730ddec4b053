import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';

// Small manifests: what a world needs of an object, and nothing that costs time to simulate.

export interface WorkloadParts {
  readonly kind: 'Deployment' | 'StatefulSet' | 'CronJob';
  /** Left out where whoever creates it names the namespace. */
  readonly namespace?: string;
  readonly name: string;
  readonly replicas?: number;
  readonly suspended?: boolean;
  readonly schedule?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** `sim.svc.io/` behaviours of its pods, without the prefix. */
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly startupProbe?: Readonly<Record<string, unknown>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly initContainers?: readonly string[];
  readonly owner?: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string };
  readonly deletesVolumes?: boolean;
  /** A StatefulSet whose pods start one after the other. */
  readonly ordered?: boolean;
  readonly container?: Readonly<Record<string, unknown>>;
  readonly pod?: Readonly<Record<string, unknown>>;
}

export function workloadManifest(parts: WorkloadParts): Manifest {
  const { kind, namespace, name } = parts;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { app: name, ...parts.labels },
    ...(parts.annotations === undefined ? {} : { annotations: { ...parts.annotations } }),
    ...(parts.owner === undefined ? {} : { ownerReferences: [{ ...parts.owner, controller: true }] }),
  };
  if (kind === 'CronJob') {
    return {
      apiVersion: 'batch/v1',
      kind,
      metadata,
      spec: {
        schedule: parts.schedule ?? '30 3 1 * *',
        suspend: parts.suspended ?? false,
        jobTemplate: { spec: { template: template(parts) } },
      },
    };
  }
  const spec = {
    replicas: parts.replicas ?? 1,
    selector: { matchLabels: { app: name } },
    template: template(parts),
    ...(kind === 'StatefulSet'
      ? { serviceName: name, podManagementPolicy: parts.ordered ? 'OrderedReady' : 'Parallel' }
      : {}),
    ...(parts.deletesVolumes ? { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } : {}),
  };
  return { apiVersion: 'apps/v1', kind, metadata, spec };
}

function template(parts: WorkloadParts) {
  const behaviour = Object.entries(parts.behaviour ?? {}).map(([name, value]) => [`sim.svc.io/${name}`, value]);
  return {
    metadata: { labels: { app: parts.name }, annotations: Object.fromEntries(behaviour) },
    spec: {
      ...(parts.kind === 'CronJob' ? { restartPolicy: 'Never' } : {}),
      ...(parts.nodeSelector === undefined ? {} : { nodeSelector: parts.nodeSelector }),
      ...(parts.initContainers === undefined
        ? {}
        : { initContainers: parts.initContainers.map((name) => ({ name, image: 'registry.example.com/init:1' })) }),
      containers: [
        {
          name: 'main',
          image: 'registry.example.com/app:1',
          ...(parts.startupProbe === undefined ? {} : { startupProbe: parts.startupProbe }),
          ...parts.container,
        },
      ],
      ...parts.pod,
    },
  };
}

export function namespaceManifest(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** In front of the pods that carry the label `app`. */
export function serviceManifest(namespace: string, name: string, app: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app }, ports: [{ name: 'http', port: 80, targetPort: 8_000, protocol: 'TCP' }] },
  };
}

export function autoscaler(namespace: string, target: string, minReplicas: number): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: target, namespace },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      minReplicas,
      maxReplicas: 6,
    },
  };
}

export function scaledObjectDefinition(): Manifest {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'scaledobjects.keda.sh' },
    spec: {
      group: 'keda.sh',
      scope: 'Namespaced',
      names: { plural: 'scaledobjects', singular: 'scaledobject', kind: 'ScaledObject', listKind: 'ScaledObjectList' },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
}

export function scaledObject(namespace: string, target: string): Manifest {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: target, namespace },
    spec: { scaleTargetRef: { name: target } },
  };
}
