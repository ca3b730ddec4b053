import type { KubeObject } from '../../object-store.ts';
import { forbidden, notFound } from '../../store/api-error.ts';
import type { Call } from '../request/call.ts';
import { groupResource } from './resource-type.ts';

/** A namespaced object needs a namespace that exists and is not going away. */
export function namespaceIsThere(call: Call, object: KubeObject): void {
  const name = object.metadata.namespace ?? '';
  const namespace = call.services.store.get('namespaces', undefined, name);
  if (namespace === undefined) throw notFound('namespaces', name);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  throw forbidden(
    groupResource(call.type),
    object.metadata.name ?? '',
    `unable to create new content in namespace ${name} because it is being terminated`,
    [{ reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' }],
  );
}
