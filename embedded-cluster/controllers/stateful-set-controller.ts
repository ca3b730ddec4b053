import type { StatefulSetStatus } from 'kubernetes-types/apps/v1.js';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import {
  type ControllerContext,
  controlledBy,
  controllerKey,
  observe,
  putStatus,
} from './machinery/controller-context.ts';
import { availableFrom, isFinishedPod, isReady, templateHash } from './machinery/pod-state.ts';
import { RefusalBackoff } from './machinery/refusal-backoff.ts';
import { keyOf, type StoredPod, type StoredStatefulSet, splitKey } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';
import { createPod } from './pod-creation.ts';
import {
  firstOrdinal,
  isHealthy,
  partitionOf,
  revisionLabel,
  type StatefulStep,
  type StatefulView,
  statefulSteps,
} from './stateful-set-plan.ts';
import { claimNames, claimsOf, podNameOf, statefulPod } from './stateful-set-pods.ts';

const component = 'statefulset-controller';

/** Keeps pods with names and volumes of their own, brought up and taken down in order. */
export class StatefulSetController {
  readonly #context: ControllerContext;
  readonly #work: Work;
  readonly #refusals = new RefusalBackoff();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'statefulsets.apps', ({ object }) => this.#work.enqueue(keyOf(object)));
    observe(context.store, 'pods', ({ object }) => {
      const key = controllerKey(object, 'StatefulSet');
      if (key !== undefined) this.#work.enqueue(key);
    });
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const set = this.#context.store.get('statefulsets.apps', namespace, name);
    this.#work.deadline(key, undefined);
    if (set === undefined) {
      this.#refusals.forget(key);
      return;
    }
    const waitsUntil = this.#refusals.waitsUntil(key, this.#context.clock.now());
    const deleting = set.metadata.deletionTimestamp !== undefined;
    const refused = !deleting && this.#advance(set, waitsUntil === undefined);
    this.#report(key, set, refused, waitsUntil);
  }

  #view(set: StoredStatefulSet): StatefulView {
    const pods = [...this.#context.pods.ofController(set.metadata.uid).values()];
    return { set, pods, updateRevision: revisionOf(set, set.spec.template) };
  }

  /** Takes the steps that are due; answers whether the apiserver refused one. */
  #advance(set: StoredStatefulSet, mayCreate: boolean): boolean {
    this.#keepRevision(set);
    for (const step of statefulSteps(this.#view(set))) {
      if (step.kind === 'create' && !mayCreate) continue;
      if (!this.#take(set, step)) return true;
    }
    return false;
  }

  #take(set: StoredStatefulSet, step: StatefulStep): boolean {
    if (step.kind === 'create') return this.#create(set, step.ordinal);
    const { store, events } = this.#context;
    const { pod } = step;
    store.delete('pods', pod);
    const message = `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`;
    events.record(component, set, { type: 'Normal', reason: 'SuccessfulDelete', message });
    if (step.why === 'surplus') this.#deleteClaims(set, pod);
    return true;
  }

  #create(set: StoredStatefulSet, ordinal: number): boolean {
    const { store, events } = this.#context;
    for (const claim of claimsOf(set, ordinal)) {
      const { namespace, name } = claim.metadata ?? {};
      if (store.get('persistentvolumeclaims', namespace, name ?? '') === undefined) {
        store.create('persistentvolumeclaims', claim);
      }
    }
    const name = podNameOf(set, ordinal);
    const { revision, template } = this.#templateFor(set, ordinal);
    try {
      createPod(store, statefulPod(set, ordinal, revision, template));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const message = `create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${error.message}`;
      events.record(component, set, { type: 'Warning', reason: 'FailedCreate', message });
      return false;
    }
    const message = `create Pod ${name} in StatefulSet ${set.metadata.name} successful`;
    events.record(component, set, { type: 'Normal', reason: 'SuccessfulCreate', message });
    return true;
  }

  #deleteClaims(set: StoredStatefulSet, pod: StoredPod): void {
    if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return;
    const { store } = this.#context;
    for (const name of claimNames(pod)) {
      const claim = store.get('persistentvolumeclaims', pod.metadata.namespace, name);
      if (claim !== undefined) store.delete('persistentvolumeclaims', claim);
    }
  }

  /** Below the partition pods keep the revision that was current before. */
  #templateFor(set: StoredStatefulSet, ordinal: number): { revision: string; template: PodTemplateSpec } {
    const current = set.status?.currentRevision;
    const newest = { revision: revisionOf(set, set.spec.template), template: set.spec.template };
    if (current === undefined || ordinal >= firstOrdinal(set) + partitionOf(set)) return newest;
    const kept = this.#context.store.get('controllerrevisions.apps', set.metadata.namespace, current);
    const data = kept?.data as { spec?: { template?: PodTemplateSpec } } | undefined;
    return data?.spec?.template === undefined ? newest : { revision: current, template: data.spec.template };
  }

  #keepRevision(set: StoredStatefulSet): void {
    const { store } = this.#context;
    const name = revisionOf(set, set.spec.template);
    if (store.get('controllerrevisions.apps', set.metadata.namespace, name) !== undefined) return;
    store.create('controllerrevisions.apps', {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name,
        namespace: set.metadata.namespace ?? 'default',
        labels: { ...set.spec.selector.matchLabels },
        ownerReferences: [controlledBy(set)],
      },
      data: { spec: { template: set.spec.template } },
      revision: 1 + this.#newestRevision(set),
    });
  }

  #newestRevision(set: StoredStatefulSet): number {
    const kept = this.#context.store.list('controllerrevisions.apps', set.metadata.namespace);
    const own = kept.filter((one) => one.metadata.ownerReferences?.some((owner) => owner.uid === set.metadata.uid));
    return own.reduce((most, one) => Math.max(most, one.revision), 0);
  }

  #report(key: string, set: StoredStatefulSet, refused: boolean, waitsUntil: number | undefined): void {
    const now = this.#context.clock.now();
    const view = this.#view(set);
    const { status, nextAvailableAt } = statusOf(view, now);
    putStatus(this.#context.store, 'statefulsets.apps', set, status);
    if (!refused && waitsUntil === undefined) this.#refusals.forget(key);
    this.#work.deadline(key, refused ? this.#refusals.retryAt(key, now) : (waitsUntil ?? nextAvailableAt));
  }
}

