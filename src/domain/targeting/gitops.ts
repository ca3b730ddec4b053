import type { WorkloadKind } from '../kinds/kinds.ts';
import type { StringMap } from '../workload.ts';

interface Marked {
  readonly labels: StringMap;
  readonly annotations: StringMap;
}

export interface GitOpsOwner {
  /** Such as `Argo CD application shop`. */
  readonly name: string;
  /** The kind that it is of, which the configuration can name so that it is quiet while the cluster sleeps. */
  readonly kind: WorkloadKind;
}

/** Who applies this object from a repository; undefined when nobody left a mark. */
export function gitOpsOwner({ labels, annotations }: Marked): GitOpsOwner | undefined {
  // The tracking id is `<application>:<group>/<kind>:<namespace>/<name>`.
  const tracked = annotations['argocd.argoproj.io/tracking-id']?.split(':')[0];
  const application = tracked || labels['argocd.argoproj.io/instance'];
  if (application) return gitOpsOwnerAs({ kind: 'Application', name: application });
  return fluxOwner(labels, 'kustomize', 'Kustomization') ?? fluxOwner(labels, 'helm', 'HelmRelease');
}

/** Of what marks name, the namespace may be left out. */
interface Named {
  readonly kind: WorkloadKind;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The same of one that is known itself. */
export function gitOpsOwnerAs({ kind, namespace, name }: Named): GitOpsOwner {
  if (kind === 'Application') return { name: `Argo CD application ${name}`, kind };
  return { name: `Flux ${kind} ${namespace ? `${namespace}/` : ''}${name}`, kind };
}

function fluxOwner(labels: StringMap, toolkit: string, kind: WorkloadKind): GitOpsOwner | undefined {
  const name = labels[`${toolkit}.toolkit.fluxcd.io/name`];
  if (!name) return undefined;
  const namespace = labels[`${toolkit}.toolkit.fluxcd.io/namespace`];
  return gitOpsOwnerAs({ kind, name, namespace });
}
