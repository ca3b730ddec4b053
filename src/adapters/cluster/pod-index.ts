import type { PodView } from '../../domain/wake/pod.ts';
import { type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import type { ProjectedPod } from '../kubernetes/pod-projection.ts';

/** Pods by the workload they belong to. */
export class PodIndex {
  readonly #byWorkload = new Map<string, Map<string, ProjectedPod>>();

  put(pod: ProjectedPod): void {
    const key = workloadOf(pod);
    if (key === undefined) return;
    const pods = this.#byWorkload.get(key);
    if (pods === undefined) this.#byWorkload.set(key, new Map([[pod.name, pod]]));
    else pods.set(pod.name, pod);
  }

  remove(pod: ProjectedPod): void {
    const key = workloadOf(pod);
    if (key === undefined) return;
    const pods = this.#byWorkload.get(key);
    pods?.delete(pod.name);
    if (pods?.size === 0) this.#byWorkload.delete(key);
  }

  clear(): void {
    this.#byWorkload.clear();
  }

  of(ref: WorkloadRef): readonly PodView[] {
    return [...(this.#byWorkload.get(workloadKey(ref))?.values() ?? [])];
  }
}

/** A Deployment names its ReplicaSets `<deployment>-<hash>` and labels their pods with the hash: no ReplicaSet is needed. */
function workloadOf(pod: ProjectedPod): string | undefined {
  const owner = pod.controlledBy;
  if (owner?.kind === 'StatefulSet')
    return workloadKey({ kind: 'StatefulSet', namespace: pod.namespace, name: owner.name });
  const hash = pod.labels['pod-template-hash'];
  if (owner?.kind !== 'ReplicaSet' || hash === undefined || !owner.name.endsWith(`-${hash}`)) return undefined;
  const name = owner.name.slice(0, -hash.length - 1);
  return workloadKey({ kind: 'Deployment', namespace: pod.namespace, name });
}
