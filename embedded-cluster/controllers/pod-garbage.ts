import { type ControllerContext, observe } from './machinery/controller-context.ts';

const component = 'pod-garbage-collector';

/** Removes the pods of a node that is gone: no kubelet will do it. */
export class PodGarbage {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
    const work = context.queue.register(component, (nodeName) => this.#removePodsOf(nodeName));
    observe(context.store, 'nodes', ({ type, object }) => {
      if (type === 'DELETED') work.enqueue(object.metadata.name);
    });
  }

  #removePodsOf(nodeName: string): void {
    const { store, pods } = this.#context;
    if (store.get('nodes', undefined, nodeName) !== undefined) return;
    for (const pod of [...pods.onNode(nodeName).values()]) store.delete('pods', pod, { gracePeriodSeconds: 0 });
  }
}
