import { type Occasion, workloadsAddedByDay, workloadsRemovedByDay } from '../../domain/announcement/workloads.ts';
import { type KnownScope, scopeChanges } from '../../domain/drift/scope-changes.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { now, type RequeueAt } from '../loop/requeue.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import { transition } from '../transition/transition.ts';

export interface ScopeStep extends Announcing {
  readonly clock: Clock;
  readonly snapshot: ScopedSnapshot;
}

/**
 * Tells by day which workloads came under management and which left it. At night that is part of looking after a sleeping
 * cluster; and what changed while no controller ran is not told.
 */
export class ScopeByDay {
  #known: KnownScope | undefined;

  async check(context: ScopeStep): Promise<RequeueAt> {
    if (context.session.get(transition) !== null) return undefined;
    const scope = new Set<string>();
    for (const { workload, want, skipped } of context.snapshot.workloads) {
      const key = workloadKey(workload);
      // On its way out, or not wholly read yet: as it was.
      const unsure = skipped !== undefined && want === 'leave' && this.#known?.told.has(key) === true;
      if (skipped === undefined || unsure) scope.add(key);
    }
    const { clock } = context;
    const { known, added, removed, waitMs } = scopeChanges(this.#known, scope, clock.monotonic());
    const when: Occasion = { at: now(context), occasion: context.session.snapshot.resourceVersion ?? '0' };
    const announcements = [
      ...(added.length === 0 ? [] : [workloadsAddedByDay(added, when)]),
      ...(removed.length === 0 ? [] : [workloadsRemovedByDay(removed, when)]),
    ];
    if (announcements.length > 0) await announce(context, announcements, []);
    this.#known = known;
    return waitMs === undefined ? undefined : now(context) + waitMs;
  }

  /** The cluster goes to sleep, or nothing is looked at: what there is when it is day again is the new beginning. */
  forget(): void {
    this.#known = undefined;
  }
}
