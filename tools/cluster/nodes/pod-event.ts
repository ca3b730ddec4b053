import type { Event } from 'kubernetes-types/core/v1.d.ts';
import { timestamp } from '../../../embedded-cluster/controllers/machinery/timestamps.ts';
import type { PodEvent } from '../../../embedded-cluster/kubelet/pod-view.ts';
import type { Random } from '../../../src/ports/random.ts';
import type { BoundPod } from './bound-pod.ts';

/** The event as a kubelet would write it. */
export function podEventObject(pod: BoundPod, event: PodEvent, random: Random): Event {
  const { name, namespace, uid } = pod.metadata;
  const at = timestamp(event.at);
  const suffix = Buffer.from(random.bytes(8)).toString('hex');
  return {
    metadata: { name: `${name}.${suffix}`, namespace },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      name,
      namespace,
      uid,
      ...(event.container === undefined ? {} : { fieldPath: `spec.containers{${event.container}}` }),
    },
    type: event.type,
    reason: event.reason,
    message: event.message,
    source: { component: 'kubelet', ...(pod.spec.nodeName === undefined ? {} : { host: pod.spec.nodeName }) },
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
  };
}
