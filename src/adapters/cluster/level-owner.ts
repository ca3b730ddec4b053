import type { KindRow } from '../../domain/kinds/kind-row.ts';
import { stepsTo, valueAt } from '../../domain/kinds/place.ts';
import { fieldManager } from '../../domain/names.ts';
import type { KubeObject } from '../kubernetes/client/resource-type.ts';

/**
 * The field manager that owns the place that the kind sleeps by, such as `spec.replicas`; ours where several do. Empty when
 * nobody does, undefined when the object carries no managed fields at all.
 */
export function levelOwner(object: KubeObject, { sleep }: KindRow): string | undefined {
  const entries = object.metadata?.managedFields;
  if (entries === undefined) return undefined;
  const steps = stepsTo(sleep).map((step) => `f:${step}`);
  const owners = entries.filter((entry) => valueAt(entry.fieldsV1, steps) !== undefined);
  const names = owners.map((entry) => entry.manager ?? '');
  return names.includes(fieldManager) ? fieldManager : (names[0] ?? '');
}
