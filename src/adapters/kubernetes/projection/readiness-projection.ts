import type { Switched } from '../../../domain/workload.ts';
import type { WorkloadObject } from '../client/resource-type.ts';
import { instantOf } from './instant.ts';

/** A status as most operators write it; whatever else stands there says nothing. */
interface Reporting {
  readonly observedGeneration?: unknown;
  readonly conditions?: unknown;
}

interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly observedGeneration?: unknown;
  readonly lastTransitionTime?: unknown;
}

/**
 * Whether the condition says that the object is up. One that was written for an earlier generation tells of the time before the
 * last change; where nobody says for which it was written, it is believed.
 */
export function readinessOf({ metadata, status }: WorkloadObject, type: string): NonNullable<Switched['ready']> {
  const { conditions, observedGeneration } = (status ?? {}) as Reporting;
  const all: readonly (Condition | null)[] = Array.isArray(conditions) ? conditions : [];
  const condition = all.find((one) => one?.type === type);
  if (condition == null) return { status: false, since: 0 };
  const observed = Number(condition.observedGeneration ?? observedGeneration ?? Number.POSITIVE_INFINITY);
  const { lastTransitionTime: since } = condition;
  return {
    status: condition.status === 'True' && observed >= (metadata?.generation ?? 0),
    since: instantOf(typeof since === 'string' ? since : undefined),
  };
}
