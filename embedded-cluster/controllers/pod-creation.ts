import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { qosClassOf } from '../kubelet/qos-class.ts';
import { ApiError } from '../store/api-error.ts';
import { controlledBy } from './machinery/controller-context.ts';
import { isFinishedPod } from './machinery/pod-state.ts';
import type { AnyObject, StoredPod, TypedStore } from './machinery/typed-store.ts';

export interface PodWish {
  readonly owner: AnyObject;
  readonly template: PodTemplateSpec;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Fields over those of the template's spec. */
  readonly spec?: Partial<Pod['spec']>;
}

/** Creates a pod from a template; throws the apiserver's refusal when a quota of the namespace is used up. */
export function createPod(store: TypedStore, wish: PodWish): StoredPod {
  const { owner, template } = wish;
  const namespace = owner.metadata.namespace ?? 'default';
  checkQuota(store, namespace, wish.name);
  const labels = { ...template.metadata?.labels, ...wish.labels };
  const annotations = { ...template.metadata?.annotations, ...wish.annotations };
  const spec = { ...template.spec, ...wish.spec };
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: wish.name,
      namespace,
      labels,
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [controlledBy(owner)],
    },
    spec: withDefaults(spec as NonNullable<Pod['spec']>),
    status: { phase: 'Pending', qosClass: qosClassOf(spec as NonNullable<Pod['spec']>) },
  };
  return store.create('pods', pod);
}

function withDefaults(spec: NonNullable<Pod['spec']>): NonNullable<Pod['spec']> {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    ...spec,
  };
}

/** The part of the quota admission that counts pods: enough for a workload that may not come up. */
function checkQuota(store: TypedStore, namespace: string, name: string): void {
  for (const quota of store.list('resourcequotas', namespace)) {
    const limit = quota.spec.hard?.['pods'] ?? quota.spec.hard?.['count/pods'];
    if (limit === undefined) continue;
    const used = store.list('pods', namespace).filter((pod) => !isFinishedPod(pod)).length;
    if (used < Number(limit)) continue;
    const excess = `exceeded quota: ${quota.metadata.name}, requested: pods=1, used: pods=${used}, limited: pods=${limit}`;
    throw new ApiError(403, 'Forbidden', `pods "${name}" is forbidden: ${excess}`, { name, kind: 'pods' });
  }
}
