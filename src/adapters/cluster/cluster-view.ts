import { type KindTable, kindTable } from '../../domain/kinds/kind-table.ts';
import { builtInRow, type WorkloadKind } from '../../domain/kinds/kinds.ts';
import type { DriverFacts, HpaFacts, ScaledObjectFacts, ScalingFacts } from '../../domain/targeting/targeting.ts';
import type { PodView } from '../../domain/wake/verdict/pod.ts';
import { isScalable, type Workload, type WorkloadRef } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClusterChange, ClusterView, WatchedKind } from '../../ports/cluster.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import { type Change, isSame } from '../kubernetes/cache/reflected-objects.ts';
import { Reflector } from '../kubernetes/cache/reflector.ts';
import type { ReflectorOptions } from '../kubernetes/cache/reflector-options.ts';
import type { KubeClient } from '../kubernetes/client/kube-client.ts';
import { type KubeObject, type ResourceType, resourceOf, resources } from '../kubernetes/client/resource-type.ts';
import type { ProjectedPod } from '../kubernetes/projection/pod-projection.ts';
import type { NamespaceView as ProjectedNamespace, Projections } from '../kubernetes/projection/projections.ts';
import { OwnWrites } from './own-writes.ts';
import { PodIndex } from './pod-index.ts';

export interface ClusterViewOptions {
  readonly client: KubeClient;
  readonly projections: Projections;
  /** The cluster was restored from a backup. */
  readonly onRestored: () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Workloads, namespaces and autoscalers of the whole cluster, kept by watches; pods only while a wake needs them. */
export class KubernetesClusterView implements ClusterView {
  readonly #options: ClusterViewOptions;
  readonly #byKind = new Map<WorkloadKind, Reflector<KubeObject, Workload>>();
  readonly #rows = new Map<WorkloadKind, string>();
  #kinds: KindTable | undefined;
  readonly #namespaces: Reflector<KubeObject, ProjectedNamespace>;
  readonly #autoscalers: Reflector<KubeObject, HpaFacts>;
  readonly #scaledObjects: Reflector<KubeObject, ScaledObjectFacts>;
  readonly #ownWrites = new OwnWrites();
  readonly #podIndex = new PodIndex();
  readonly #listeners = new Set<(change: ClusterChange) => void>();
  #pods: Reflector<KubeObject, ProjectedPod> | undefined;
  #started = false;

