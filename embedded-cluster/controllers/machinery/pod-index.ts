import { controllerOf } from './controlling-owner.ts';
import type { StoredPod, TypedStore } from './typed-store.ts';

const nothing: ReadonlyMap<string, StoredPod> = new Map();

/** Pods by the uid of their controller, their node and their namespace, so that no controller ever walks all pods. */
export class PodIndex {
  readonly #byController = new Map<string, Map<string, StoredPod>>();
  readonly #byNode = new Map<string, Map<string, StoredPod>>();
  readonly #byNamespace = new Map<string, Map<string, StoredPod>>();
  /** Pods that no controller owns, by namespace: what a ReplicaSet may adopt. */
  readonly #unowned = new Map<string, Map<string, StoredPod>>();

  constructor(store: TypedStore) {
    for (const pod of store.list('pods')) this.#put(pod);
    store.onChange('pods', ({ type, object, previous }) => {
      if (previous !== undefined) this.#take(previous);
      if (type !== 'DELETED') this.#put(object);
    });
  }

  /** By uid, in the order in which they came under this controller. */
  ofController(uid: string): ReadonlyMap<string, StoredPod> {
    return this.#byController.get(uid) ?? nothing;
  }

  onNode(name: string): ReadonlyMap<string, StoredPod> {
    return this.#byNode.get(name) ?? nothing;
  }

  inNamespace(name: string): ReadonlyMap<string, StoredPod> {
    return this.#byNamespace.get(name) ?? nothing;
  }

  unowned(namespace: string): ReadonlyMap<string, StoredPod> {
    return this.#unowned.get(namespace) ?? nothing;
  }

  #put(pod: StoredPod): void {
    const owner = controllerOf(pod);
    if (owner !== undefined) put(this.#byController, owner.uid, pod);
    else put(this.#unowned, pod.metadata.namespace ?? '', pod);
    put(this.#byNamespace, pod.metadata.namespace ?? '', pod);
    if (pod.spec.nodeName !== undefined) put(this.#byNode, pod.spec.nodeName, pod);
  }

  #take(pod: StoredPod): void {
    const owner = controllerOf(pod);
    if (owner !== undefined) take(this.#byController, owner.uid, pod);
    else take(this.#unowned, pod.metadata.namespace ?? '', pod);
    take(this.#byNamespace, pod.metadata.namespace ?? '', pod);
    if (pod.spec.nodeName !== undefined) take(this.#byNode, pod.spec.nodeName, pod);
  }
}

function put(index: Map<string, Map<string, StoredPod>>, key: string, pod: StoredPod): void {
  let pods = index.get(key);
  if (pods === undefined) {
    pods = new Map();
    index.set(key, pods);
  }
  pods.set(pod.metadata.uid, pod);
}

function take(index: Map<string, Map<string, StoredPod>>, key: string, pod: StoredPod): void {
  const pods = index.get(key);
  if (pods === undefined) return;
  pods.delete(pod.metadata.uid);
  if (pods.size === 0) index.delete(key);
}
