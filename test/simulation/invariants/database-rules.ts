import { isRecorded } from '../oracle/database-record.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Court } from './court.ts';
import { Violation } from './violation.ts';

/** Looks at every call of the controller that stops or starts a database. */
export function watchCloud(world: SimWorld, court: Court): void {
  const { cloud } = world;
  if (cloud === undefined) return;
  cloud.onStop = (database) => {
    const ref = `database ${database.name}`;
    world.trace.note(`our call: stops ${ref} (${database.condition})`);
    if (!isRecorded(world, database) && !court.recordsInDoubt())
      court.broken('record before act', `${ref} was stopped without a durable record`);
    court.takingDown(ref);
  };
  cloud.onStart = (database) => {
    const ref = `database ${database.name}`;
    world.trace.note(`our call: starts ${ref} (${database.condition})`);
    if (database.wanted === 'down') court.broken('the user wins', `${ref} was started, its owner stopped it`);
    court.bringingBack(ref);
  };
}

export function checkDatabasesUp(world: SimWorld): void {
  for (const database of world.cloud?.databases.values() ?? []) {
    const { name, wanted, condition } = database;
    if (wanted === undefined) continue;
    if ((condition === 'available') !== (wanted === 'up')) {
      throw new Violation('eventual up', `database ${name} is ${condition}, its owner wants it ${wanted}`);
    }
    if (isRecorded(world, database)) throw new Violation('eventual up', `database ${name} is still recorded as ours`);
    database.touched = false;
  }
}

export function checkDatabasesDown(world: SimWorld): void {
  for (const database of world.cloud?.databases.values() ?? []) {
    const { name, wanted, condition, touched } = database;
    if (wanted !== 'up' || touched) continue;
    if (condition !== 'stopped') throw new Violation('time', `database ${name} is ${condition} in the night`);
    if (!isRecorded(world, database)) throw new Violation('count fidelity', `database ${name} sleeps without a record`);
  }
}
