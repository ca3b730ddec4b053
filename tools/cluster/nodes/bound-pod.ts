import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { PodView } from '../../../embedded-cluster/kubelet/pod-view.ts';

/** Of a pod, what its life on a node depends on. */
export interface BoundPod extends PodView {
  readonly metadata: PodView['metadata'] & {
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly uid: string;
      readonly kind: string;
      readonly controller?: boolean;
    }[];
  };
}

/** Drops managed fields and labels: thousands of pods are held at a time. */
export function boundPod(pod: Pod): BoundPod {
  const { metadata = {}, spec = { containers: [] }, status } = pod;
  return {
    metadata: {
      name: metadata.name ?? '',
      namespace: metadata.namespace ?? '',
      uid: metadata.uid ?? '',
      creationTimestamp: metadata.creationTimestamp ?? '',
      ...(metadata.deletionTimestamp === undefined ? {} : { deletionTimestamp: metadata.deletionTimestamp }),
      ...(metadata.deletionGracePeriodSeconds === undefined
        ? {}
        : { deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds }),
      ...(metadata.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(metadata.ownerReferences === undefined
        ? {}
        : {
            ownerReferences: metadata.ownerReferences.map(({ uid, kind, controller = false }) => ({
              uid,
              kind,
              controller,
            })),
          }),
    },
    spec,
    ...(status === undefined ? {} : { status }),
  };
}
