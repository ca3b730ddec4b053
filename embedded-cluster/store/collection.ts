import type { KubeObject, StoreEvent } from '../object-store.ts';
import { keyOf, ResourceHistory } from './history.ts';

type Listener = (event: StoreEvent) => void;

/** The objects of one resource with their order, their recent history and whoever listens. */
export class Collection {
  readonly history: ResourceHistory;
  readonly #objects = new Map<string, KubeObject>();
  readonly #byNamespace = new Map<string, Map<string, KubeObject>>();
  /** Kept while objects only change: sorting is what costs. */
  #sortedKeys: readonly string[] | undefined;
  #sorted: readonly KubeObject[] | undefined;
  readonly #sortedByNamespace = new Map<string, readonly KubeObject[]>();
  #listeners: readonly Listener[] = [];

  constructor(historyLimit: number) {
    this.history = new ResourceHistory(historyLimit);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(namespace === undefined ? name : `${namespace}/${name}`);
  }

  /** In the order of etcd's keys. The array is shared until the next change: do not alter it. */
  list(namespace?: string): readonly KubeObject[] {
    if (namespace === undefined) {
      this.#sorted ??= this.#inOrder();
      return this.#sorted;
    }
    const known = this.#sortedByNamespace.get(namespace);
    if (known !== undefined) return known;
    const objects = this.#byNamespace.get(namespace);
    if (objects === undefined) return [];
    const sorted = sortByKey(objects);
    this.#sortedByNamespace.set(namespace, sorted);
    return sorted;
  }

  put(object: KubeObject): void {
    const key = keyOf(object);
    if (!this.#objects.has(key)) this.#sortedKeys = undefined;
    this.#objects.set(key, object);
    const { namespace, name } = object.metadata;
    if (namespace !== undefined) {
      let objects = this.#byNamespace.get(namespace);
      if (objects === undefined) {
        objects = new Map();
        this.#byNamespace.set(namespace, objects);
      }
      objects.set(name, object);
    }
    this.#forgetOrder(namespace);
  }

  remove(object: KubeObject): void {
    const { namespace, name } = object.metadata;
    this.#objects.delete(keyOf(object));
    this.#sortedKeys = undefined;
    if (namespace !== undefined) {
      const objects = this.#byNamespace.get(namespace);
      objects?.delete(name);
      if (objects?.size === 0) this.#byNamespace.delete(namespace);
    }
    this.#forgetOrder(namespace);
  }

  listen(listener: Listener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  /** The list is copied on change, so a listener may leave or join while it is told. */
  tell(event: StoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #inOrder(): readonly KubeObject[] {
    this.#sortedKeys ??= [...this.#objects.keys()].sort();
    return this.#sortedKeys.map((key) => this.#objects.get(key)!);
  }

  #forgetOrder(namespace: string | undefined): void {
    this.#sorted = undefined;
    if (namespace !== undefined) this.#sortedByNamespace.delete(namespace);
  }
}

function sortByKey(objects: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, object]) => object);
}
