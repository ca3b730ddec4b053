import type { WorkloadKind } from '../domain/kinds/kinds.ts';
import type { ScalingFacts } from '../domain/targeting/targeting.ts';
import type { PodView } from '../domain/wake/verdict/pod.ts';
import type { Scalable, Switched, Workload, WorkloadRef } from '../domain/workload.ts';

/**
 * The cluster as the watches have it. A write of ours is visible here as soon as it is answered, whatever the watch
 * has delivered; what others write arrives a little later, so every write still carries a resourceVersion.
 */
export interface ClusterView {
  /** True once every cache has been filled; nothing is decided before. */
  synced(): boolean;
  /** What the caches show may be far behind: everything is listed again. */
  renew(): void;
  /** Until all of it has been listed again, or could not be: then what was known before is all there is. */
  renewing(): boolean;
  workloads(): readonly Workload[];
  workload(ref: WorkloadRef): Workload | undefined;
  /** Namespaces and autoscalers, which say what is not ours to scale. */
  scalingFacts(): ScalingFacts;
  /**
   * False while the watch of the kind fails or has not been filled: what is shown of it may be gone. A connection that
   * died without a word is noticed by its silence only, after a few minutes.
   */
  inStep(kind: WatchedKind): boolean;
  /** Those that leave included. Empty while pods are not watched: they are, only while somebody waits for them. */
  pods(workload: WorkloadRef): readonly PodView[];
  /** Starts or stops the watch of pods; resolves when it is in step with the cluster, which may be never. */
  watchPods(wanted: boolean): Promise<void>;
  /** Hears that something changed, not what: the pass looks for itself. */
  onChange(listener: (change: ClusterChange) => void): () => void;
}

/** Pods, which a pass asks for one workload at a time, and how far the watches can be relied on. */
export type Informers = Pick<ClusterView, 'inStep' | 'pods' | 'watchPods'>;

export type WatchedKind = WorkloadKind | 'Pod';

/** `shape`: an object came, went, or its spec or metadata changed. `status`: only what the cluster reports about it. */
export type ClusterChange = 'shape' | 'status';

export type WriteOutcome =
  | { readonly outcome: 'done' }
  /** Somebody else wrote first. Nothing was changed; look again, decide again. */
  | { readonly outcome: 'conflict' }
  /** The object is no longer there. */
  | { readonly outcome: 'gone' }
  /** The cluster said no, in its own words. Nothing was changed. */
  | {
      readonly outcome: 'refused';
      readonly status: number;
      readonly message: string;
      /** How long the cluster asks to wait before the next try. */
      readonly retryAfterMs?: number;
    }
  /** No answer, or one that does not say: it may have been done. Read and see. */
  | { readonly outcome: 'unknown'; readonly message: string };

/**
 * Every way in which the service changes a workload. Each is one patch that carries the workload's resourceVersion and
 * touches the named fields alone; none is retried after an answer that leaves open whether it was done.
 */
export interface WorkloadWriter {
  /** Sets `replicas: 0` and the annotation with the count, in one write. `epoch`: the life of the controller that does it. */
  lower(workload: Scalable, count: number, epoch: number): Promise<WriteOutcome>;
  /** Sets the replicas and removes the annotation, in one write. */
  raise(workload: Scalable, count: number): Promise<WriteOutcome>;
  /** Puts the value that its kind sleeps by in its place, and the annotation that says it was us, in one write. */
  suspend(workload: Switched, epoch: number): Promise<WriteOutcome>;
  /** Gives the place back as it was and removes the annotations, in one write. `before`: what stood there, as JSON. */
  resume(workload: Switched, before?: string): Promise<WriteOutcome>;
  /** Removes our annotation and nothing else: its owner has taken the workload back. */
  disown(workload: Workload): Promise<WriteOutcome>;
  /**
   * Reads the workload from the apiserver, past every cache, and lets the caches know; undefined when it is gone.
   * Rejects when there is no answer.
   */
  read(ref: WorkloadRef): Promise<Workload | undefined>;
}
