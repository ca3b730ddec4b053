import type { StringMap } from '../domain/workload.ts';
import type { WriteOutcome } from './cluster.ts';

/** A pod of this installation. */
export interface OwnPod {
  readonly name: string;
  readonly resourceVersion: string;
  readonly annotations: StringMap;
}

export interface OwnPods {
  /** Those that run now, from the apiserver itself. Rejects when there is no answer. */
  list(): Promise<readonly OwnPod[]>;
  /** Sets the annotations (null removes one) in one write that carries the pod's resourceVersion. */
  annotate(pod: OwnPod, annotations: Readonly<Record<string, string | null>>): Promise<WriteOutcome>;
}
