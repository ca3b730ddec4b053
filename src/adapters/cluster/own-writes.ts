import type { WorkloadKind } from '../../domain/kinds/kinds.ts';
import { isScalable, type Workload } from '../../domain/workload.ts';
import type { Change } from '../kubernetes/cache/reflected-objects.ts';
import { isAtLeast } from '../kubernetes/client/resource-version.ts';

/**
 * The answers to our own writes, kept until the watch has caught up with them. Without this a pass could take its own
 * lowering, not yet delivered by the watch, for a workload that its owner scaled up.
 */
export class OwnWrites {
  /** By uid: a joined key would be made anew for every workload at every look. */
  readonly #ahead = new Map<string, Workload>();

  /** `watched`: what the watch has of it. Nothing would end what it has told already, or has seen go. */
  note(workload: Workload, watched: Workload | undefined): void {
    if (watched === undefined || isAtLeast(watched.resourceVersion, workload.resourceVersion)) return;
    const own = this.#ahead.get(workload.uid);
    // An answer may come after that of a later write.
    if (own !== undefined && !isAtLeast(workload.resourceVersion, own.resourceVersion)) return;
    this.#ahead.set(workload.uid, workload);
  }

  /** The answer that has the object in this version, which its event need not tell us again. */
  answered({ uid, resourceVersion }: Pick<Workload, 'uid' | 'resourceVersion'>): Workload | undefined {
    const own = this.#ahead.get(uid);
    return own?.resourceVersion === resourceVersion && !saysMore(own) ? own : undefined;
  }

  /** The watch told of a change: the object it was before may have had the same name only. */
  told({ type, object, previous }: Change<Workload>): void {
    if (previous !== undefined && previous.uid !== object.uid) this.#ahead.delete(previous.uid);
    const own = this.#ahead.get(object.uid);
    if (own === undefined) return;
    if (type === 'deleted' || isAtLeast(object.resourceVersion, own.resourceVersion)) this.#ahead.delete(object.uid);
  }

  /** The cluster was restored from a backup: none of them is there, and their versions would hide what is. */
  forget(): void {
    this.#ahead.clear();
  }

  /** Nobody would tell what becomes of them. */
  forgetKind(kind: WorkloadKind): void {
    for (const [uid, own] of this.#ahead) if (own.kind === kind) this.#ahead.delete(uid);
  }

  newest<W extends Workload>(watched: W): W {
    if (this.#ahead.size === 0) return watched;
    const own = this.#ahead.get(watched.uid);
    return own !== undefined && !isAtLeast(watched.resourceVersion, own.resourceVersion) ? (own as W) : watched;
  }
}

/** A workload that was read one by one tells who set its level, which a watch never does. */
function saysMore(workload: Workload): boolean {
  return (isScalable(workload) ? workload.replicasSetBy : workload.suspendSetBy) !== undefined;
}
