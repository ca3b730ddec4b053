import type { KubeObject } from '../client/resource-type.ts';
import { ObjectMap } from './object-map.ts';

export interface Change<R> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly namespace: string;
  readonly name: string;
  /** As it is now; for a deletion, as it was last seen. */
  readonly object: R;
  readonly previous?: R;
}

export type Listener<R> = (change: Change<R>) => void;

/** The map that a reflector keeps, and who hears of its real differences: an equal object is no change. */
export class ReflectedObjects<R> {
  readonly map = new ObjectMap<R>();
  readonly #listeners = new Set<Listener<R>>();
  readonly #onListenerError: (error: unknown) => void;
  /** During a relist: what it has shown so far. */
  #shown: ObjectMap<true> | undefined;
  #closed = false;

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  listen(listener: Listener<R>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  put(namespace: string, name: string, object: R): void {
    if (this.#closed) return;
    this.#shown?.set(namespace, name, true);
    const previous = this.map.get(namespace, name);
    if (previous !== undefined && isSame(previous, object)) return;
    this.map.set(namespace, name, object);
    if (previous === undefined) this.#tell({ type: 'added', namespace, name, object });
    else this.#tell({ type: 'modified', namespace, name, object, previous });
  }

  remove(namespace: string, name: string): void {
    const object = this.map.delete(namespace, name);
    if (object === undefined) return;
    this.#shown?.delete(namespace, name);
    this.#tell({ type: 'deleted', namespace, name, object });
  }

  startRelist(): void {
    this.#shown = new ObjectMap();
  }

  /** What the relist did not show was deleted while nobody watched. */
  finishRelist(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    if (shown === undefined || shown.size === this.map.size) return;
    const gone = [...this.map.entries()].filter(([namespace, name]) => shown.get(namespace, name) === undefined);
    for (const [namespace, name] of gone) this.remove(namespace, name);
  }

  abandonRelist(): void {
    this.#shown = undefined;
  }

  /** Empties the map; whatever still comes is not taken and nobody hears of it. */
  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.map.clear();
  }

  #tell(change: Change<R>): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }
}

export function keyOf(object: KubeObject): { readonly namespace: string; readonly name: string } {
  return { namespace: object.metadata?.namespace ?? '', name: object.metadata?.name ?? '' };
}

/** Equality of plain values: primitives, arrays and objects of them. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]));
}
