import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import {
  currentSize,
  desiredAnnotation,
  fenceposts,
  isRecreate,
  isScaling,
  maxAnnotation,
  type Rollout,
  replicasOf,
  revisionAnnotation,
  type Scaling,
  scaleInProportion,
  shrinkOld,
  wantedReplicas,
} from './deployment-rollout.ts';
import { deploymentStatus } from './deployment-status.ts';
import {
  type ControllerContext,
  controlledBy,
  controllerKey,
  observe,
  putStatus,
} from './machinery/controller-context.ts';
import { OwnedIndex } from './machinery/owned-index.ts';
import { isFinishedPod, templateHash } from './machinery/pod-state.ts';
import { keyOf, type StoredDeployment, type StoredReplicaSet, splitKey } from './machinery/typed-store.ts';
import type { Work } from './machinery/work-queue.ts';

const component = 'deployment-controller';
const hashLabel = 'pod-template-hash';
const notCopied = new Set(['kubectl.kubernetes.io/last-applied-configuration', revisionAnnotation]);

/** Turns Deployments into ReplicaSets, one a template, and moves replicas between them. */
export class DeploymentController {
  readonly #context: ControllerContext;
  readonly #sets: OwnedIndex<'replicasets.apps'>;
  readonly #work: Work;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#sets = new OwnedIndex(context.store, 'replicasets.apps');
    this.#work = context.queue.register(component, (key) => this.#reconcile(key));
    observe(context.store, 'deployments.apps', ({ object }) => this.#work.enqueue(keyOf(object)));
    observe(context.store, 'replicasets.apps', ({ object }) => this.#enqueueOwner(object));
    // Recreate waits for the last old pod to be gone, which no count of its ReplicaSet shows.
    observe(context.store, 'pods', ({ type, object }) => {
      const key = type === 'DELETED' ? controllerKey(object, 'ReplicaSet') : undefined;
      if (key !== undefined) this.#enqueueOwnerOf(key);
    });
  }

  #enqueueOwnerOf(setKey: string): void {
    const { namespace, name } = splitKey(setKey);
    const set = this.#context.store.get('replicasets.apps', namespace, name);
    const key = set === undefined ? undefined : controllerKey(set, 'Deployment');
    if (key === undefined) return;
    const deployment = this.#context.store.get('deployments.apps', namespace, splitKey(key).name);
    if (deployment !== undefined && isRecreate(deployment)) this.#work.enqueue(key);
  }

