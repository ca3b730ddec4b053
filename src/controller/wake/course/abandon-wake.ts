import { abandonWake } from '../../../domain/wake/start.ts';
import type { WakeObservations } from '../../../domain/wake/verdict/observation.ts';
import type { CompiledConfig } from '../../../service/compiled-config.ts';
import { restoresOf } from '../../act/restore.ts';
import { now } from '../../loop/requeue.ts';
import type { ScopedSnapshot } from '../../snapshot/snapshot.ts';
import type { Wake } from '../../transition/transition.ts';
import { type FinishWakeStep, finishWake } from './finish-wake.ts';
import { asMembers, recordsOf, tierIndexes, waitedKinds } from './wake-members.ts';
import { type ObserveStep, observe, suspendedStill } from './wake-observations.ts';
import { outOfStep } from './watch-health.ts';

/** What giving up a running wake needs of a pass: observing what came of it, and ending it. */
export interface AbandonWakeStep extends FinishWakeStep, ObserveStep {
  readonly snapshot: ScopedSnapshot;
  readonly compiled: CompiledConfig;
}

/** Ends a wake whose workloads are no longer wanted up: a hibernation takes over, or the wanted state changed while no controller ran. */
export async function abandon(
  context: AbandonWakeStep,
  current: Wake,
  by: 'superseded' | 'not_observed',
): Promise<void> {
  const all = asMembers(context, recordsOf(context, current.payload));
  const restores = await restoresOf(
    context,
    all.map(({ record }) => record),
  );
  const { wake } = abandonWake(current.payload.wake, by, now(context));
  const health = { lost: outOfStep(context, waitedKinds(all)) };
  const decided = { all, tiers: tierIndexes(context, current.payload, all), restores };
  const workloads = observe(context, current, decided, health);
  const cronJobs = suspendedStill(current, decided);
  const observations: WakeObservations = { workloads, databases: [], cronJobs };
  await finishWake(context, { ...current, payload: { ...current.payload, wake } }, observations);
}
