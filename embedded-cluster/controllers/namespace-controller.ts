import type { MemoryStore } from '../store/memory-store.ts';
import { type ControllerContext, observe } from './machinery/controller-context.ts';

const component = 'namespace-controller';

/** Empties a namespace that is being deleted, and lets it go when nothing is left in it. */
export class NamespaceController {
  readonly #context: ControllerContext;
  readonly #store: MemoryStore;
  readonly #terminating = new Set<string>();

  constructor(context: ControllerContext, store: MemoryStore) {
    this.#context = context;
    this.#store = store;
    const work = context.queue.register(component, (name) => this.#reconcile(name));
    observe(context.store, 'namespaces', ({ type, object }) => {
      const { name, deletionTimestamp } = object.metadata;
      if (type === 'DELETED' || deletionTimestamp === undefined) this.#terminating.delete(name);
      else {
        this.#terminating.add(name);
        work.enqueue(name);
      }
    });
    store.onAnyChange(({ event }) => {
      const { namespace } = event.object.metadata;
      if (this.#terminating.size > 0 && namespace !== undefined && this.#terminating.has(namespace)) {
        work.enqueue(namespace);
      }
    });
  }

  #reconcile(name: string): void {
    const namespace = this.#context.store.get('namespaces', undefined, name);
    if (namespace?.metadata.deletionTimestamp === undefined) return;
    this.#deleteContent(name);
    if (this.#contentOf(name).length > 0) return;
    const { finalizers: _, ...spec } = namespace.spec;
    this.#context.store.update('namespaces', { ...namespace, spec: { ...spec, finalizers: [] } });
  }

  #contentOf(namespace: string) {
    return this.#store
      .resources()
      .flatMap((resource) => this.#store.list(resource, namespace).map((object) => ({ resource, object })));
  }

  #deleteContent(namespace: string): void {
    for (const { resource, object } of this.#contentOf(namespace)) {
      const { name, deletionTimestamp } = object.metadata;
      // An earlier one may have taken it along.
      const there = this.#store.get(resource, namespace, name) !== undefined;
      if (there && deletionTimestamp === undefined) this.#store.delete(resource, namespace, name);
    }
  }
}
