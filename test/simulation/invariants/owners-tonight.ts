import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { appliersOf } from '../oracle/appliers.ts';
import { isQuiet } from '../oracle/neighbour-place.ts';
import type { SimWorld } from '../world/sim-world.ts';

interface Touched {
  readonly touchedAt: number;
  readonly createdAt: number;
}

/** Whether what is up in the night is so by its owner: he scaled it, or he resumed what applies it and has made it anew since. */
export function isOwnersTonight(world: SimWorld, object: KubeObject, wish: Touched): boolean {
  return wasTouched(wish) || appliersOf(object, world.store).some((applier) => isResumed(world, applier));
}

function isResumed(world: SimWorld, applier: KubeObject): boolean {
  const wish = world.neighbourOwners.of(applier);
  return !isQuiet(applier) && wish !== undefined && wasTouched(wish);
}

/** Since it was created: in the night that counts. */
function wasTouched({ touchedAt, createdAt }: Touched): boolean {
  return touchedAt > createdAt;
}
