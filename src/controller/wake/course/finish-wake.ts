import { wakeEnded } from '../../../domain/announcement/wake.ts';
import type { WakeChange } from '../../../domain/wake/change.ts';
import { endOf } from '../../../domain/wake/ending.ts';
import type { WakeObservations } from '../../../domain/wake/verdict/observation.ts';
import { workloadKey } from '../../../domain/workload.ts';
import type { FrameSink } from '../../../ports/sinks.ts';
import type { CompiledConfig } from '../../../service/compiled-config.ts';
import { phase } from '../../../state/phase.ts';
import { resourceStates } from '../../../state/resource-states.ts';
import { set, setIfReadable } from '../../../state/snapshot.ts';
import type { ActBackoff } from '../../act/act-backoff.ts';
import { withoutRecords } from '../../act/records.ts';
import { type Restoring, restoresOf, servedRecords } from '../../act/restore.ts';
import { type Announcing, announce } from '../../announcements/announce.ts';
import { allPointedBack } from '../../beside/run-companions.ts';
import { now } from '../../loop/requeue.ts';
import type { ControllerMetrics } from '../../metrics/metrics.ts';
import type { ScopedSnapshot } from '../../snapshot/snapshot.ts';
import { isForOthers, transition, type Wake } from '../../transition/transition.ts';
import { type PhaseAfterStep, phaseAfter } from './phase-after.ts';
import { namedIn } from './stored-wake.ts';
import type { UnnotedWake } from './unnoted-wake.ts';
import { barriersIn, logChanges } from './wake-changes.ts';
import { wakeEndFrame } from './wake-frame.ts';
import { cronJobsIn, isOwners, type MembersStep, recordsOf } from './wake-members.ts';

/** What ending a wake needs of a pass. */
export interface FinishWakeStep extends Announcing, Restoring, MembersStep, PhaseAfterStep {
  readonly snapshot: ScopedSnapshot;
  readonly compiled: CompiledConfig;
  readonly frames: FrameSink;
  readonly metrics: ControllerMetrics;
  readonly backoff: ActBackoff;
  readonly unnotedWake: UnnotedWake;
}

/** The end: records of what was seen back go; what is still down keeps its record and is tried again by later passes. */
export async function finishWake(
  context: FinishWakeStep,
  current: Wake,
  observations: WakeObservations,
  changes: readonly WakeChange[] = [],
): Promise<undefined> {
  const at = now(context);
  const { session, frames, metrics, compiled } = context;
  const ending = endOf(current.payload.wake, observations, at, compiled.figures);
  const records = session.get(resourceStates);
  const mine = recordsOf(context, current.payload);
  const cronJobs = cronJobsIn(mine);
  const served = new Set(
    servedRecords(mine, await restoresOf(context, mine))
      .filter((record) => !(isForOthers(current) && isOwners(record)))
      .map(workloadKey),
  );
  const superseded = current.payload.wake.endedBy === 'superseded';
  allPointedBack(context);
  await announce(
    context,
    [...barriersIn(current, changes, at), wakeEnded({ ...current, ...namedIn(current), cronJobs }, ending)],
    [
      // A hibernation that takes over records anew; until then no record is dropped that it may need.
      set(resourceStates, superseded ? records : withoutRecords(records, served)),
      set(transition, null),
      setIfReadable(phase, phaseAfter(context, current, at)),
    ],
  );
  if (current.payload.part === undefined && !superseded) context.unnotedWake.ended(session);
  logChanges(context.logger, changes);
  frames.send(wakeEndFrame(context, current, observations, { ...ending, cronJobs }));
  metrics.transitions.inc({ kind: 'wake', result: ending.result });
  // Counted as recorded: a recovery that a second write-off took back is none.
  for (const { reason } of ending.recovered) metrics.recoveries.inc({ reason });
  return undefined;
}
