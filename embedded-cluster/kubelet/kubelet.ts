import type { PodStatus } from 'kubernetes-types/core/v1.js';
import { type ControllerContext, observe } from '../controllers/machinery/controller-context.ts';
import { keyOf, type StoredPod, splitKey, type TypedEvent } from '../controllers/machinery/typed-store.ts';
import type { Work } from '../controllers/machinery/work-queue.ts';
import { type Behaviour, parseBehaviour } from './behaviour.ts';
import { PodAddresses } from './pod-addresses.ts';
import { PodIndexes } from './pod-indexes.ts';
import { podStatusAt, scheduledAt } from './pod-lifecycle.ts';

const component = 'kubelet';

interface Known {
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly behaviour: Behaviour;
  readonly podIP: string;
  lookedAt: number;
}

/** All nodes' kubelets in one: writes the status that the pod's declared behaviour gives for now. */
export class Kubelet {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #known = new Map<string, Known>();
  readonly #indexes = new PodIndexes();
  readonly #addresses = new PodAddresses();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'pods', (event) => this.#onPod(event));
  }

  #onPod({ type, object, previous }: TypedEvent<'pods'>): void {
    const key = keyOf(object);
    if (type === 'DELETED') {
      this.#forget(key, object);
      return;
    }
    this.#indexes.see(object);
    if (object.spec.nodeName === undefined) return;
    if (previous !== undefined && onlyStatusChanged(object, previous)) return;
    this.#work.enqueue(key);
  }

  #forget(key: string, pod: StoredPod): void {
    this.#indexes.forget(pod);
    this.#addresses.release(this.#known.get(key)?.podIP);
    this.#known.delete(key);
    this.#work.deadline(key, undefined);
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const { store, clock } = this.#context;
    const pod = store.get('pods', namespace, name);
    if (pod?.spec.nodeName === undefined) return;
    const now = clock.now();
    const known = this.#knownOf(key, pod);
    const placement = { hostIP: this.#hostIP(pod.spec.nodeName), podIP: known.podIP };
    const at = podStatusAt(pod, known.behaviour, { now, placement, since: known.lookedAt });
    known.lookedAt = now;
    this.#report(pod, at.events);
    if (at.gone) {
      this.#remove(pod);
      return;
    }
    this.#write(pod, at.status);
    this.#work.deadline(key, at.nextChangeAt);
  }

  #knownOf(key: string, pod: StoredPod): Known {
    const known = this.#known.get(key);
    const { uid, annotations } = pod.metadata;
    if (known !== undefined && known.uid === uid && known.annotations === annotations) return known;
    const { behaviour, problems } = parseBehaviour(annotations, this.#indexes.of(pod));
    for (const message of problems) {
      this.#context.events.record(component, pod, { type: 'Warning', reason: 'InvalidBehaviour', message });
    }
    const podIP = known?.podIP ?? pod.status?.podIP ?? this.#addresses.take();
    const lookedAt = known?.lookedAt ?? (scheduledAt(pod) ?? 0) - 1;
    const fresh: Known = { uid, annotations, behaviour, podIP, lookedAt };
    this.#known.set(key, fresh);
    return fresh;
  }

  #hostIP(nodeName: string): string {
    const addresses = this.#context.store.get('nodes', undefined, nodeName)?.status?.addresses ?? [];
    return addresses.find((one) => one.type === 'InternalIP')?.address ?? '10.0.0.1';
  }

  #report(pod: StoredPod, events: ReturnType<typeof podStatusAt>['events']): void {
    for (const { type, reason, message, container } of events) {
      const fieldPath = container === undefined ? {} : { fieldPath: `spec.containers{${container}}` };
      this.#context.events.record(component, pod, { type, reason, message, ...fieldPath }, pod.spec.nodeName);
    }
  }

  #write(pod: StoredPod, status: PodStatus): void {
    const extra = (pod.status?.conditions ?? []).filter((one) => !ours.has(one.type));
    const conditions = extra.length === 0 ? status.conditions : [...(status.conditions ?? []), ...extra];
    this.#context.store.update('pods', {
      ...pod,
      status: { ...status, ...(conditions === undefined ? {} : { conditions }) },
    });
  }

  /** Another's finalizer may hold the pod; its grace is over all the same. */
  #remove(pod: StoredPod): void {
    this.#context.store.delete('pods', pod, { gracePeriodSeconds: 0 });
  }
}

const ours = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);

function onlyStatusChanged(pod: StoredPod, previous: StoredPod): boolean {
  return (
    pod.spec === previous.spec &&
    pod.metadata.annotations === previous.metadata.annotations &&
    pod.metadata.deletionTimestamp === previous.metadata.deletionTimestamp
  );
}
