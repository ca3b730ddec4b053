import type { DeploymentCondition, DeploymentStatus } from 'kubernetes-types/apps/v1.js';
import { fenceposts, type Rollout, replicasOf, sum, wantedReplicas } from './deployment-rollout.ts';
import { instant, timestamp } from './machinery/timestamps.ts';
import type { StoredDeployment, StoredReplicaSet } from './machinery/typed-store.ts';

export interface DeploymentAt {
  readonly status: DeploymentStatus;
  /** When the rollout counts as stuck if nothing moves until then. */
  readonly deadlineAt: number | undefined;
}

/** The figures and conditions of a Deployment, from those of its ReplicaSets and what it said before. */
export function deploymentStatus(rollout: Rollout, created: StoredReplicaSet | undefined, now: number): DeploymentAt {
  const { deployment, current, old } = rollout;
  const sets = current === undefined ? old : [...old, current];
  const figures = {
    replicas: sum(sets, (set) => set.status?.replicas ?? 0),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum(sets, (set) => set.status?.readyReplicas ?? 0),
    availableReplicas: sum(sets, (set) => set.status?.availableReplicas ?? 0),
  };
  const unavailable = Math.max(0, sum(sets, replicasOf) - figures.availableReplicas);
  const progress = progressing(rollout, figures, created, now);
  const conditions = [availability(deployment, figures.availableReplicas, now), progress.condition, failure(sets)];
  const status: DeploymentStatus = {
    ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    ...onlyPositive(figures),
    ...(unavailable > 0 ? { unavailableReplicas: unavailable } : {}),
    conditions: conditions.filter((one) => one !== undefined),
    ...(deployment.status?.collisionCount === undefined ? {} : { collisionCount: deployment.status.collisionCount }),
  };
  return { status, deadlineAt: progress.deadlineAt };
}

type Figures = Required<Pick<DeploymentStatus, 'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas'>>;

/** A count of zero is left out, as the API leaves it out. */
function onlyPositive(figures: Figures): Partial<Figures> {
  const { replicas, updatedReplicas, readyReplicas, availableReplicas } = figures;
  return {
    ...(replicas > 0 ? { replicas } : {}),
    ...(updatedReplicas > 0 ? { updatedReplicas } : {}),
    ...(readyReplicas > 0 ? { readyReplicas } : {}),
    ...(availableReplicas > 0 ? { availableReplicas } : {}),
  };
}