function revisionOf(set: StoredStatefulSet, template: PodTemplateSpec): string {
  return `${set.metadata.name}-${templateHash(template)}`;
}

function statusOf(view: StatefulView, now: number): { status: StatefulSetStatus; nextAvailableAt: number | undefined } {
  const { set, updateRevision } = view;
  const pods = view.pods.filter((pod) => !isFinishedPod(pod));
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const waits = pods.map((pod) => availableFrom(pod, minReadySeconds)).filter((at) => at !== undefined);
  const of = (revision: string) =>
    pods.filter(
      (pod) => pod.metadata.labels?.[revisionLabel] === revision && pod.metadata.deletionTimestamp === undefined,
    );
  const updated = of(updateRevision).length;
  const before = set.status?.currentRevision ?? updateRevision;
  const wanted = set.spec.replicas ?? 1;
  const complete = updated === wanted && pods.length === wanted && pods.every(isHealthy);
  const currentRevision = complete || before === updateRevision ? updateRevision : before;
  const later = waits.filter((at) => at > now);
  const current = of(currentRevision).length;
  const status: StatefulSetStatus = {
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
    replicas: pods.length,
    ...{ readyReplicas: pods.filter(isReady).length, availableReplicas: waits.length - later.length },
    ...(current > 0 ? { currentReplicas: current } : {}),
    ...(updated > 0 ? { updatedReplicas: updated } : {}),
    ...{ currentRevision, updateRevision, collisionCount: 0 },
  };
  return { status, nextAvailableAt: later.length === 0 ? undefined : Math.min(...later) };
}
