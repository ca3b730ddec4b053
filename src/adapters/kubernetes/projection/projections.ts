import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
import type { Namespace, Service } from 'kubernetes-types/core/v1.d.ts';
import { isScalableKind, kindNames, type WorkloadKind } from '../../../domain/kinds/kinds.ts';
import type { StringMap, Workload } from '../../../domain/workload.ts';
import type { CustomObject, WorkloadObject } from '../client/resource-type.ts';
import { StringPool } from '../json/string-pool.ts';
import { projectPod } from './pod-projection.ts';
import { annotationsOf, projectScalable, projectSwitched } from './workload-projection.ts';

export interface NamespaceView {
  readonly name: string;
  readonly labels: StringMap;
  readonly annotations: StringMap;
  readonly phase: 'Active' | 'Terminating';
  readonly deleting: boolean;
}

export interface AutoscalerView {
  readonly namespace: string;
  readonly name: string;
  readonly targetKind: string;
  readonly targetName: string;
  /** 1 when the object names none, as the apiserver has it. */
  readonly minReplicas: number;
}

export interface ScaledObjectView {
  readonly namespace: string;
  readonly name: string;
  readonly targetKind: string;
  readonly targetName: string;
}

interface ServicePortView {
  readonly name: string;
  readonly port: number;
  /** A number, or the name of a container port. */
  readonly targetPort: number | string;
  readonly protocol: string;
}

export interface ServiceView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly selector: StringMap;
  readonly ports: readonly ServicePortView[];
  readonly type: string;
  readonly annotations: StringMap;
}

/** From the cluster's objects to the small values that stay in memory. Equal texts are kept once in the pool. */
export function projections(pool = new StringPool()) {
  return {
    workload: projectWorkloads(pool),
    pod: projectPod(pool),
    namespace: (raw: Namespace): NamespaceView => ({
      name: raw.metadata?.name ?? '',
      labels: pool.map(raw.metadata?.labels),
      annotations: annotationsOf(raw.metadata, pool),
      phase: raw.status?.phase === 'Terminating' ? 'Terminating' : 'Active',
      deleting: raw.metadata?.deletionTimestamp !== undefined,
    }),
    autoscaler: (raw: HorizontalPodAutoscaler): AutoscalerView => ({
      namespace: pool.text(raw.metadata?.namespace ?? ''),
      name: raw.metadata?.name ?? '',
      targetKind: pool.text(raw.spec?.scaleTargetRef?.kind ?? ''),
      targetName: pool.text(raw.spec?.scaleTargetRef?.name ?? ''),
      minReplicas: raw.spec?.minReplicas ?? 1,
    }),
    scaledObject: (raw: CustomObject): ScaledObjectView => {
      const target = (raw.spec?.['scaleTargetRef'] ?? {}) as { readonly kind?: string; readonly name?: string };
      return {
        namespace: pool.text(raw.metadata?.namespace ?? ''),
        name: raw.metadata?.name ?? '',
        // KEDA scales a Deployment when the kind is left out.
        targetKind: pool.text(target.kind ?? 'Deployment'),
        targetName: pool.text(target.name ?? ''),
      };
    },
    service: (raw: Service): ServiceView => ({
      namespace: pool.text(raw.metadata?.namespace ?? ''),
      name: raw.metadata?.name ?? '',
      uid: raw.metadata?.uid ?? '',
      resourceVersion: raw.metadata?.resourceVersion ?? '',
      selector: pool.map(raw.spec?.selector),
      ports: (raw.spec?.ports ?? []).map((port) => ({
        name: pool.text(port.name ?? ''),
        port: port.port,
        targetPort: typeof port.targetPort === 'string' ? pool.text(port.targetPort) : (port.targetPort ?? port.port),
        protocol: pool.text(port.protocol ?? 'TCP'),
      })),
      type: pool.text(raw.spec?.type ?? 'ClusterIP'),
      annotations: annotationsOf(raw.metadata, pool),
    }),
  };
}

type WorkloadProjections = Readonly<Record<WorkloadKind, (raw: WorkloadObject) => Workload>>;

/** One projection a kind, each with a literal of its own kind of object. */
function projectWorkloads(pool: StringPool): WorkloadProjections {
  const entries = kindNames.map((kind) => [
    kind,
    isScalableKind(kind) ? projectScalable(kind, pool) : projectSwitched(kind, pool),
  ]);
  return Object.fromEntries(entries) as WorkloadProjections;
}

export type Projections = ReturnType<typeof projections>;
