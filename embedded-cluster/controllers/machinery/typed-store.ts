import type { ControllerRevision, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2.js';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type {
  Endpoints,
  Event,
  Namespace,
  Node,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  Service,
} from 'kubernetes-types/core/v1.js';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import type { DeleteOptions, KubeObject, NewObject, ObjectMeta, ObjectStore, StoreEvent } from '../../object-store.ts';

/** The kinds that the embedded controllers read and write, by the store's resource name. */
export interface Kinds {
  readonly pods: Pod;
  readonly nodes: Node;
  readonly services: Service;
  readonly endpoints: Endpoints;
  readonly events: Event;
  readonly namespaces: Namespace;
  readonly persistentvolumeclaims: PersistentVolumeClaim;
  readonly resourcequotas: ResourceQuota;
  readonly 'deployments.apps': Deployment;
  readonly 'replicasets.apps': ReplicaSet;
  readonly 'statefulsets.apps': StatefulSet;
  readonly 'controllerrevisions.apps': ControllerRevision;
  readonly 'jobs.batch': Job;
  readonly 'cronjobs.batch': CronJob;
  readonly 'horizontalpodautoscalers.autoscaling': HorizontalPodAutoscaler;
  readonly 'endpointslices.discovery.k8s.io': EndpointSlice;
  readonly 'leases.coordination.k8s.io': Lease;
}

export type Resource = keyof Kinds;

/** What the store always fills in is not optional once an object is stored. */
type Stored<T> = Omit<T, 'metadata' | 'spec'> & {
  readonly metadata: ObjectMeta;
} & (T extends { spec?: infer S } ? { readonly spec: NonNullable<S> } : unknown);

export type StoredPod = Stored<Pod>;
export type StoredNode = Stored<Node>;
export type StoredService = Stored<Service>;
export type StoredDeployment = Stored<Deployment>;
export type StoredReplicaSet = Stored<ReplicaSet>;
export type StoredStatefulSet = Stored<StatefulSet>;
export type StoredJob = Stored<Job>;
export type StoredCronJob = Stored<CronJob>;
export type StoredHpa = Stored<HorizontalPodAutoscaler>;
export type StoredOf<R extends Resource> = Stored<Kinds[R]>;

/** Anything stored, whatever its kind: what events, owners and the garbage collector need of it. */
export interface AnyObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
}

export interface TypedEvent<R extends Resource> {
  readonly type: StoreEvent['type'];
  readonly object: StoredOf<R>;
  readonly previous?: StoredOf<R>;
}

/** The object store, seen with the published Kubernetes types. Adds nothing else. */
export class TypedStore {
  readonly raw: ObjectStore;

  constructor(raw: ObjectStore) {
    this.raw = raw;
  }

  get<R extends Resource>(resource: R, namespace: string | undefined, name: string): StoredOf<R> | undefined {
    // The store keeps objects of any kind; the name of the resource says which this is.
    return this.raw.get(resource, namespace, name) as unknown as StoredOf<R> | undefined;
  }

  list<R extends Resource>(resource: R, namespace?: string): readonly StoredOf<R>[] {
    // As in get.
    return this.raw.list(resource, namespace) as unknown as readonly StoredOf<R>[];
  }

  create<R extends Resource>(resource: R, object: Kinds[R]): StoredOf<R> {
    // As in get, both ways.
    return this.raw.create(resource, object as unknown as NewObject) as unknown as StoredOf<R>;
  }

  update<R extends Resource>(resource: R, object: StoredOf<R>): StoredOf<R> {
    // As in get, both ways.
    return this.raw.update(resource, object as unknown as KubeObject) as unknown as StoredOf<R>;
  }

  delete(resource: Resource, object: AnyObject, options?: DeleteOptions): void {
    this.raw.delete(resource, object.metadata.namespace, object.metadata.name, options);
  }

  onChange<R extends Resource>(resource: R, listener: (event: TypedEvent<R>) => void): () => void {
    // As in get, for what the listener is given.
    return this.raw.onChange(resource, listener as unknown as (event: StoreEvent) => void);
  }
}

export function keyOf(object: AnyObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The namespace and name of a key; a key without a slash names a cluster-scoped object. */
export function splitKey(key: string): { readonly namespace: string | undefined; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: undefined, name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
