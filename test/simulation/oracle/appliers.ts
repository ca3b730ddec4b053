import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { MemoryStore } from '../../../embedded-cluster/store/memory-store.ts';
import { mayBeTakenDown, type ScopeRules } from './scope.ts';
import { workloadResources } from './workload-level.ts';

interface Application {
  readonly spec?: { readonly syncPolicy?: { readonly automated?: { readonly selfHeal?: boolean } } };
  readonly status?: { readonly resources?: readonly { kind: string; namespace: string; name: string }[] };
}

/** Whether this Kustomization or Application would put the workload back. */
export function applies(applier: KubeObject, workload: KubeObject): boolean {
  const { namespace, name, labels = {} } = workload.metadata;
  if (applier.kind === 'Kustomization') {
    return (
      labels['kustomize.toolkit.fluxcd.io/name'] === applier.metadata.name &&
      labels['kustomize.toolkit.fluxcd.io/namespace'] === applier.metadata.namespace
    );
  }
  const { spec, status } = applier as Application;
  if (spec?.syncPolicy?.automated?.selfHeal !== true) return false;
  const listed = status?.resources ?? [];
  return listed.some((one) => one.kind === workload.kind && one.namespace === namespace && one.name === name);
}

export function isApplier({ kind }: KubeObject): boolean {
  return kind === 'Kustomization' || kind === 'Application';
}

export function appliersOf(workload: KubeObject, store: MemoryStore): readonly KubeObject[] {
  const all = [...store.list('kustomizations.kustomize.toolkit.fluxcd.io'), ...store.list('applications.argoproj.io')];
  return all.filter((one) => one.metadata.deletionTimestamp === undefined && applies(one, workload));
}

/** Whether it is ours to quiet: in our scope, and, for what applies others, with something below it that sleeps. */
export function mayBeQuieted(object: KubeObject, store: MemoryStore, rules: ScopeRules): boolean {
  if (!mayBeTakenDown(object, store, rules)) return false;
  if (!isApplier(object)) return true;
  const all = workloadResources.flatMap((resource) => [...store.list(resource)]);
  return all.some((one) => applies(object, one) && mayBeTakenDown(one, store, rules));
}
