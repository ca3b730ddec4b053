import type { ReplicaSetCondition, ReplicaSetStatus } from 'kubernetes-types/apps/v1.js';
import { byDeletionPreference } from './deletion-preference.ts';
import {
  type ControllerContext,
  controlledBy,
  controllerKey,
  observe,
  putStatus,
} from './machinery/controller-context.ts';
import { matchesSelector } from './machinery/label-selector.ts';
import { availableFrom, isActive, isReady } from './machinery/pod-state.ts';
import { randomName } from './machinery/random-name.ts';
import { RefusalBackoff } from './machinery/refusal-backoff.ts';
import { timestamp } from './machinery/timestamps.ts';
import { keyOf, type StoredPod, type StoredReplicaSet, splitKey } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';
import { createPod } from './pod-creation.ts';

const component = 'replicaset-controller';

/** Keeps as many pods of its template as a ReplicaSet asks for. */
export class ReplicaSetController {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #refusals = new RefusalBackoff();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'replicasets.apps', ({ object }) => this.#work.enqueue(keyOf(object)));
    observe(context.store, 'pods', ({ object }) => this.#onPod(object));
  }

  #onPod(pod: StoredPod): void {
    const key = controllerKey(pod, 'ReplicaSet');
    if (key !== undefined) this.#work.enqueue(key);
    else if (pod.metadata.ownerReferences === undefined) this.#wakeAdopters(pod);
  }

  #wakeAdopters(pod: StoredPod): void {
    for (const set of this.#context.store.list('replicasets.apps', pod.metadata.namespace)) {
      if (matchesSelector(set.spec.selector, pod.metadata.labels)) this.#work.enqueue(keyOf(set));
    }
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const set = this.#context.store.get('replicasets.apps', namespace, name);
    this.#work.deadline(key, undefined);
    if (set === undefined) {
      this.#refusals.forget(key);
      return;
    }
    this.#adopt(set);
    const waitsUntil = this.#refusals.waitsUntil(key, this.#context.clock.now());
    const deleting = set.metadata.deletionTimestamp !== undefined;
    const refusal = deleting ? undefined : this.#matchCount(set, waitsUntil === undefined);
    this.#report(key, set, refusal, waitsUntil);
  }

  #owned(set: StoredReplicaSet): StoredPod[] {
    const pods: StoredPod[] = [];
    for (const pod of this.#context.pods.ofController(set.metadata.uid).values()) if (isActive(pod)) pods.push(pod);
    return pods;
  }

  #adopt(set: StoredReplicaSet): void {
    const { store, pods } = this.#context;
    for (const pod of [...pods.unowned(set.metadata.namespace ?? '').values()]) {
      if (!isActive(pod) || !matchesSelector(set.spec.selector, pod.metadata.labels)) continue;
      store.update('pods', { ...pod, metadata: { ...pod.metadata, ownerReferences: [controlledBy(set)] } });
    }
  }

  /** Creates or deletes pods; answers with the refusal if the apiserver would not have one. */
  #matchCount(set: StoredReplicaSet, mayCreate: boolean): Error | undefined {
    const pods = this.#owned(set);
    const wanted = set.spec.replicas ?? 1;
    if (pods.length > wanted) this.#deleteSome(set, pods, pods.length - wanted);
    for (let missing = mayCreate ? wanted - pods.length : 0; missing > 0; missing--) {
      const refusal = this.#createOne(set);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #createOne(set: StoredReplicaSet): Error | undefined {
    const { store, random, events } = this.#context;
    const name = randomName(`${set.metadata.name}-`, random);
    try {
      createPod(store, { owner: set, template: set.spec.template ?? {}, name });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const message = `Error creating: ${error.message}`;
      events.record(component, set, { type: 'Warning', reason: 'FailedCreate', message });
      return error;
    }
    events.record(component, set, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created pod: ${name}` });
    return undefined;
  }

  #deleteSome(set: StoredReplicaSet, pods: readonly StoredPod[], count: number): void {
    const { store, events } = this.#context;
    for (const pod of byDeletionPreference(pods).slice(0, count)) {
      store.delete('pods', pod);
      const message = `Deleted pod: ${pod.metadata.name}`;
      events.record(component, set, { type: 'Normal', reason: 'SuccessfulDelete', message });
    }
  }

  #report(key: string, set: StoredReplicaSet, refusal: Error | undefined, waitsUntil: number | undefined): void {
    const now = this.#context.clock.now();
    const counted = count(this.#owned(set), set, now);
    const enough = counted.replicas >= (set.spec.replicas ?? 1);
    const conditions = waitsUntil !== undefined && !enough ? set.status?.conditions : conditionsOf(set, refusal, now);
    putStatus(this.#context.store, 'replicasets.apps', set, statusOf(set, counted, conditions ?? []));
    if (enough) this.#refusals.forget(key);
    const retryAt = refusal === undefined ? waitsUntil : this.#refusals.retryAt(key, now);
    this.#work.deadline(key, enough ? counted.nextAvailableAt : earlier(retryAt, counted.nextAvailableAt));
  }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

interface Counted {
  readonly replicas: number;
  readonly labeled: number;
  readonly ready: number;
  readonly available: number;
  readonly nextAvailableAt: number | undefined;
}

function count(pods: readonly StoredPod[], set: StoredReplicaSet, now: number): Counted {
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const template = set.spec.template?.metadata?.labels;
  let [labeled, ready, available] = [0, 0, 0];
  let nextAvailableAt: number | undefined;
  for (const pod of pods) {
    if (matchesSelector({ ...(template === undefined ? {} : { matchLabels: template }) }, pod.metadata.labels))
      labeled++;
    if (isReady(pod)) ready++;
    const from = availableFrom(pod, minReadySeconds);
    if (from === undefined) continue;
    if (from <= now) available++;
    else nextAvailableAt = Math.min(nextAvailableAt ?? from, from);
  }
  return { replicas: pods.length, labeled, ready, available, nextAvailableAt };
}

function statusOf(set: StoredReplicaSet, counted: Counted, conditions: ReplicaSetCondition[]): ReplicaSetStatus {
  return {
    replicas: counted.replicas,
    ...(counted.labeled > 0 ? { fullyLabeledReplicas: counted.labeled } : {}),
    ...(counted.ready > 0 ? { readyReplicas: counted.ready } : {}),
    ...(counted.available > 0 ? { availableReplicas: counted.available } : {}),
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    ...(conditions.length > 0 ? { conditions } : {}),
  };
}

function conditionsOf(set: StoredReplicaSet, refusal: Error | undefined, now: number): ReplicaSetCondition[] {
  const others = (set.status?.conditions ?? []).filter((one) => one.type !== 'ReplicaFailure');
  if (refusal === undefined) return others;
  const before = set.status?.conditions?.find((one) => one.type === 'ReplicaFailure');
  const lastTransitionTime = before?.lastTransitionTime ?? timestamp(now);
  return [
    ...others,
    { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: refusal.message, lastTransitionTime },
  ];
}
