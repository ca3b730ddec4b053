import { type Workload, type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import { isAtLeast } from '../kubernetes/client/resource-version.ts';

/**
 * The answers to our own writes, kept until the watch has caught up with them. Without this a pass could take its own
 * lowering, not yet delivered by the watch, for a workload that its owner scaled up.
 */
export class OwnWrites {
  readonly #ahead = new Map<string, Workload>();

  note(workload: Workload): void {
    this.#ahead.set(workloadKey(workload), workload);
  }

  /** The watch delivered this object, or its removal. */
  caughtUp(ref: WorkloadRef & { readonly resourceVersion: string }): void {
    const key = workloadKey(ref);
    const own = this.#ahead.get(key);
    if (own !== undefined && isAtLeast(ref.resourceVersion, own.resourceVersion)) this.#ahead.delete(key);
  }

  gone(ref: WorkloadRef): void {
    this.#ahead.delete(workloadKey(ref));
  }

  /** The cluster was restored from a backup: none of them is there, and their versions would hide what is. */
  forget(): void {
    this.#ahead.clear();
  }

  newest<W extends Workload>(watched: W): W {
    if (this.#ahead.size === 0) return watched;
    const own = this.#ahead.get(workloadKey(watched));
    return own !== undefined && own.uid === watched.uid && !isAtLeast(watched.resourceVersion, own.resourceVersion)
      ? (own as W)
      : watched;
  }
}
