import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { LabelSelector } from 'kubernetes-types/meta/v1.js';
import { controlledBy, controllerKey } from '../controllers/machinery/controller-context.ts';
import { OwnedIndex } from '../controllers/machinery/owned-index.ts';
import { templateHash } from '../controllers/machinery/pod-state.ts';
import { type StoredReplicaSet, TypedStore } from '../controllers/machinery/typed-store.ts';
import type { KubeObject } from '../object-store.ts';
import { objectOf } from '../store/json-value.ts';
import { Neighbour, type NeighbourOptions } from './neighbour.ts';

const rollouts = 'rollouts.argoproj.io';
const hashLabel = 'rollouts-pod-template-hash';
const revision = 'rollout.argoproj.io/revision';

interface Spec {
  readonly replicas?: number;
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
  readonly workloadRef?: { readonly name: string };
}

/** Argo Rollouts without steps: one ReplicaSet a template, the old ones emptied once the new one is available. */
export class RolloutsController extends Neighbour {
  readonly #typed: TypedStore;
  readonly #sets: OwnedIndex<'replicasets.apps'>;

  constructor(options: NeighbourOptions) {
    super(options, 'rollouts-controller', rollouts);
    this.#typed = new TypedStore(this.store);
    this.#sets = new OwnedIndex(this.#typed, 'replicasets.apps');
    this.#typed.onChange('replicasets.apps', ({ object }) => {
      const key = controllerKey(object, 'Rollout');
      if (key !== undefined) this.lookSoon(key);
    });
  }

  protected override reconcile(object: KubeObject): undefined {
    const { replicas = 1 } = object['spec'] as Spec;
    const { template, selector } = this.#podsOf(object);
    if (template === undefined || selector === undefined) return;
    const hash = templateHash(template);
    const sets = this.#sets.of(object.metadata.uid);
    const current = sets.find(({ metadata }) => metadata.labels?.[hashLabel] === hash);
    const old = sets.filter((set) => set !== current);
    if (current === undefined) this.#create(object, { template, selector }, hash, replicas);
    else this.#scale(current, replicas);
    const done = (current?.status?.availableReplicas ?? 0) >= replicas;
    if (done || replicas === 0) for (const set of old) this.#scale(set, 0);
    this.#report(object, [...old, ...(current === undefined ? [] : [current])], hash);
  }

  /** The template of its own, or that of the Deployment that it refers to. */
  #podsOf(object: KubeObject): Pick<Spec, 'template' | 'selector'> {
    const { template, selector, workloadRef } = object['spec'] as Spec;
    if (workloadRef === undefined) return { ...(template && { template }), ...(selector && { selector }) };
    const found = this.#typed.get('deployments.apps', object.metadata.namespace, workloadRef.name);
    return found === undefined ? {} : { template: found.spec.template, selector: found.spec.selector };
  }

  #scale(set: StoredReplicaSet, replicas: number): void {
    if ((set.spec.replicas ?? 1) === replicas) return;
    this.#typed.update('replicasets.apps', { ...set, spec: { ...set.spec, replicas } });
  }

  #create(
    owner: KubeObject,
    pods: Required<Pick<Spec, 'template' | 'selector'>>,
    hash: string,
    replicas: number,
  ): void {
    const { template, selector } = pods;
    const labels = { ...template.metadata?.labels, [hashLabel]: hash };
    this.#typed.create('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${owner.metadata.name}-${hash}`,
        namespace: owner.metadata.namespace ?? 'default',
        labels,
        ownerReferences: [controlledBy(owner)],
      },
      spec: {
        replicas,
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    });
  }

  #report(object: KubeObject, sets: readonly StoredReplicaSet[], hash: string): void {
    const sum = (of: (set: StoredReplicaSet) => number | undefined) =>
      sets.reduce((total, set) => total + (of(set) ?? 0), 0);
    const wanted = (object['spec'] as Spec).replicas ?? 1;
    const updated = sets.find(({ metadata }) => metadata.labels?.[hashLabel] === hash)?.status;
    const available = updated?.availableReplicas ?? 0;
    const status = {
      ...objectOf(object['status']),
      HPAReplicas: sum(({ status: one }) => one?.replicas),
      replicas: sum(({ status: one }) => one?.replicas),
      updatedReplicas: updated?.replicas ?? 0,
      readyReplicas: sum(({ status: one }) => one?.readyReplicas),
      availableReplicas: sum(({ status: one }) => one?.availableReplicas),
      currentPodHash: hash,
      phase: available >= wanted ? 'Healthy' : 'Progressing',
      observedGeneration: String(object.metadata.generation),
    };
    const annotations = { [revision]: '1', ...object.metadata.annotations };
    this.store.update(rollouts, { ...object, metadata: { ...object.metadata, annotations }, status }, this.as());
  }
}
