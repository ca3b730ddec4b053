import type { KubeObject, StoreEvent } from '../object-store.ts';

export type VersionedEvent = StoreEvent & { readonly version: number };

/**
 * The recent changes of one resource, oldest first: what a watch resumes from and what a paged list rewinds by.
 * Bounded, so an old resourceVersion becomes too old, as it does behind a real apiserver.
 */
export class ResourceHistory {
  readonly #limit: number;
  #events: VersionedEvent[] = [];
  #oldest = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Changes after a version that is lower than this one can no longer be told. */
  get oldestKnown(): number {
    return this.#oldest;
  }

  append(event: VersionedEvent): void {
    this.#events.push(event);
    // Trimmed in batches, so that one change costs no copy of the whole history.
    if (this.#events.length >= this.#limit * 2) this.#dropFirst(this.#events.length - this.#limit);
  }

  /** Forgets every change up to now. */
  compact(version: number): void {
    this.#events = [];
    this.#oldest = Math.max(this.#oldest, version);
  }

  /** A restored backup: what came after it has not happened. */
  backTo(version: number): void {
    this.#events = [];
    this.#oldest = version;
  }

  /** The changes after a version, or undefined when it is too old. */
  since(version: number): readonly VersionedEvent[] | undefined {
    if (version < this.#oldest) return undefined;
    return this.#events.slice(this.#indexAfter(version));
  }

  /** The objects as they were at a version: the current ones with every later change undone. */
  rewind(current: readonly KubeObject[], version: number): readonly KubeObject[] | undefined {
    const later = this.since(version);
    if (later === undefined) return undefined;
    if (later.length === 0) return current;
    const byKey = new Map(current.map((object) => [keyOf(object), object]));
    for (const event of later.toReversed()) {
      const key = keyOf(event.object);
      if (event.previous === undefined) byKey.delete(key);
      else byKey.set(key, event.previous);
    }
    return [...byKey.values()].sort(byKeyOrder);
  }

  #dropFirst(count: number): void {
    this.#oldest = this.#events[count - 1]!.version;
    this.#events.splice(0, count);
  }

  #indexAfter(version: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#events[middle]!.version <= version) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The part of the etcd key that orders a list. */
export function keyOf(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function byKeyOrder(a: KubeObject, b: KubeObject): number {
  const left = keyOf(a);
  const right = keyOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}
