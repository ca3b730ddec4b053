import { annotations } from '../../../src/domain/names.ts';
import type { ReplicaRecord, SuspendRecord } from '../../../src/domain/record/record.ts';
import type { Scalable, Switched } from '../../../src/domain/workload.ts';

// Plain values for tests; each test names only what it is about.

export function deployment(parts: Partial<Scalable> = {}): Scalable {
  const replicas = parts.replicas ?? 3;
  return {
    kind: 'Deployment',
    namespace: 'shop',
    name: 'cart',
    uid: 'uid-1',
    resourceVersion: '1',
    createdAt: 0,
    labels: {},
    annotations: {},
    deleting: false,
    replicas,
    generation: 1,
    observedGeneration: 1,
    statusReplicas: replicas,
    readyReplicas: replicas,
    updatedReplicas: replicas,
    selector: { matchLabels: { app: parts.name ?? 'cart' }, matchExpressions: [] },
    podLabels: parts.selector?.matchLabels ?? { app: parts.name ?? 'cart' },
    containers: [{ name: 'main' }],
    terminationGracePeriodSeconds: 30,
    scalingDownDeletesVolumes: false,
    ...parts,
  };
}

/** As we leave it: at zero, marked with the count and its uid, pods gone. */
export function hibernated(count: number, parts: Partial<Scalable> = {}): Scalable {
  const base = deployment({ replicas: 0, ...parts });
  return {
    ...base,
    annotations: {
      ...base.annotations,
      [annotations.hibernatedReplicas]: String(count),
      [annotations.markedUid]: base.uid,
    },
  };
}

export function cronJob(parts: Partial<Switched> = {}): Switched {
  return {
    kind: 'CronJob',
    namespace: 'shop',
    name: 'report',
    uid: 'uid-cron',
    resourceVersion: '1',
    createdAt: 0,
    labels: {},
    annotations: {},
    deleting: false,
    suspended: false,
    ...parts,
  };
}

/** As we leave it: suspended, and marked as suspended by us. */
export function suspendedByUs(parts: Partial<Switched> = {}): Switched {
  const base = cronJob({ suspended: true, ...parts });
  return {
    ...base,
    annotations: { ...base.annotations, [annotations.suspendedByService]: 'true', [annotations.markedUid]: base.uid },
  };
}

/** A KEDA ScaledObject; `value`: the count at which its owner paused it, as JSON. */
export function scaledObject(parts: Partial<Switched> = {}): Switched {
  return cronJob({ kind: 'ScaledObject', name: 'orders', uid: 'uid-so', ...parts });
}

export function recordOf(parts: Partial<ReplicaRecord> = {}): ReplicaRecord {
  return { kind: 'Deployment', namespace: 'shop', name: 'cart', uid: 'uid-1', replicas: 3, at: 0, ...parts };
}

export function suspendRecordOf(parts: Partial<SuspendRecord> = {}): SuspendRecord {
  return { kind: 'CronJob', namespace: 'shop', name: 'report', uid: 'uid-cron', suspended: false, at: 0, ...parts };
}