  constructor(options: ClusterViewOptions) {
    this.#options = options;
    const { projections } = options;
    this.watchKinds(kindTable([]));
    this.#namespaces = this.#shapes(resources.namespaces, projections.namespace);
    this.#autoscalers = this.#shapes(resources.horizontalPodAutoscalers, (raw) => {
      const { targetKind, targetName, ...rest } = projections.autoscaler(raw);
      return { ...rest, target: { kind: targetKind, name: targetName } };
    });
    this.#scaledObjects = this.#shapes(
      resources.scaledObjects,
      (raw) => {
        const { targetKind, targetName, ...rest } = projections.scaledObject(raw);
        return { ...rest, target: { kind: targetKind, name: targetName } };
      },
      true,
    );
  }

  /** Resolves when everything has been listed once. */
  async start(): Promise<void> {
    this.#started = true;
    await Promise.all(this.#reflectors().map((reflector) => reflector.start().synced));
  }

  /**
   * Watches the kinds that are on and no others. One that is new, or is described in another way, is listed first: until then
   * nothing counts as synced, so that nobody decides on half a cluster.
   */
  watchKinds(kinds: KindTable): void {
    if (kinds === this.#kinds) return;
    this.#kinds = kinds;
    const rows = new Map(kinds.on.map((kind) => [kind, watchedAs(kind, kinds)]));
    for (const [kind, reflector] of this.#byKind) {
      if (rows.get(kind) === this.#rows.get(kind)) continue;
      reflector.stop();
      this.#byKind.delete(kind);
      this.#ownWrites.forgetKind(kind);
      this.#tell('shape');
    }
    for (const [kind, row] of rows) {
      if (this.#byKind.has(kind)) continue;
      const reflector = this.#workloads(kind);
      this.#byKind.set(kind, reflector);
      this.#rows.set(kind, row);
      if (this.#started) void this.#startLate(reflector);
    }
  }

  async #startLate(reflector: Reflector<KubeObject, Workload>): Promise<void> {
    if (await reflector.start().synced) this.#tell('shape');
  }

  stop(): void {
    for (const reflector of this.#reflectors()) reflector.stop();
    this.#pods?.stop();
    this.#pods = undefined;
  }

  renew(): void {
    for (const reflector of this.#reflectors()) reflector.renew();
    this.#pods?.renew();
  }

  renewing(): boolean {
    return this.#pods?.isRenewing === true || this.#reflectors().some((reflector) => reflector.isRenewing);
  }

  /** Told by the writer: the answer to a write of ours. */
  noteAnswer(workload: Workload): void {
    const { kind, namespace, name } = workload;
    this.#ownWrites.note(workload, this.#byKind.get(kind)?.objects.get(namespace, name));
  }

  synced(): boolean {
    return this.#reflectors().every((reflector) => reflector.isSynced);
  }

  workloads(): readonly Workload[] {
    const all: Workload[] = [];
    for (const reflector of this.#byKind.values()) {
      for (const workload of reflector.objects.values()) all.push(this.#ownWrites.newest(workload));
    }
    return all;
  }

  workload(ref: WorkloadRef): Workload | undefined {
    const watched = this.#byKind.get(ref.kind)?.objects.get(ref.namespace, ref.name);
    return watched === undefined ? undefined : this.#ownWrites.newest(watched);
  }

  inStep(kind: WatchedKind): boolean {
    const reflector = kind === 'Pod' ? this.#pods : this.#byKind.get(kind);
    return reflector?.isSynced === true && reflector.lastError === undefined;
  }

  scalingFacts(): ScalingFacts {
    const namespaces = [...this.#namespaces.objects.values()];
    return {
      namespaces: new Map(
        namespaces.map(({ name, annotations, deleting, phase }) => [
          name,
          { annotations, terminating: deleting || phase === 'Terminating' },
        ]),
      ),
      hpas: [...this.#autoscalers.objects.values()],
      scaledObjects: [...this.#scaledObjects.objects.values()],
      drivers: this.#drivers(),
    };
  }

  #drivers(): readonly DriverFacts[] {
    const driving = [...this.#byKind].filter(([kind]) => builtInRow(kind)?.drives !== undefined);
    return driving.flatMap(([kind, { objects }]) =>
      [...objects.values()].flatMap(({ namespace, name, drives }) =>
        drives === undefined ? [] : [{ kind, namespace, name, target: drives }],
      ),
    );
  }

  pods(workload: WorkloadRef): readonly PodView[] {
    return this.#podIndex.of(workload);
  }

  async watchPods(wanted: boolean): Promise<void> {
    if (!wanted) {
      this.#pods?.stop();
      this.#pods = undefined;
      this.#podIndex.clear();
      return;
    }
    if (this.#pods === undefined) {
      this.#pods = this.#reflector(resources.pods, this.#options.projections.pod, { answered: undefined });
      this.#pods.onChange((change) => {
        if (change.type === 'deleted') this.#podIndex.remove(change.object);
        else this.#podIndex.put(change.object);
        this.#tell('status');
      });
      this.#pods.start();
    }
    // An empty list is news too: who waits for the pods hears that there are none.
    if (!this.#pods.isSynced && (await this.#pods.synced)) this.#tell('status');
  }

  onChange(listener: (change: ClusterChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #reflectors() {
    return [...this.#byKind.values(), this.#namespaces, this.#autoscalers, this.#scaledObjects] as const;
  }

  #workloads(kind: WorkloadKind): Reflector<KubeObject, Workload> {
    const { workload } = this.#options.projections;
    const row = workload.row(kind);
    const reflector = this.#reflector(resourceOf(kind, row), workload.of(kind), {
      optional: row.on === 'named',
      answered: (head) => this.#ownWrites.answered(head),
    });
    reflector.onChange((change) => {
      this.#ownWrites.told(change);
      this.#tell(isShapeChange(change) ? 'shape' : 'status');
    });
    return reflector;
  }

  #shapes<T, R>(type: ResourceType<T>, project: (raw: T) => R, optional = false): Reflector<KubeObject, R> {
    const reflector = this.#reflector(type, project, { optional, answered: undefined });
    reflector.onChange(() => this.#tell('shape'));
    return reflector;
  }

  #reflector<T, R>(
    type: ResourceType<T>,
    project: (raw: T) => R,
    more: Pick<ReflectorOptions<KubeObject, R>, 'optional' | 'answered'>,
  ): Reflector<KubeObject, R> {
    const { client, clock, random, logger } = this.#options;
    const restored = () => {
      this.#ownWrites.forget();
      // What exists only in some clusters may be served by somebody who counts versions in another way.
      if (!more.optional) this.#options.onRestored();
    };
    // The published types are narrower than what a reflector needs to know of an object.
    const options = { type: type as ResourceType<KubeObject>, project: project as unknown as (raw: KubeObject) => R };
    return new Reflector<KubeObject, R>({ client, clock, random, logger, onRestored: restored, ...options, ...more });
  }

  #tell(change: ClusterChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** Two kinds with the same text are watched alike. What lists others is read in the light of all of them. */
function watchedAs(kind: WorkloadKind, kinds: KindTable): string {
  const row = kinds.row(kind);
  const others = row?.applies?.known === 'by its own list' ? kinds.names.map((name) => kinds.row(name)) : [];
  return JSON.stringify([row, others]);
}

/** Only what the cluster reports moved: the generation and the metadata that we read stayed. */
function isShapeChange({ type, object, previous }: Change<Workload>): boolean {
  if (type !== 'modified' || previous === undefined) return true;
  // Of what is switched on and off no status is read: it has another version with each of its runs, and nothing else.
  if (!isScalable(object) || !isScalable(previous))
    return !isSame(object, { ...previous, resourceVersion: object.resourceVersion });
  return (
    object.generation !== previous.generation ||
    object.deleting !== previous.deleting ||
    !isSame(object.annotations, previous.annotations) ||
    !isSame(object.labels, previous.labels)
  );
}
