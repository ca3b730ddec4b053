import type { PersistentVolumeClaim, PodTemplateSpec, Volume } from 'kubernetes-types/core/v1.js';
import type { StoredPod, StoredStatefulSet } from './machinery/typed-store.ts';
import type { PodWish } from './pod-creation.ts';
import { revisionLabel } from './stateful-set-plan.ts';

export function podNameOf(set: StoredStatefulSet, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** A StatefulSet's pod: a stable name, its own volumes, and the revision it was made from. */
export function statefulPod(
  set: StoredStatefulSet,
  ordinal: number,
  revision: string,
  template: PodTemplateSpec,
): PodWish {
  const name = podNameOf(set, ordinal);
  const claims = (set.spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? '');
  const own: Volume[] = claims.map((claim) => ({
    name: claim,
    persistentVolumeClaim: { claimName: `${claim}-${name}` },
  }));
  const others = (template.spec?.volumes ?? []).filter((volume) => !claims.includes(volume.name));
  return {
    owner: set,
    template,
    name,
    labels: {
      'statefulset.kubernetes.io/pod-name': name,
      'apps.kubernetes.io/pod-index': String(ordinal),
      [revisionLabel]: revision,
    },
    spec: {
      hostname: name,
      ...(set.spec.serviceName === undefined ? {} : { subdomain: set.spec.serviceName }),
      ...(own.length + others.length === 0 ? {} : { volumes: [...others, ...own] }),
    },
  };
}

/** The claims of one pod, bound at once; they outlive the pod and the StatefulSet. */
export function claimsOf(set: StoredStatefulSet, ordinal: number): PersistentVolumeClaim[] {
  const pod = podNameOf(set, ordinal);
  return (set.spec.volumeClaimTemplates ?? []).map((claim) => {
    const name = `${claim.metadata?.name ?? ''}-${pod}`;
    const capacity = claim.spec?.resources?.requests ?? {};
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name,
        namespace: set.metadata.namespace ?? 'default',
        labels: { ...set.spec.selector.matchLabels, ...claim.metadata?.labels },
      },
      spec: { volumeMode: 'Filesystem', volumeName: `pvc-${name}`, ...claim.spec },
      status: { phase: 'Bound', accessModes: claim.spec?.accessModes ?? [], capacity },
    };
  });
}

export function claimNames(pod: StoredPod): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
}
