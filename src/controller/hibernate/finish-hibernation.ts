import { hibernationEnded, hibernationResult } from '../../domain/announcement/hibernation.ts';
import { settledRecords } from '../../domain/hibernate/settle-records.ts';
import type { Tier } from '../../domain/ordering/ordering.ts';
import type { Workload } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FrameSink } from '../../ports/sinks.ts';
import { isAsleep, phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateEdit, set } from '../../state/snapshot.ts';
import { type Announcing, announce } from '../announcements/announce.ts';
import { now } from '../loop/requeue.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';
import { hibernationEndFrame } from '../transition/hibernation-frame.ts';
import { type Hibernation, transition } from '../transition/transition.ts';

/** What ending a hibernation needs of a pass. */
export interface FinishHibernationStep extends Announcing {
  readonly clock: Clock;
  readonly snapshot: ScopedSnapshot;
  readonly frames: FrameSink;
  readonly metrics: ControllerMetrics;
}

export async function finishHibernation(
  context: FinishHibernationStep,
  current: Hibernation,
  tiers: readonly Tier<Workload>[],
): Promise<undefined> {
  const { workload } = context.snapshot;
  const records = settledRecords(context.session.get(resourceStates), { ...current.payload, workload });
  const at = now(context);
  const before = context.session.get(phase);
  const { stoppedHalfway: _stopped, ...known } = before ?? {};
  // What came in the night is put to sleep in a cluster that has been asleep since the evening.
  const since = current.payload.only !== undefined && isAsleep(before) ? (before?.since ?? at) : at;
  const edits: StateEdit[] = [
    set(resourceStates, records),
    set(transition, null),
    set(phase, { ...known, phase: 'hibernated', since }),
  ];
  await announce(context, [hibernationEnded(current, at)], edits);
  const result = hibernationResult(current.payload);
  context.frames.send(hibernationEndFrame(current, tiers, { endedAt: at, endedBy: 'complete' }));
  context.metrics.transitions.inc({ kind: 'hibernation', result });
  return undefined;
}
