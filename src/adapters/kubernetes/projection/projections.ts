import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.d.ts';
import type { Namespace, Service } from 'kubernetes-types/core/v1.d.ts';
import type { KindRow } from '../../../domain/kinds/kind-row.ts';
import type { KindTable } from '../../../domain/kinds/kind-table.ts';
import { isScalableKind, type WorkloadKind } from '../../../domain/kinds/kinds.ts';
import type { ControllingOwner, StringMap, Workload } from '../../../domain/workload.ts';
import type { CustomObject, WorkloadObject } from '../client/resource-type.ts';
import { StringPool } from '../json/string-pool.ts';
import { projectPod } from './pod-projection.ts';
import { annotationsOf, controllerOf, projectScalable, projectSwitched } from './workload-projection.ts';

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
  readonly controlledBy?: ControllingOwner;
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
export function projections(kinds: () => KindTable, pool = new StringPool()) {
  return {
    workload: new WorkloadProjections(kinds, pool),
    pod: projectPod(pool),
    namespace: (raw: Namespace): NamespaceView => ({
      name: raw.metadata?.name ?? '',
      labels: pool.map(raw.metadata?.labels),
      annotations: annotationsOf(raw.metadata, pool),
      phase: raw.status?.phase === 'Terminating' ? 'Terminating' : 'Active',
      deleting: raw.metadata?.deletionTimestamp !== undefined,
    }),
    autoscaler: (raw: HorizontalPodAutoscaler): AutoscalerView => {
      const owner = controllerOf(raw.metadata, pool);
      return {
        namespace: pool.text(raw.metadata?.namespace ?? ''),
        name: raw.metadata?.name ?? '',
        targetKind: pool.text(raw.spec?.scaleTargetRef?.kind ?? ''),
        targetName: pool.text(raw.spec?.scaleTargetRef?.name ?? ''),
        minReplicas: raw.spec?.minReplicas ?? 1,
        ...(owner && { controlledBy: owner }),
      };
    },
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

/** The rows in force, with one projection for each, which has a literal of its own kind of object. */
class WorkloadProjections {
  readonly #kinds: () => KindTable;
  readonly #pool: StringPool;
  readonly #made = new Map<WorkloadKind, { readonly row: KindRow; project(raw: WorkloadObject): Workload }>();

  constructor(kinds: () => KindTable, pool: StringPool) {
    this.#kinds = kinds;
    this.#pool = pool;
  }

  /** Throws for a kind that nobody describes any more. */
  row(kind: WorkloadKind): KindRow {
    const row = this.#kinds().row(kind);
    if (row === undefined) throw new Error(`config.targeting.kinds does not describe ${kind}.`);
    return row;
  }

  of(kind: WorkloadKind): (raw: WorkloadObject) => Workload {
    const row = this.row(kind);
    const known = this.#made.get(kind);
    if (known?.row === row) return known.project;
    // The published types are narrower than what a projection needs to know of an object.
    const project = isScalableKind(kind)
      ? (projectScalable(kind, this.#pool) as (raw: WorkloadObject) => Workload)
      : projectSwitched(kind, { row, kinds: this.#kinds }, this.#pool);
    this.#made.set(kind, { row, project });
    return project;
  }
}

export type Projections = ReturnType<typeof projections>;
