import type { KubeObject, ObjectMeta, OwnerReference, StoreEvent } from '../object-store.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { Work, WorkQueue } from './machinery/work-queue.ts';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';

interface Place {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/**
 * Removes what lost its owners. The store keeps the propagation policy of a delete as a finalizer of the owner:
 * foreground waits for the dependents, orphan lets them go free, and without one they follow in the background.
 */
export class GarbageCollector {
  readonly #store: MemoryStore;
  readonly #work: Work;
  readonly #dependents = new Map<string, Map<string, Place>>();
  readonly #owners = new Map<string, Place>();

  constructor(store: MemoryStore, queue: WorkQueue) {
    this.#store = store;
    this.#work = queue.register('garbage-collector', (uid) => this.#reconcile(uid));
    for (const resource of store.resources()) {
      for (const object of store.list(resource)) this.#onChange(resource, { type: 'ADDED', object });
    }
    store.onAnyChange(({ resource, event }) => this.#onChange(resource, event));
  }

  #onChange(resource: string, { type, object, previous }: StoreEvent): void {
    if (resource === 'events') return;
    const { uid, ownerReferences } = object.metadata;
    if (previous?.metadata.ownerReferences !== ownerReferences || type === 'DELETED') this.#unlink(previous ?? object);
    if (type === 'DELETED') {
      this.#onDeleted(object);
      return;
    }
    if (!this.#owners.has(uid)) this.#owners.set(uid, placeOf(resource, object));
    this.#link(object, this.#owners.get(uid)!);
    if (isHeld(object.metadata)) this.#work.enqueue(uid);
    // An owner that is gone already will send no event any more.
    for (const owner of ownerReferences ?? []) if (!this.#owners.has(owner.uid)) this.#work.enqueue(owner.uid);
  }

  #onDeleted({ metadata: { uid, ownerReferences = [] } }: KubeObject): void {
    this.#owners.delete(uid);
    if (this.#dependents.has(uid)) this.#work.enqueue(uid);
    for (const owner of ownerReferences) if (this.#waits(owner.uid)) this.#work.enqueue(owner.uid);
  }

  #waits(uid: string): boolean {
    const place = this.#owners.get(uid);
    const owner = place === undefined ? undefined : this.#at(place);
    return owner !== undefined && isHeld(owner.metadata);
  }

  #link(object: KubeObject, place: Place): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(owner.uid);
      if (known === undefined) this.#dependents.set(owner.uid, new Map([[object.metadata.uid, place]]));
      else if (!known.has(object.metadata.uid)) known.set(object.metadata.uid, place);
    }
  }

  #unlink(object: KubeObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(owner.uid);
      known?.delete(object.metadata.uid);
      if (known?.size === 0) this.#dependents.delete(owner.uid);
    }
  }

  #reconcile(uid: string): void {
    const place = this.#owners.get(uid);
    const owner = place === undefined ? undefined : this.#at(place);
    if (place === undefined || owner === undefined) this.#collect(uid);
    else if (owner.metadata.finalizers?.includes(orphan) === true) this.#setFree(uid, place, owner);
    else if (owner.metadata.finalizers?.includes(foreground) === true) this.#finishForeground(uid, place, owner);
  }

  #at({ resource, namespace, name }: Place): KubeObject | undefined {
    return this.#store.get(resource, namespace, name);
  }

  #dependentsOf(uid: string): { readonly place: Place; readonly object: KubeObject }[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])].flatMap((place) => {
      const object = this.#at(place);
      return object === undefined ? [] : [{ place, object }];
    });
  }

  /** The owner is gone: a dependent with no other living owner follows it. */
  #collect(uid: string): void {
    for (const { place, object } of this.#dependentsOf(uid)) {
      const others = (object.metadata.ownerReferences ?? []).filter((owner) => this.#owners.has(owner.uid));
      if (others.length > 0) this.#setOwners(place, object, others);
      else if (object.metadata.deletionTimestamp === undefined) this.#delete(place);
    }
  }

  #delete({ resource, namespace, name }: Place, propagationPolicy: 'Background' | 'Foreground' = 'Background'): void {
    this.#store.delete(resource, namespace, name, { propagationPolicy });
  }

  #setOwners(place: Place, object: KubeObject, ownerReferences: readonly OwnerReference[]): void {
    const { ownerReferences: _, ...metadata } = object.metadata;
    const kept = ownerReferences.length === 0 ? metadata : { ...metadata, ownerReferences };
    this.#store.update(place.resource, { ...object, metadata: kept as ObjectMeta });
  }

  #setFree(uid: string, place: Place, owner: KubeObject): void {
    for (const dependent of this.#dependentsOf(uid)) {
      const others = (dependent.object.metadata.ownerReferences ?? []).filter((one) => one.uid !== uid);
      this.#setOwners(dependent.place, dependent.object, others);
    }
    this.#release(place, owner, orphan);
  }

  #finishForeground(uid: string, place: Place, owner: KubeObject): void {
    const dependents = this.#dependentsOf(uid);
    for (const { place: at, object } of dependents) {
      if (object.metadata.deletionTimestamp === undefined) this.#delete(at, 'Foreground');
    }
    const blocking = this.#dependentsOf(uid).some(({ object }) =>
      object.metadata.ownerReferences?.some((one) => one.uid === uid && one.blockOwnerDeletion === true),
    );
    if (!blocking) this.#release(place, owner, foreground);
  }

  #release({ resource }: Place, owner: KubeObject, finalizer: string): void {
    const finalizers = (owner.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    this.#store.update(resource, { ...owner, metadata: { ...owner.metadata, finalizers } });
  }
}

function isHeld(metadata: ObjectMeta): boolean {
  if (metadata.deletionTimestamp === undefined) return false;
  return metadata.finalizers?.some((one) => one === foreground || one === orphan) ?? false;
}

function placeOf(resource: string, object: KubeObject): Place {
  return { resource, namespace: object.metadata.namespace, name: object.metadata.name };
}
