import { controllerOf } from './controlling-owner.ts';
import type { Resource, StoredOf, TypedStore } from './typed-store.ts';

/** The objects of one resource by the uid of their controller. */
export class OwnedIndex<R extends Resource> {
  readonly #byController = new Map<string, Map<string, StoredOf<R>>>();

  constructor(store: TypedStore, resource: R) {
    for (const object of store.list(resource)) this.#put(object);
    store.onChange(resource, ({ type, object, previous }) => {
      if (previous !== undefined) this.#take(previous);
      if (type !== 'DELETED') this.#put(object);
    });
  }

  of(uid: string): readonly StoredOf<R>[] {
    return [...(this.#byController.get(uid)?.values() ?? [])];
  }

  #put(object: StoredOf<R>): void {
    const owner = controllerOf(object);
    if (owner === undefined) return;
    const owned = this.#byController.get(owner.uid);
    if (owned !== undefined) owned.set(object.metadata.uid, object);
    else this.#byController.set(owner.uid, new Map([[object.metadata.uid, object]]));
  }

  #take(object: StoredOf<R>): void {
    const owner = controllerOf(object);
    if (owner === undefined) return;
    const owned = this.#byController.get(owner.uid);
    owned?.delete(object.metadata.uid);
    if (owned?.size === 0) this.#byController.delete(owner.uid);
  }
}
