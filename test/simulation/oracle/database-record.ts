import { databaseStates } from '../../../src/state/database-states.ts';
import type { SimDatabase } from '../world/sim-cloud.ts';
import type { SimWorld } from '../world/sim-world.ts';

/** Whether the state says that we stopped it. */
export function isRecorded(world: SimWorld, { name }: SimDatabase): boolean {
  const states = databaseStates.decode(world.stateData()['database_states']);
  return states.ok && states.value.get(name)?.stoppedByUs === true;
}

/** Nobody looks after databases while their records cannot be read: what they said before may be said again. */
export function mayBeRecorded(world: SimWorld, database: SimDatabase): boolean {
  return !databaseStates.decode(world.stateData()['database_states']).ok || isRecorded(world, database);
}
