import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { controllerOf } from './controlling-owner.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { PodIndex } from './pod-index.ts';
import type { AnyObject, Resource, StoredOf, TypedEvent, TypedStore } from './typed-store.ts';
import type { WorkQueue } from './work-queue.ts';

/** What every controller of the embedded cluster works with. */
export interface ControllerContext {
  readonly store: TypedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly queue: WorkQueue;
  readonly events: EventRecorder;
  readonly pods: PodIndex;
}

/** Hears of the objects that are there already, and then of every change. */
export function observe<R extends Resource>(
  store: TypedStore,
  resource: R,
  listener: (event: TypedEvent<R>) => void,
): void {
  for (const object of store.list(resource)) listener({ type: 'ADDED', object });
  store.onChange(resource, listener);
}

/** Replaces the status if it says something else; answers with the object as it then stands. */
export function putStatus<R extends Resource>(
  store: TypedStore,
  resource: R,
  object: StoredOf<R>,
  status: unknown,
): StoredOf<R> {
  return store.update(resource, { ...object, status } as StoredOf<R>);
}

/** The key of the object's controlling owner if that is of the given kind. */
export function controllerKey(object: AnyObject, kind: string): string | undefined {
  const owner = controllerOf(object);
  return owner?.kind === kind ? `${object.metadata.namespace}/${owner.name}` : undefined;
}

/** The owner reference that makes an object a controller's own. */
export function controlledBy(owner: AnyObject) {
  return {
    apiVersion: owner.apiVersion ?? '',
    kind: owner.kind ?? '',
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
