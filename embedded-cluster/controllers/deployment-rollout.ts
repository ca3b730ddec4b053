import type { StoredDeployment, StoredReplicaSet } from './machinery/typed-store.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';

export interface Rollout {
  readonly deployment: StoredDeployment;
  readonly current: StoredReplicaSet | undefined;
  /** The ReplicaSets of earlier templates, oldest first. */
  readonly old: readonly StoredReplicaSet[];
}

export interface Scaling {
  readonly set: StoredReplicaSet;
  readonly replicas: number;
}

export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export function wantedReplicas(deployment: StoredDeployment): number {
  return deployment.spec.replicas ?? 1;
}

export function isRecreate(deployment: StoredDeployment): boolean {
  return deployment.spec.strategy?.type === 'Recreate';
}

/** Percentages of the wanted count: surge rounded up, unavailable down, and never both zero. */
export function fenceposts(deployment: StoredDeployment): Fenceposts {
  if (isRecreate(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const rolling = deployment.spec.strategy?.rollingUpdate;
  const wanted = wantedReplicas(deployment);
  const maxSurge = Math.ceil(figure(rolling?.maxSurge ?? '25%', wanted));
  const maxUnavailable = Math.floor(figure(rolling?.maxUnavailable ?? '25%', wanted));
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, wanted) };
}

function figure(value: number | string, of: number): number {
  if (typeof value === 'number') return value;
  return value.endsWith('%') ? (Number(value.slice(0, -1)) * of) / 100 : Number(value);
}

/** A change of the wanted count, seen in that the running ReplicaSets were last scaled for another one. */
export function isScaling({ deployment, current, old }: Rollout): boolean {
  const sets = current === undefined ? old : [...old, current];
  return sets.some((set) => {
    if (replicasOf(set) === 0) return false;
    const desired = set.metadata.annotations?.[desiredAnnotation];
    return desired !== undefined && Number(desired) !== wantedReplicas(deployment);
  });
}

/** What a new size of the Deployment means for its ReplicaSets: in proportion while a rollout is under way. */
export function scaleInProportion(rollout: Rollout): Scaling[] {
  const { deployment, current, old } = rollout;
  const wanted = wantedReplicas(deployment);
  const sets = current === undefined ? [...old] : [...old, current];
  const active = sets.filter((set) => replicasOf(set) > 0);
  if (active.length <= 1) {
    const only = active[0] ?? current ?? old.at(-1);
    return only === undefined ? [] : [{ set: only, replicas: wanted }];
  }
  if (current !== undefined && isSaturated(deployment, current)) {
    return old.filter((set) => replicasOf(set) > 0).map((set) => ({ set, replicas: 0 }));
  }
  if (isRecreate(deployment)) return [];
  return proportions(active, wanted > 0 ? wanted + fenceposts(deployment).maxSurge : 0);
}

function isSaturated(deployment: StoredDeployment, set: StoredReplicaSet): boolean {
  const wanted = wantedReplicas(deployment);
  return replicasOf(set) === wanted && (set.status?.availableReplicas ?? 0) === wanted;
}

function proportions(active: readonly StoredReplicaSet[], allowed: number): Scaling[] {
  const total = sum(active, replicasOf);
  let left = allowed - total;
  const bySize = [...active].sort((a, b) => replicasOf(b) - replicasOf(a));
  const scalings = bySize.map((set) => {
    const sizedFor = Number(set.metadata.annotations?.[maxAnnotation] ?? total);
    const share = Math.round((replicasOf(set) * allowed) / Math.max(1, sizedFor)) - replicasOf(set);
    const change = left >= 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
    left -= change;
    return { set, replicas: replicasOf(set) + change };
  });
  // What rounding left over goes to the largest one.
  return scalings.map((one, index) => (index === 0 ? { ...one, replicas: Math.max(0, one.replicas + left) } : one));
}

/** How many replicas the ReplicaSet of the current template may have now. */
export function currentSize({ deployment, current, old }: Rollout): number {
  const wanted = wantedReplicas(deployment);
  if (isRecreate(deployment)) return wanted;
  const own = current === undefined ? 0 : replicasOf(current);
  if (own > wanted) return wanted;
  const room = wanted + fenceposts(deployment).maxSurge - own - sum(old, replicasOf);
  return room <= 0 ? own : own + Math.min(room, wanted - own);
}

/** Which old ReplicaSets shrink in this step of a rolling update: unhealthy pods first, then as availability allows. */
export function shrinkOld({ deployment, current, old }: Rollout): Scaling[] {
  const wanted = wantedReplicas(deployment);
  const minAvailable = wanted - fenceposts(deployment).maxUnavailable;
  const own = current === undefined ? 0 : replicasOf(current);
  const ownUnavailable = own - (current?.status?.availableReplicas ?? 0);
  const spare = own + sum(old, replicasOf) - minAvailable - ownUnavailable;
  if (spare <= 0 || sum(old, replicasOf) === 0) return [];
  const sizes = new Map(old.map((set) => [set, replicasOf(set)]));
  let unhealthyLeft = spare;
  for (const set of old) {
    const unhealthy = Math.min(unhealthyLeft, sizes.get(set)! - (set.status?.availableReplicas ?? 0));
    if (unhealthy <= 0) continue;
    sizes.set(set, sizes.get(set)! - unhealthy);
    unhealthyLeft -= unhealthy;
  }
  let healthyLeft = sum(old, available) + (current === undefined ? 0 : available(current)) - minAvailable;
  for (const set of old) {
    const less = Math.min(Math.max(healthyLeft, 0), sizes.get(set)!);
    sizes.set(set, sizes.get(set)! - less);
    healthyLeft -= less;
  }
  return old.flatMap((set) => {
    const replicas = sizes.get(set)!;
    return replicas === replicasOf(set) ? [] : [{ set, replicas }];
  });
}

export function replicasOf(set: StoredReplicaSet): number {
  return set.spec.replicas ?? 1;
}

function available(set: StoredReplicaSet): number {
  return set.status?.availableReplicas ?? 0;
}

export function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
