import type { ScalableKind, WorkloadKind } from './kinds/kinds.ts';

/** Milliseconds since the epoch, UTC. Inside the domain an instant is this number; text forms belong to the codecs. */
export type EpochMs = number;

/** What names a workload in records, logs and listings. */
export interface WorkloadRef {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
}

/** The owner that drives an object: the owner reference with `controller: true`. */
export interface ControllingOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export type StringMap = Readonly<Record<string, string>>;

interface WorkloadCommon extends WorkloadRef {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: EpochMs;
  readonly labels: StringMap;
  readonly annotations: StringMap;
  /** True once the object carries a deletion timestamp. */
  readonly deleting: boolean;
  readonly controlledBy?: ControllingOwner;
  /** The workload of its namespace that it runs in its own way. */
  readonly drives?: { readonly kind: string; readonly name: string };
}

/** The start-up probe of one container, with Kubernetes' defaults filled in. */
export interface StartupProbe {
  readonly initialDelaySeconds: number;
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly timeoutSeconds: number;
  /** Goes before the pod's own; absent when the probe declares none. */
  readonly terminationGracePeriodSeconds?: number;
}

export interface ContainerSpec {
  readonly name: string;
  readonly startupProbe?: StartupProbe;
  /** Requests in cores and bytes; absent when the container declares none. */
  readonly cpuCores?: number;
  readonly memoryBytes?: number;
}

export type Architecture = 'amd64' | 'arm64';

export interface Scalable extends WorkloadCommon {
  readonly kind: ScalableKind;
  /** `spec.replicas`; an absent value means 1, as the apiserver has it. */
  readonly replicas: number;
  /** The field manager that owns `spec.replicas`. Known from a fresh read only: caches do not keep managed fields. */
  readonly replicasSetBy?: string;
  readonly generation: number;
  readonly observedGeneration: number;
  readonly statusReplicas: number;
  readonly readyReplicas: number;
  readonly updatedReplicas: number;
  /** Since when it lacks the pods that it must have. Absent while it has them; StatefulSets do not say. */
  readonly unavailableSince?: EpochMs;
  readonly selector: LabelSelector;
  /** The labels that its template gives its pods: those it selects them by, and maybe more. */
  readonly podLabels: StringMap;
  readonly containers: readonly ContainerSpec[];
  /** Init containers with `restartPolicy: Always`; absent when there are none. */
  readonly sidecars?: readonly ContainerSpec[];
  readonly terminationGracePeriodSeconds: number;
  /** A StatefulSet with `persistentVolumeClaimRetentionPolicy.whenScaled: Delete`: scaling it down destroys data. */
  readonly scalingDownDeletesVolumes: boolean;
  /** The only kind of node that its pods may run on; absent when its template leaves it open. */
  readonly architecture?: Architecture;
}

/** What is on or off: a CronJob is suspended or not. */
export interface Switched extends WorkloadCommon {
  /** True while the place that its kind sleeps by holds the value that it sleeps by. */
  readonly suspended: boolean;
  /**
   * What else stands at that place, as JSON; absent while nothing does, and for a kind whose field is always there: what is
   * not suspended then stands as the apiserver fills it in. `null`: nothing does, in an object that is there for it.
   */
  readonly value?: string;
  /** While it is suspended: so many steps lead to what holds nothing but the place, and goes with it where nothing was there. */
  readonly loneAfter?: number;
  /** The workloads that it lists and would bring back, by key; only of a kind that keeps such a list. */
  readonly heals?: readonly string[];
  /** The place of its spec that keeps it from sleeping, with what stands there: `spec.minRunners is 2`. */
  readonly keptUpBy?: string;
  /** What its own status says of it; only of a kind whose row names the condition. `since`: 0 where that does not say. */
  readonly ready?: { readonly status: boolean; readonly since: EpochMs };
  /** The field manager that owns that place; known from a fresh read only. */
  readonly suspendSetBy?: string;
}

export type Workload = Scalable | Switched;

export interface LabelSelector {
  readonly matchLabels: StringMap;
  readonly matchExpressions: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values: readonly string[];
}

/** The one text form of a reference, for maps, logs and the `pending` field: `Deployment shop/cart`. */
export function workloadKey(ref: WorkloadRef): string {
  return `${ref.kind} ${ref.namespace}/${ref.name}`;
}

export function isScalable(workload: Workload): workload is Scalable {
  return 'replicas' in workload;
}

/** All that it asks for is ready, as its own status says; what does not say so is ready while it is not down. */
export function isReady(workload: Workload): boolean {
  if (isScalable(workload)) return workload.readyReplicas >= workload.replicas;
  return workload.ready?.status !== false;
}

/** At zero, or suspended, whoever did it. */
export function isDown(workload: Workload): boolean {
  return isScalable(workload) ? workload.replicas === 0 : workload.suspended;
}
