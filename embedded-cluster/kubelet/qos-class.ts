import type { PodSpec } from 'kubernetes-types/core/v1.js';

/** Guaranteed when every container limits cpu and memory to what it requests, BestEffort when none says anything. */
export function qosClassOf(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  let anything = false;
  let guaranteed = true;
  for (const { resources } of containers) {
    for (const name of ['cpu', 'memory']) {
      const limit = resources?.limits?.[name];
      const request = resources?.requests?.[name] ?? limit;
      if (limit !== undefined || request !== undefined) anything = true;
      if (limit === undefined || request !== limit) guaranteed = false;
    }
  }
  if (!anything) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
