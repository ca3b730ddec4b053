import type { Trigger } from '../../domain/announcement/hibernation.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { ActBackoff } from '../act/act-backoff.ts';
import type { Fence } from '../act/fence.ts';
import type { Life } from '../act/life.ts';
import type { PassConditions } from '../notifications/pass-conditions.ts';
import type { ReplicaChanges } from '../notifications/replica-changes.ts';
import type { Telling } from '../tell/announce.ts';
import type { ResumePace } from '../wake/resume-pace.ts';
import type { WatchPatience } from '../wake/wake-sight.ts';
import { type Situation, situationOf } from './snapshot.ts';

/** What the steps of one pass share. */
export interface PassContext extends Telling {
  readonly compiled: CompiledConfig;
  readonly desired: DesiredState;
  readonly trigger: Trigger;
  readonly signal: AbortSignal;
  readonly resumePace: ResumePace;
  readonly watchPatience: WatchPatience;
  readonly backoff: ActBackoff;
  readonly fence: Fence;
  readonly life: Life;
  readonly conditions: PassConditions;
  readonly replicaChanges: ReplicaChanges;
}

/** A step's wish: when to look again if nothing happens before. Undefined leaves it to the schedule. */
export type LookAt = EpochMs | undefined;

export function now(context: PassContext): EpochMs {
  return context.ports.clock.now();
}

/** The cluster as the caches have it now, our own writes included. */
export function lookAround(context: PassContext): Situation {
  return situationOf(context.ports.view, context.compiled, context.desired);
}

export function earliest(...times: readonly LookAt[]): LookAt {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** After acts that have to be looked at again: soon, and not at once, so that a busy cluster is not hammered. */
export const soonMs = 1_000;
