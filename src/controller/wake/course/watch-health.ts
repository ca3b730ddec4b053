import { runsPods, type WorkloadKind } from '../../../domain/kinds/kinds.ts';
import { outsideAt } from '../../../domain/wake/verdict/failopen.ts';
import type { WakeFigures } from '../../../domain/wake/verdict/figures.ts';
import type { WakeState } from '../../../domain/wake/verdict/wake-state.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Informers, WatchedKind } from '../../../ports/cluster.ts';
import type { Logger } from '../../../ports/logger.ts';
import { earliest, now, type RequeueAt } from '../../loop/requeue.ts';
import type { WatchOutages } from '../../transition/watch-outages.ts';

/** What judging the watches needs of a pass. */
export interface WatchHealthStep {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly informers: Pick<Informers, 'inStep'>;
  readonly watchOutages: WatchOutages;
  readonly compiled: { readonly figures: WakeFigures };
}

/** What of the cluster can be relied on in this pass. */
export interface WatchHealth {
  /** Kinds whose watch has been out of step for longer than is waited for: what is known of them is old. */
  readonly lost: ReadonlySet<WatchedKind>;
  /** Until then nothing is judged, because a watch that stumbled may be back; undefined when there is none to wait for. */
  readonly heldUntil: RequeueAt;
}

/**
 * The watches that a wake of these kinds looks through. Waiting for one never takes the wake past its outside figure, unless
 * nobody looked until then: a controller that comes back late has yet to see the pods that it judges.
 */
export function watchHealthOf(
  context: WatchHealthStep,
  wake: WakeState,
  kinds: ReadonlySet<WorkloadKind>,
): WatchHealth {
  const { clock, informers, logger, watchOutages, compiled } = context;
  const { watchGraceMs } = compiled.figures;
  const sinceLooking = watchOutages.lookingMs(clock.monotonic());
  const latest = Math.max(outsideAt(wake, compiled.figures), now(context) + watchGraceMs - sinceLooking);
  const lost = new Set<WatchedKind>();
  let heldUntil: RequeueAt;
  for (const kind of watchedKinds(kinds)) {
    const outMs = watchOutages.outOfStepMs(informers, kind, clock.monotonic());
    if (outMs === undefined) continue;
    const backBy = Math.min(now(context) + watchGraceMs - outMs, latest);
    if (now(context) < backBy) heldUntil = earliest(heldUntil, backBy);
    else {
      lost.add(kind);
      watchOutages.logLost(logger, kind);
    }
  }
  return { lost, heldUntil };
}

/** For a wake that ends at once, with nothing left to wait for: what is not in step now is not relied on. */
export function outOfStep(
  { informers }: Pick<WatchHealthStep, 'informers'>,
  kinds: ReadonlySet<WorkloadKind>,
): ReadonlySet<WatchedKind> {
  return new Set(watchedKinds(kinds).filter((kind) => !informers.inStep(kind)));
}

function watchedKinds(kinds: ReadonlySet<WorkloadKind>): readonly WatchedKind[] {
  return [...kinds].some(runsPods) ? [...kinds, 'Pod'] : [...kinds];
}
