import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import type { SimWorld } from '../world/sim-world.ts';

/** On its way out, or in a namespace that is. */
export function isGoing(world: SimWorld, { metadata }: KubeObject): boolean {
  const home = world.store.get('namespaces', undefined, metadata.namespace ?? '');
  return (
    metadata.deletionTimestamp !== undefined || home === undefined || home.metadata.deletionTimestamp !== undefined
  );
}
