import { isReady, readyCondition } from './machinery/pod-state.ts';
import type { StoredPod } from './machinery/typed-store.ts';

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phases: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** The order in which a ReplicaSet gives its pods up: first those whose loss costs least. */
export function byDeletionPreference(pods: readonly StoredPod[]): StoredPod[] {
  const crowd = new Map<string, number>();
  for (const { spec } of pods) {
    if (spec.nodeName !== undefined) crowd.set(spec.nodeName, (crowd.get(spec.nodeName) ?? 0) + 1);
  }
  const crowded = (pod: StoredPod) => (pod.spec.nodeName === undefined ? 0 : (crowd.get(pod.spec.nodeName) ?? 0));
  const rules: readonly ((pod: StoredPod) => number | string)[] = [
    (pod) => (pod.spec.nodeName === undefined ? 0 : 1),
    (pod) => phases[pod.status?.phase ?? 'Pending'] ?? 0,
    (pod) => (isReady(pod) ? 1 : 0),
    (pod) => Number(pod.metadata.annotations?.[costAnnotation] ?? 0),
    (pod) => -crowded(pod),
    (pod) => newerFirst(isReady(pod) ? readyCondition(pod)?.lastTransitionTime : undefined),
    (pod) => -restarts(pod),
    (pod) => newerFirst(pod.metadata.creationTimestamp),
    (pod) => pod.metadata.name,
  ];
  return [...pods].sort((a, b) => firstDifference(rules, a, b));
}

function firstDifference(rules: readonly ((pod: StoredPod) => number | string)[], a: StoredPod, b: StoredPod): number {
  for (const rule of rules) {
    const [left, right] = [rule(a), rule(b)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function newerFirst(time: string | undefined): number {
  return time === undefined ? 0 : -Date.parse(time);
}

function restarts(pod: StoredPod): number {
  return (pod.status?.containerStatuses ?? []).reduce((most, one) => Math.max(most, one.restartCount), 0);
}
