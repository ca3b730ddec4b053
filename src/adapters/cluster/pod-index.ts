import type { PodView } from '../../domain/wake/verdict/pod.ts';
import { type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import type { ProjectedPod } from '../kubernetes/projection/pod-projection.ts';

/**
 * Pods by the workload they belong to. A workload has few, so they are a list, and a changed list is a new one: who asks is
 * given the list itself, and a pass over thousands of workloads copies nothing.
 */
export class PodIndex {
  readonly #byWorkload = new Map<string, readonly ProjectedPod[]>();

  put(pod: ProjectedPod): void {
    const key = pod.workload;
    if (key === undefined) return;
    const others = this.#byWorkload.get(key)?.filter(({ name }) => name !== pod.name) ?? [];
    this.#byWorkload.set(key, [...others, pod]);
  }

  remove(pod: ProjectedPod): void {
    const key = pod.workload;
    if (key === undefined) return;
    const others = this.#byWorkload.get(key)?.filter(({ name }) => name !== pod.name) ?? [];
    if (others.length === 0) this.#byWorkload.delete(key);
    else this.#byWorkload.set(key, others);
  }

  clear(): void {
    this.#byWorkload.clear();
  }

  of(ref: WorkloadRef): readonly PodView[] {
    return this.#byWorkload.get(workloadKey(ref)) ?? none;
  }
}

const none: readonly never[] = [];
