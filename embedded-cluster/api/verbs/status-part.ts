import type { KubeObject } from '../../object-store.ts';
import type { ResourceType } from '../kinds/resource-type.ts';

/** Status that a new object begins with, whatever its creator wrote. */
const INITIAL_STATUS: Readonly<Record<string, unknown>> = {
  pods: { phase: 'Pending' },
  namespaces: { phase: 'Active' },
  persistentvolumeclaims: { phase: 'Pending' },
  services: { loadBalancer: {} },
  'ingresses.networking.k8s.io': { loadBalancer: {} },
  'deployments.apps': {},
  'statefulsets.apps': { replicas: 0, availableReplicas: 0 },
  'replicasets.apps': { replicas: 0 },
  'jobs.batch': {},
  'cronjobs.batch': {},
  'daemonsets.apps': { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 },
  'horizontalpodautoscalers.autoscaling': { currentMetrics: null, desiredReplicas: 0 },
  'poddisruptionbudgets.policy': { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
};

/** A new object without the status its creator wrote. Nodes may bring theirs: a kubelet registers itself with it. */
export function initialStatus(type: ResourceType, object: KubeObject): KubeObject {
  if (!type.subresources.includes('status') || type.storage === 'nodes') return object;
  const { status: _given, ...rest } = object;
  const initial = INITIAL_STATUS[type.storage];
  return (initial === undefined ? rest : { ...rest, status: initial }) as KubeObject;
}

/** A write of the object leaves its status alone, a write of the status leaves everything else alone. */
export function withStatusOf(
  type: ResourceType,
  subresource: string,
  before: KubeObject,
  wanted: KubeObject,
): KubeObject {
  if (!type.subresources.includes('status')) return wanted;
  if (subresource === '') return withField(wanted, 'status', before['status']);
  const { resourceVersion, uid, annotations, labels } = wanted.metadata;
  // A custom resource's metadata cannot be changed along with its status; a built-in one's annotations can.
  const metadata = type.custom
    ? { ...before.metadata, resourceVersion, uid }
    : { ...withoutMaps(before), ...(annotations && { annotations }), ...(labels && { labels }), resourceVersion, uid };
  return { ...withField(before, 'status', wanted['status']), metadata };
}

function withoutMaps(object: KubeObject): KubeObject['metadata'] {
  const { annotations: _a, labels: _l, ...rest } = object.metadata;
  return rest as KubeObject['metadata'];
}

function withField(object: KubeObject, field: string, value: unknown): KubeObject {
  if (value !== undefined) return { ...object, [field]: value };
  const { [field]: _gone, ...rest } = object;
  return rest as KubeObject;
}
