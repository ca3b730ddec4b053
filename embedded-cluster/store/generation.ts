import type { KubeObject } from '../object-store.ts';
import { type JsonObject, objectOf, sameJson } from './json-value.ts';

/** Built-in resources whose objects never carry a generation. */
const WITHOUT_GENERATION = new Set([
  'namespaces',
  'nodes',
  'services',
  'configmaps',
  'secrets',
  'events',
  'serviceaccounts',
  'endpoints',
  'persistentvolumeclaims',
  'leases.coordination.k8s.io',
  'horizontalpodautoscalers.autoscaling',
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
]);

export function hasGeneration(resource: string): boolean {
  return !WITHOUT_GENERATION.has(resource);
}

const NOT_DESIRED_STATE = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Whether the desired state differs: anything outside metadata and status. A Deployment's annotations count too,
 * because they are copied to its ReplicaSets.
 */
export function desiredStateChanged(resource: string, before: KubeObject, after: KubeObject): boolean {
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (NOT_DESIRED_STATE.has(field) || before[field] === after[field]) continue;
    // Placing a pod on a node is not a change of what is wanted.
    const placing = resource === 'pods' && field === 'spec';
    if (placing ? !sameJson(unplaced(before), unplaced(after)) : !sameJson(before[field], after[field])) return true;
  }
  return resource === 'deployments.apps' && !sameJson(ownAnnotations(before), ownAnnotations(after));
}

/** Without the one that the Deployment controller writes: it goes with the status, which is no desired state. */
function ownAnnotations(deployment: KubeObject): JsonObject {
  const { 'deployment.kubernetes.io/revision': _revision, ...own } = deployment.metadata.annotations ?? {};
  return own;
}

function unplaced(pod: KubeObject): JsonObject {
  const { nodeName: _node, ...spec } = objectOf(pod['spec']);
  return spec;
}
