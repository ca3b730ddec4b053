import type { EndpointAddress, Endpoints, Service } from 'kubernetes-types/core/v1.js';
import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { type ControllerContext, controlledBy, observe } from './machinery/controller-context.ts';
import { matchesLabels } from './machinery/label-selector.ts';
import { isFinishedPod, isReady } from './machinery/pod-state.ts';
import { keyOf, type StoredPod, type StoredService, splitKey, type TypedEvent } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';

const component = 'endpoint-slice-controller';

interface Port {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
}

/** Keeps the EndpointSlice and the Endpoints of each Service with a selector. */
export class EndpointsController {
  readonly #context: ControllerContext;
  readonly #work: Work;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
  }

  /** From now on; what is there already is seen to first. */
  keep(): void {
    const { store } = this.#context;
    for (const service of store.list('services')) this.#work.enqueue(keyOf(service));
    observe(store, 'services', ({ object }) => this.#work.enqueue(keyOf(object)));
    observe(store, 'pods', (event) => this.#onPod(event));
  }

  #onPod({ type, object, previous }: TypedEvent<'pods'>): void {
    if (type === 'MODIFIED' && previous !== undefined && !servesDifferently(object, previous)) return;
    for (const service of this.#context.store.list('services', object.metadata.namespace)) {
      if (selects(service, object) || (previous !== undefined && selects(service, previous))) {
        this.#work.enqueue(keyOf(service));
      }
    }
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const { store } = this.#context;
    const service = store.get('services', namespace, name);
    if (service === undefined) {
      this.#removeEndpoints(namespace, name);
      return;
    }
    if (!hasSelector(service.spec)) return;
    const pods = this.#servedBy(service);
    this.#putEndpoints(service, endpointsOf(service, pods));
    this.#putSlice(service, sliceOf(service, pods));
  }

  #servedBy(service: StoredService): StoredPod[] {
    const pods: StoredPod[] = [];
    for (const pod of this.#context.pods.inNamespace(service.metadata.namespace ?? '').values()) {
      if (selects(service, pod) && servesAtAll(pod)) pods.push(pod);
    }
    return pods.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  #removeEndpoints(namespace: string | undefined, name: string): void {
    const { store } = this.#context;
    const endpoints = store.get('endpoints', namespace, name);
    if (endpoints !== undefined) store.delete('endpoints', endpoints);
  }

  #putEndpoints(service: StoredService, wanted: Endpoints): void {
    const { store } = this.#context;
    const before = store.get('endpoints', service.metadata.namespace, service.metadata.name);
    if (before === undefined) store.create('endpoints', wanted);
    else if (JSON.stringify(before.subsets) !== JSON.stringify(wanted.subsets)) {
      store.update('endpoints', { ...before, subsets: wanted.subsets ?? [] });
    }
  }

  #putSlice(service: StoredService, wanted: EndpointSlice): void {
    const { store } = this.#context;
    const resource = 'endpointslices.discovery.k8s.io';
    const before = store.get(resource, service.metadata.namespace, sliceName(service));
    if (before === undefined) store.create(resource, wanted);
    else store.update(resource, { ...before, endpoints: wanted.endpoints, ports: wanted.ports ?? [] });
  }
}

function hasSelector(spec: Service['spec']): boolean {
  return spec?.selector !== undefined && Object.keys(spec.selector).length > 0;
}

function selects(service: StoredService, pod: StoredPod): boolean {
  return hasSelector(service.spec) && matchesLabels(service.spec.selector, pod.metadata.labels);
}

function servesAtAll(pod: StoredPod): boolean {
  return pod.status?.podIP !== undefined && !isFinishedPod(pod);
}

function servesDifferently(pod: StoredPod, previous: StoredPod): boolean {
  return (
    isReady(pod) !== isReady(previous) ||
    pod.status?.podIP !== previous.status?.podIP ||
    pod.status?.phase !== previous.status?.phase ||
    pod.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
    pod.metadata.labels !== previous.metadata.labels
  );
}

function isServing(pod: StoredPod): boolean {
  return isReady(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** A port named in the Service is the number that the pod's container gives the name. */
function portsFor(service: StoredService, pod: StoredPod | undefined): Port[] {
  return (service.spec.ports ?? []).flatMap(({ name, port, protocol, targetPort }) => {
    const wanted = targetPort ?? port;
    const named = pod?.spec.containers.flatMap((one) => one.ports ?? []).find((one) => one.name === wanted);
    const number = typeof wanted === 'number' ? wanted : named?.containerPort;
    if (number === undefined) return [];
    return [{ ...(name === undefined ? {} : { name }), port: number, protocol: protocol ?? 'TCP' }];
  });
}

function target(pod: StoredPod) {
  const { name, namespace, uid } = pod.metadata;
  return { kind: 'Pod', name, namespace: namespace ?? 'default', uid };
}

function endpointsOf(service: StoredService, pods: readonly StoredPod[]): Endpoints {
  const address = (pod: StoredPod): EndpointAddress => ({
    ip: pod.status?.podIP ?? '',
    ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
    targetRef: target(pod),
  });
  const living = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const ready = living.filter(isServing).map(address);
  const unready = living.filter((pod) => !isServing(pod)).map(address);
  const subset = {
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(unready.length > 0 ? { notReadyAddresses: unready } : {}),
    ports: portsFor(service, living[0]),
  };
  const { name, namespace, labels } = service.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace: namespace ?? 'default', ...(labels === undefined ? {} : { labels: { ...labels } }) },
    subsets: living.length === 0 ? [] : [subset],
  };
}

function sliceName(service: StoredService): string {
  return `${service.metadata.name}-${service.metadata.uid.slice(0, 5)}`;
}

function sliceOf(service: StoredService, pods: readonly StoredPod[]): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: sliceName(service),
      namespace: service.metadata.namespace ?? 'default',
      labels: {
        'kubernetes.io/service-name': service.metadata.name,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      },
      ownerReferences: [controlledBy(service)],
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => ({
      addresses: [pod.status?.podIP ?? ''],
      conditions: {
        ready: isServing(pod),
        serving: isReady(pod),
        terminating: pod.metadata.deletionTimestamp !== undefined,
      },
      ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
      targetRef: target(pod),
    })),
    ports: portsFor(service, pods[0]),
  };
}
