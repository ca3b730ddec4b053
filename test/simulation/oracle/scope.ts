import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { MemoryStore } from '../../../embedded-cluster/store/memory-store.ts';

// Written apart from the service's own targeting, from the words of its promise: whose workloads are never touched.

export interface ScopeRules {
  /** Namespace and name of workloads that the configuration's `neverScale` names. */
  readonly neverScale: readonly { readonly namespace: string; readonly name: string }[];
}

/** Whether the service may take this workload down. */
export function mayBeTakenDown(object: KubeObject, store: MemoryStore, rules: ScopeRules): boolean {
  const { namespace = '', name, annotations = {}, ownerReferences = [], deletionTimestamp } = object.metadata;
  if (namespace === 'svc' || namespace.startsWith('kube-') || deletionTimestamp !== undefined) return false;
  const home = store.get('namespaces', undefined, namespace);
  if (home === undefined || home.metadata.deletionTimestamp !== undefined) return false;
  if (excludes(home.metadata.annotations) || excludes(annotations)) return false;
  if (rules.neverScale.some((rule) => rule.namespace === namespace && rule.name === name)) return false;
  if (ownerReferences.some((owner) => owner.controller === true)) return false;
  return !deletesVolumes(object) && !isDrivenByAutoscaler(object, store);
}

function excludes(annotations: Readonly<Record<string, string>> | undefined): boolean {
  const value = annotations?.['svc.io/exclude'];
  return value !== undefined && value !== 'false';
}

function deletesVolumes(object: KubeObject): boolean {
  const spec = object['spec'] as { persistentVolumeClaimRetentionPolicy?: { whenScaled?: string } };
  return spec.persistentVolumeClaimRetentionPolicy?.whenScaled === 'Delete';
}

function isDrivenByAutoscaler(object: KubeObject, store: MemoryStore): boolean {
  const { namespace, name } = object.metadata;
  const aims = (driver: KubeObject) => {
    const { kind = 'Deployment', name: target } = (
      driver['spec'] as { scaleTargetRef: { kind?: string; name: string } }
    ).scaleTargetRef;
    return kind === object.kind && target === name;
  };
  if (store.list('scaledobjects.keda.sh', namespace).some(aims)) return true;
  return store
    .list('horizontalpodautoscalers.autoscaling', namespace)
    .some((hpa) => aims(hpa) && (hpa['spec'] as { minReplicas?: number }).minReplicas === 0);
}
