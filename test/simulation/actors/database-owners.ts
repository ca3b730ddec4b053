import { mayBeRecorded } from '../oracle/database-record.ts';
import type { SimCloud, SimDatabase } from '../world/sim-cloud.ts';
import type { Actor, Stage } from './actor.ts';
import { corruptKey } from './trouble.ts';

const minute = 60_000;

/** What owners of managed databases do, and their cloud. */
export const databaseOwners: readonly Actor[] = [
  { name: 'starts a database', weight: 4, act: start },
  { name: 'stops a database', weight: 3, act: stop },
  { name: 'the cloud does not answer', weight: 3, act: trouble },
  { name: 'corrupts the records of databases', weight: 1, act: (stage) => corruptKey(stage, 'database_states') },
];

function pick(stage: Stage, condition: SimDatabase['condition']): [SimCloud, SimDatabase] | undefined {
  const { cloud } = stage.world;
  const all = [...(cloud?.databases.values() ?? [])].filter((one) => one.condition === condition);
  return cloud === undefined || all.length === 0 ? undefined : [cloud, stage.chance.pick(all)];
}

function start(stage: Stage): string | undefined {
  const found = pick(stage, 'stopped');
  if (found === undefined) return undefined;
  const [cloud, database] = found;
  Object.assign(database, { wanted: 'up', touched: true });
  cloud.setStarted(database);
  return `starts database ${database.name}`;
}

function stop(stage: Stage): string | undefined {
  const found = pick(stage, 'available');
  if (found === undefined) return undefined;
  const [cloud, database] = found;
  // One that we stopped and its owner started and stopped again, before anybody looked, is as we left it.
  const ours = mayBeRecorded(stage.world, database);
  Object.assign(database, { wanted: ours ? undefined : 'down', touched: true });
  cloud.setStopped(database);
  return `stops database ${database.name}`;
}

function trouble({ world, chance, troubleFor }: Stage): string | undefined {
  if (world.cloud === undefined) return undefined;
  const minutes = chance.between(1, 90);
  world.cloud.troubledUntil = world.clock.monotonic() + minutes * minute;
  troubleFor(minutes * minute);
  return `the cloud does not answer for ${minutes} min`;
}
