// Where a workload stands at this instant, read from its pods alone, so that a controller that has just started knows as much
// as one that watched from the beginning. Nothing here depends on the order of the pods.

import type { EpochMs, Scalable } from '../../workload.ts';
import { hasAnswered, isReady, isSteady, steadyFrom } from './answer.ts';
import { type StartBudget, startBudget, workloadCeilingMs } from './budget.ts';
import type { FailureReason } from './failure-sentence.ts';
import { furthest } from './furthest-pod.ts';
import type { Moment } from './moment.ts';
import type { WorkloadObservation, WorkloadReading } from './observation.ts';
import { livePods, type PodView } from './pod.ts';
import { holdUp, startedAt } from './replica.ts';
import { isRestarting, restartsOfPod } from './restart.ts';

export interface Standing {
  /** How many replicas the wake asks for. */
  readonly needed: number;
  /** Every needed replica has answered: it is ready, or was in this wake. */
  readonly up: boolean;
  /** Every needed replica is ready now. */
  readonly ready: boolean;
  /** When the last replica that was needed became ready; undefined while not ready, or when the pods do not say. */
  readonly upSince?: EpochMs;
  /** Ready, but a crash loop so far: when that readiness counts, if it lasts. */
  readonly steadyAt?: EpochMs;
  /** When the last replica that was needed had started its containers: the beginning of phase 2. Not told once up. */
  readonly startedSince?: EpochMs;
  /** Why phase 1 is not done; this becomes the failure reason when the limit is reached. */
  readonly heldUpBy: FailureReason;
  /** Restarts of this wake by a pod that has not answered. */
  readonly restarts: number;
  readonly restarting: boolean;
  readonly budget: StartBudget;
}

export function standingOf(observation: WorkloadObservation, moment: Moment): Standing {
  if (observation.reading.kind === 'reported') return standingReported(observation.reading, moment);
  const pods = podsOf(observation);
  const needed = neededReplicas(observation);
  const steady = pods.filter((pod) => isSteady(pod, moment));
  const ready = Math.max(steady.length, reportedReady(observation)) >= needed;
  if (ready) return standingReady(observation, steady, needed, moment);
  const unanswered = pods.filter((pod) => !hasAnswered(pod, moment));
  const up = pods.length - unanswered.length >= needed;
  const startedSince = up ? undefined : nth(pods.map(startedAt).filter(isInstant), needed);
  const steadyAt = nth(pods.map((pod) => steadyFrom(pod, moment)).filter(isInstant), needed);
  return {
    needed,
    up,
    ready,
    ...(steadyAt !== undefined && { steadyAt }),
    ...(startedSince !== undefined && { startedSince }),
    heldUpBy: isUnreadable(observation) ? unreadable : heldUpBy(pods),
    restarts: Math.max(0, ...unanswered.filter((pod) => !isReady(pod)).map((pod) => restartsOfPod(pod, moment.from))),
    restarting: steadyAt !== undefined || pods.some((pod) => isRestarting(pod, moment.from)),
    budget: startBudget(specOf(observation), moment.figures),
  };
}

/** Nobody tells the cluster's part of its start from its own, so it has the time of both. */
function standingReported({ up, since }: Extract<WorkloadReading, { kind: 'reported' }>, moment: Moment): Standing {
  const { from, figures } = moment;
  return {
    needed: 1,
    up,
    ready: up,
    ...(up && since > from && { upSince: since }),
    ...(!up && { startedSince: from }),
    heldUpBy: notStarted,
    restarts: 0,
    restarting: false,
    budget: { kind: 'default', ms: workloadCeilingMs(undefined, figures), killWaitMs: 0 },
  };
}

function standingReady(
  observation: WorkloadObservation,
  steady: readonly PodView[],
  needed: number,
  { figures }: Moment,
): Standing {
  const upSince = nth(steady.map((pod) => pod.ready?.since).filter(isInstant), needed);
  return {
    needed,
    up: true,
    ready: true,
    ...(upSince !== undefined && { upSince }),
    heldUpBy: notStarted,
    restarts: 0,
    restarting: false,
    budget: startBudget(specOf(observation), figures),
  };
}

const notStarted: FailureReason = { code: 'replicas_not_started' };
const unreadable: FailureReason = { code: 'unreadable' };

function heldUpBy(pods: readonly PodView[]): FailureReason {
  return furthest(pods.flatMap((pod) => holdUp(pod) ?? [])) ?? notStarted;
}

export function isUnreadable({ reading }: WorkloadObservation): boolean {
  return reading.kind === 'unreadable';
}

function reportedReady({ reading }: WorkloadObservation): number {
  return reading.kind === 'unreadable' ? (reading.reportedReady ?? 0) : 0;
}

function specOf({ reading }: WorkloadObservation): Scalable | undefined {
  return reading.kind === 'read' ? reading.workload : undefined;
}

/**
 * How many replicas have to be ready: the recorded count, or fewer if the owner lowered it since. Replicas that an autoscaler
 * adds are not waited for. A zero here is our own, which is not raised yet or not seen raised yet.
 */
function neededReplicas({ reading, replicas }: WorkloadObservation): number {
  if (reading.kind !== 'read' || reading.workload.replicas === 0) return replicas;
  return Math.min(reading.workload.replicas, replicas);
}

/** The n-th smallest instant: surplus pods of a roll-out neither hold the workload back nor move its clock. */
function nth(instants: readonly EpochMs[], count: number): EpochMs | undefined {
  if (count === 0 || instants.length < count) return undefined;
  return instants.length === 1 ? instants[0] : [...instants].sort((a, b) => a - b)[count - 1];
}

function isInstant(value: EpochMs | undefined): value is EpochMs {
  return value !== undefined;
}

export function podsOf(observation: WorkloadObservation): readonly PodView[] {
  return livePods(observation.pods);
}
