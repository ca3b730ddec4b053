// Where a workload stands at this instant, read from its pods alone, so that a controller that has just started knows as much
// as one that watched from the beginning. Nothing here depends on the order of the pods.

import type { EpochMs, Scalable } from '../workload.ts';
import type { WakeFigures } from './figures.ts';
import type { WorkloadObservation } from './observation.ts';
import { type StartBudget, startBudget } from './verdict/budget.ts';
import { livePods, type PodView } from './verdict/pod.ts';
import type { FailureReason } from './verdict/reason.ts';
import { furthest, holdUp, startedAt } from './verdict/replica.ts';
import { isRestarting, restartsBeforeReady } from './verdict/restart.ts';

export interface Standing {
  readonly desired: number;
  /** Every replica is ready. */
  readonly up: boolean;
  /** When the last replica that was needed became ready; undefined while not up, or when the pods do not say. */
  readonly upSince?: EpochMs;
  /** When the last replica that was needed had started its containers: the beginning of phase 2. Not told once up. */
  readonly startedSince?: EpochMs;
  /** What holds phase 1 up, as it would be named if the limit were now. */
  readonly heldUpBy: FailureReason;
  readonly restarts: number;
  readonly restarting: boolean;
  readonly budget: StartBudget;
}

export function standingOf(observation: WorkloadObservation, figures: WakeFigures): Standing {
  const pods = livePods(observation.pods);
  const desired = desiredReplicas(observation);
  const ready = pods.filter((pod) => pod.ready?.status === true);
  const readyCount = Math.max(ready.length, reportedReady(observation));
  return readyCount >= desired
    ? standingUp(observation, ready, desired, figures)
    : standingShort(observation, pods, desired, figures);
}

function standingUp(
  observation: WorkloadObservation,
  ready: readonly PodView[],
  desired: number,
  figures: WakeFigures,
): Standing {
  const upSince = nth(ready.map((pod) => pod.ready?.since).filter(isInstant), desired);
  return {
    desired,
    up: true,
    ...(upSince !== undefined && { upSince }),
    heldUpBy: notStarted,
    restarts: 0,
    restarting: false,
    budget: startBudget(specOf(observation), figures),
  };
}

function standingShort(
  observation: WorkloadObservation,
  pods: readonly PodView[],
  desired: number,
  figures: WakeFigures,
): Standing {
  const startedSince = nth(pods.map(startedAt).filter(isInstant), desired);
  return {
    desired,
    up: false,
    ...(startedSince !== undefined && { startedSince }),
    heldUpBy: isUnreadable(observation) ? unreadable : heldUpBy(pods),
    restarts: Math.max(0, ...pods.map(restartsBeforeReady)),
    restarting: pods.some(isRestarting),
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

/** The owner's own count wins once it is above zero; a zero is our own, not yet raised or not yet seen. */
function desiredReplicas(observation: WorkloadObservation): number {
  const { reading, replicas } = observation;
  return reading.kind === 'read' && reading.workload.replicas > 0 ? reading.workload.replicas : replicas;
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
