import type { StringMap } from '../workload.ts';

interface Marked {
  readonly labels: StringMap;
  readonly annotations: StringMap;
}

/** Who applies this object from a repository, such as `Argo CD application shop`; undefined when nobody left a mark. */
export function gitOpsOwner({ labels, annotations }: Marked): string | undefined {
  // The tracking id is `<application>:<group>/<kind>:<namespace>/<name>`.
  const tracked = annotations['argocd.argoproj.io/tracking-id']?.split(':')[0];
  const application = tracked || labels['argocd.argoproj.io/instance'];
  if (application) return `Argo CD application ${application}`;
  return fluxOwner(labels, 'kustomize', 'Kustomization') ?? fluxOwner(labels, 'helm', 'HelmRelease');
}

function fluxOwner(labels: StringMap, toolkit: string, kind: string): string | undefined {
  const name = labels[`${toolkit}.toolkit.fluxcd.io/name`];
  if (!name) return undefined;
  const namespace = labels[`${toolkit}.toolkit.fluxcd.io/namespace`];
  return `Flux ${kind} ${namespace ? `${namespace}/` : ''}${name}`;
}
