import { fieldManager } from '../../domain/names.ts';
import type { KubeObject } from '../kubernetes/client/resource-type.ts';

/**
 * The field manager that owns `spec.replicas`, or a CronJob's `spec.suspend`; ours where several do. Empty when nobody
 * does, undefined when the object carries no managed fields at all.
 */
export function replicasOwner(object: KubeObject): string | undefined {
  const entries = object.metadata?.managedFields;
  if (entries === undefined) return undefined;
  const owners = entries.filter((entry) => ownsLevel(entry.fieldsV1)).map((entry) => entry.manager ?? '');
  return owners.includes(fieldManager) ? fieldManager : (owners[0] ?? '');
}

function ownsLevel(fields: unknown): boolean {
  const spec = (fields as { 'f:spec'?: Record<string, unknown> } | undefined)?.['f:spec'];
  return spec !== undefined && ('f:replicas' in spec || 'f:suspend' in spec);
}