function availability(deployment: StoredDeployment, available: number, now: number): DeploymentCondition {
  const enough = available >= wantedReplicas(deployment) - fenceposts(deployment).maxUnavailable;
  return enough
    ? conditionAt(
        deployment,
        { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: hasMinimum },
        now,
      )
    : conditionAt(
        deployment,
        { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', message: lacksMinimum },
        now,
      );
}

const hasMinimum = 'Deployment has minimum availability.';
const lacksMinimum = 'Deployment does not have minimum availability.';

interface Progress {
  readonly condition: DeploymentCondition | undefined;
  readonly deadlineAt: number | undefined;
}

function progressing(rollout: Rollout, figures: Figures, created: StoredReplicaSet | undefined, now: number): Progress {
  const { deployment, current } = rollout;
  const before = deployment.status?.conditions?.find((one) => one.type === 'Progressing');
  if (deployment.spec.paused === true)
    return { condition: pausedCondition(deployment, before, now), deadlineAt: undefined };
  if (created !== undefined) {
    const text = `Created new replica set "${created.metadata.name}"`;
    return waiting(
      deployment,
      fresh(deployment, { status: 'True', reason: 'NewReplicaSetCreated', message: text }, now),
      now,
    );
  }
  const name =
    current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  const settled = figures.replicas === figures.updatedReplicas && before?.reason === 'NewReplicaSetAvailable';
  if (settled) return { condition: before, deadlineAt: undefined };
  if (isComplete(deployment, figures)) {
    const text = `${name} has successfully progressed.`;
    return {
      condition: fresh(deployment, { status: 'True', reason: 'NewReplicaSetAvailable', message: text }, now),
      deadlineAt: undefined,
    };
  }
  if (hasMoved(deployment, figures) || before === undefined || before.reason === 'DeploymentPaused') {
    return waiting(
      deployment,
      fresh(deployment, { status: 'True', reason: 'ReplicaSetUpdated', message: `${name} is progressing.` }, now),
      now,
    );
  }
  const stuckAt = deadlineOf(deployment, before);
  if (now < stuckAt || before.reason === 'ProgressDeadlineExceeded') {
    return before.reason === 'ProgressDeadlineExceeded'
      ? { condition: before, deadlineAt: undefined }
      : { condition: before, deadlineAt: stuckAt };
  }
  const text = `${name} has timed out progressing.`;
  return {
    condition: fresh(deployment, { status: 'False', reason: 'ProgressDeadlineExceeded', message: text }, now),
    deadlineAt: undefined,
  };
}

function waiting(deployment: StoredDeployment, condition: DeploymentCondition, now: number): Progress {
  const at = deadlineOf(deployment, condition);
  return { condition, deadlineAt: at > now && at < Number.POSITIVE_INFINITY ? at : undefined };
}

function pausedCondition(
  deployment: StoredDeployment,
  before: DeploymentCondition | undefined,
  now: number,
): DeploymentCondition {
  if (before?.reason === 'DeploymentPaused') return before;
  return fresh(deployment, { status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' }, now);
}

function isComplete(deployment: StoredDeployment, figures: Figures): boolean {
  const wanted = wantedReplicas(deployment);
  return figures.updatedReplicas === wanted && figures.replicas === wanted && figures.availableReplicas === wanted;
}

function hasMoved(deployment: StoredDeployment, figures: Figures): boolean {
  const before = deployment.status ?? {};
  const oldBefore = (before.replicas ?? 0) - (before.updatedReplicas ?? 0);
  return (
    figures.updatedReplicas > (before.updatedReplicas ?? 0) ||
    figures.replicas - figures.updatedReplicas < oldBefore ||
    figures.readyReplicas > (before.readyReplicas ?? 0) ||
    figures.availableReplicas > (before.availableReplicas ?? 0)
  );
}

function deadlineOf(deployment: StoredDeployment, condition: DeploymentCondition): number {
  const seconds = deployment.spec.progressDeadlineSeconds ?? 600;
  return (instant(condition.lastUpdateTime) ?? 0) + seconds * 1000;
}

function failure(sets: readonly StoredReplicaSet[]): DeploymentCondition | undefined {
  for (const set of sets) {
    const found = set.status?.conditions?.find((one) => one.type === 'ReplicaFailure');
    if (found === undefined) continue;
    const time = found.lastTransitionTime ?? '';
    return { ...found, lastUpdateTime: time, lastTransitionTime: time };
  }
  return undefined;
}

/** The condition as it was when it says the same; otherwise new. */
function conditionAt(
  deployment: StoredDeployment,
  {
    type,
    status,
    reason,
    message,
  }: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
  now: number,
): DeploymentCondition {
  const before = deployment.status?.conditions?.find((one) => one.type === type);
  if (before?.status === status && before.reason === reason) return before;
  const time = timestamp(now);
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? time) : time;
  return { type, status, lastUpdateTime: time, lastTransitionTime, reason, message };
}

/** A Progressing condition that was touched now: its update time is what the deadline counts from. */
function fresh(
  deployment: StoredDeployment,
  { status, reason, message }: { readonly status: string; readonly reason: string; readonly message: string },
  now: number,
) {
  const before = deployment.status?.conditions?.find((one) => one.type === 'Progressing');
  const time = timestamp(now);
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? time) : time;
  return { type: 'Progressing', status, lastUpdateTime: time, lastTransitionTime, reason, message };
}
