import type { KubeObject } from '../../object-store.ts';
import { ApiError } from '../../store/api-error.ts';
import { numberOf, valueAt } from '../../store/json-value.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import { parseLabelSelector, selectorText } from '../verbs/label-selector.ts';

/** The 429 that an eviction gets when a budget covers the pod and has nothing left. */
export function blockingBudget(store: MemoryStore, pod: KubeObject): ApiError | undefined {
  const budgets = store
    .list('poddisruptionbudgets.policy', pod.metadata.namespace)
    .filter((budget) => covers(budget, pod));
  const blocking = budgets.find((budget) => (numberOf(valueAt(budget, 'status', 'disruptionsAllowed')) ?? 0) <= 0);
  if (blocking === undefined) return undefined;
  const { name } = blocking.metadata;
  const needed = numberOf(valueAt(blocking, 'status', 'desiredHealthy')) ?? 0;
  const healthy = numberOf(valueAt(blocking, 'status', 'currentHealthy')) ?? 0;
  const message = `The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`;
  return new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: 'DisruptionBudget', message }],
  });
}

function covers(budget: KubeObject, pod: KubeObject): boolean {
  const selector = parseLabelSelector(selectorText(valueAt(budget, 'spec', 'selector')));
  return selector === undefined || selector(pod.metadata.labels);
}
