import type { KubeObject } from '../object-store.ts';

/** An absent count means one, as with Deployments. */
export function replicasOf(object: KubeObject): number {
  return (object['spec'] as { readonly replicas?: number }).replicas ?? 1;
}

export function withReplicas(object: KubeObject, replicas: number): KubeObject {
  return { ...object, spec: { ...(object['spec'] as object), replicas } };
}
