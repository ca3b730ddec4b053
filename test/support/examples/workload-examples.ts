// Workloads for tests: whole values of which a test names only what it is about.
import type { Scalable, Switched } from '../../../src/domain/workload.ts';

const common = {
  namespace: 'shop',
  name: 'cart',
  uid: '3f1c',
  resourceVersion: '1',
  createdAt: 0,
  labels: {},
  annotations: {},
  deleting: false,
};

export function exampleDeployment(given: Partial<Scalable> = {}): Scalable {
  return {
    ...common,
    kind: 'Deployment',
    replicas: 2,
    generation: 1,
    observedGeneration: 1,
    statusReplicas: 2,
    readyReplicas: 2,
    updatedReplicas: 2,
    selector: { matchLabels: { app: 'cart' }, matchExpressions: [] },
    podLabels: given.selector?.matchLabels ?? { app: 'cart' },
    containers: [{ name: 'main' }],
    terminationGracePeriodSeconds: 30,
    scalingDownDeletesVolumes: false,
    ...given,
  };
}

export function exampleStatefulSet(given: Partial<Scalable> = {}): Scalable {
  return exampleDeployment({ kind: 'StatefulSet', ...given });
}

export function exampleCronJob(given: Partial<Switched> = {}): Switched {
  return { ...common, kind: 'CronJob', suspended: false, ...given };
}