  #enqueueOwner(set: StoredReplicaSet): void {
    const key = controllerKey(set, 'Deployment');
    if (key !== undefined) this.#work.enqueue(key);
  }

  #reconcile(key: string): void {
    const { namespace, name } = splitKey(key);
    const deployment = this.#context.store.get('deployments.apps', namespace, name);
    this.#work.deadline(key, undefined);
    if (deployment === undefined) return;
    const gathered = this.#gather(deployment);
    const moved = deployment.metadata.deletionTimestamp === undefined ? this.#move(gathered) : { rollout: gathered };
    this.#report(key, moved.rollout, moved.created);
  }

  #gather(deployment: StoredDeployment): Rollout {
    const hash = templateHash(deployment.spec.template);
    const sets = this.#sets.of(deployment.metadata.uid);
    const old = sets.filter((set) => set.metadata.labels?.[hashLabel] !== hash);
    old.sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
    return { deployment, current: sets.find((set) => set.metadata.labels?.[hashLabel] === hash), old };
  }

  #move(rollout: Rollout): { rollout: Rollout; created?: StoredReplicaSet } {
    const { deployment } = rollout;
    if (deployment.spec.paused === true || isScaling(rollout)) {
      this.#scaleAll(deployment, scaleInProportion(rollout));
      return { rollout: this.#gather(deployment) };
    }
    if (isRecreate(deployment) && this.#oldStillRuns(rollout)) {
      const emptied = rollout.old.filter((set) => replicasOf(set) > 0).map((set) => ({ set, replicas: 0 }));
      this.#scaleAll(deployment, emptied);
      return { rollout: this.#gather(deployment) };
    }
    return this.#roll(rollout);
  }

  #roll(rollout: Rollout): { rollout: Rollout; created?: StoredReplicaSet } {
    const { deployment, current } = rollout;
    const created = current === undefined ? this.#createSet(rollout) : undefined;
    if (current !== undefined) {
      const raised = this.#raiseRevision(rollout, current);
      this.#scaleAll(deployment, [{ set: raised, replicas: currentSize(rollout) }]);
    }
    const grown = this.#gather(deployment);
    const told = created === undefined ? {} : { created };
    if (grown.old.length === 0) return { rollout: grown, ...told };
    this.#scaleAll(deployment, isRecreate(deployment) ? [] : shrinkOld(grown));
    this.#forgetOldest(this.#gather(deployment));
    return { rollout: this.#gather(deployment), ...told };
  }

  #oldStillRuns({ old }: Rollout): boolean {
    return old.some((set) => {
      if (replicasOf(set) > 0) return true;
      for (const pod of this.#context.pods.ofController(set.metadata.uid).values())
        if (!isFinishedPod(pod)) return true;
      return false;
    });
  }

  #scaleAll(deployment: StoredDeployment, scalings: readonly Scaling[]): void {
    for (const { set, replicas } of scalings) this.#scale(deployment, set, replicas);
  }

  /** The counts it was scaled for go along, so that the next change of the Deployment's size is seen as one. */
  #scale(deployment: StoredDeployment, set: StoredReplicaSet, replicas: number): void {
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
    const before = replicasOf(set);
    const same =
      before === replicas && set.metadata.annotations?.[desiredAnnotation] === annotations[desiredAnnotation];
    if (same) return;
    const metadata = { ...set.metadata, annotations };
    this.#context.store.update('replicasets.apps', { ...set, metadata, spec: { ...set.spec, replicas } });
    if (before === replicas) return;
    const verb = replicas > before ? 'up' : 'down';
    const message = `Scaled ${verb} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    this.#context.events.record(component, deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
  }

  #createSet(rollout: Rollout): StoredReplicaSet {
    const { deployment } = rollout;
    const { template, selector, minReadySeconds } = deployment.spec;
    const hash = templateHash(template);
    const labels = { ...template.metadata?.labels, [hashLabel]: hash };
    const replicas = currentSize(rollout);
    const set: ReplicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace ?? 'default',
        labels,
        annotations: { ...this.#copiedAnnotations(rollout), [revisionAnnotation]: String(nextRevision(rollout)) },
        ownerReferences: [controlledBy(deployment)],
      },
      spec: {
        replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    };
    const created = this.#context.store.create('replicasets.apps', set);
    const message = `Scaled up replica set ${created.metadata.name} from 0 to ${replicas}`;
    if (replicas > 0) {
      this.#context.events.record(component, deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
    }
    return created;
  }

  #copiedAnnotations({ deployment }: Rollout): Record<string, string> {
    const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name));
    return { ...Object.fromEntries(own), ...sizeAnnotations(deployment) };
  }

  /** Going back to an earlier template makes its ReplicaSet the newest revision. */
  #raiseRevision(rollout: Rollout, current: StoredReplicaSet): StoredReplicaSet {
    const revision = nextRevision(rollout);
    if (revisionOf(current) >= revision || rollout.old.length === 0) return current;
    const annotations = { ...current.metadata.annotations, [revisionAnnotation]: String(revision) };
    return this.#context.store.update('replicasets.apps', {
      ...current,
      metadata: { ...current.metadata, annotations },
    });
  }

  #forgetOldest({ deployment, old }: Rollout): void {
    const empty = old.filter((set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0);
    const surplus = empty.length - (deployment.spec.revisionHistoryLimit ?? 10);
    empty.sort((a, b) => revisionOf(a) - revisionOf(b));
    for (const set of empty.slice(0, Math.max(0, surplus))) this.#context.store.delete('replicasets.apps', set);
  }

  #report(key: string, rollout: Rollout, created: StoredReplicaSet | undefined): void {
    const { store, clock } = this.#context;
    const { status, deadlineAt } = deploymentStatus(rollout, created, clock.now());
    const { deployment, current } = rollout;
    const revision = current?.metadata.annotations?.[revisionAnnotation];
    const annotations =
      revision === undefined
        ? deployment.metadata.annotations
        : { ...deployment.metadata.annotations, [revisionAnnotation]: revision };
    const metadata = annotations === undefined ? deployment.metadata : { ...deployment.metadata, annotations };
    putStatus(store, 'deployments.apps', { ...deployment, metadata }, status);
    this.#work.deadline(key, deadlineAt);
  }
}

function sizeAnnotations(deployment: StoredDeployment): Record<string, string> {
  const wanted = wantedReplicas(deployment);
  return {
    [desiredAnnotation]: String(wanted),
    [maxAnnotation]: String(wanted + fenceposts(deployment).maxSurge),
  };
}

function revisionOf(set: StoredReplicaSet): number {
  return Number(set.metadata.annotations?.[revisionAnnotation] ?? 0);
}

function nextRevision({ old }: Rollout): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}
