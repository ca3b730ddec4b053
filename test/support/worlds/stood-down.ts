import { configMaps } from '../../../src/domain/names.ts';
import { type ControllerWorld, releaseNamespace } from '../controller-world.ts';

/** A person writes one key of the state, and no controller or api has to run for it. */
export function writeStateKey(world: ControllerWorld, key: string, value: object): void {
  const stored = world.cluster.store.get('configmaps', releaseNamespace, configMaps.state)!;
  world.cluster.apply([{ ...stored, data: { ...(stored['data'] as object), [key]: JSON.stringify(value) } }]);
}

export function standDown(world: ControllerWorld): void {
  const admin = { actor: 'ann@example.org', at: new Date(world.clock.now()).toISOString() };
  writeStateKey(world, 'stand_down', { admin, handbackDone: false });
}

export function isHandedBack(world: ControllerWorld): boolean {
  const stood = JSON.parse(world.stateData()['stand_down'] ?? '{}') as { handbackDone?: boolean };
  return stood.handbackDone === true;
}
