/** An object of any kind as it stands in the store. Never changed in place: an update puts a new one. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  /** RFC 3339 with seconds, as the apiserver writes it. */
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** What a caller hands in: the store fills in uid, resourceVersion and creationTimestamp. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string } & Readonly<
    Record<string, unknown>
  >;
  readonly [field: string]: unknown;
}

export type StoreEvent = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  /** The object before a change or a removal. */
  readonly previous?: KubeObject;
};

/**
 * The embedded cluster's etcd and the part of the apiserver that its own controllers, scheduler and kubelet use
 * directly. `resource` is `plural` for the core group and `plural.group` otherwise (`pods`, `deployments.apps`).
 * All of it is synchronous: a change is in the store, and every listener has heard of it, when the call returns.
 */
export interface ObjectStore {
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: string, namespace?: string): readonly KubeObject[];
  create(resource: string, object: NewObject): KubeObject;
  /** Replaces the object; a resourceVersion in it must be the current one. Status and spec both as given. */
  update(resource: string, object: KubeObject): KubeObject;
  /** Removes it, or, for pods with a grace period and objects with finalizers, marks it as being deleted. */
  delete(resource: string, namespace: string | undefined, name: string, options?: DeleteOptions): void;
  /** Hears of every later change of the resource, in order. Returns what ends it. */
  onChange(resource: string, listener: (event: StoreEvent) => void): () => void;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}
