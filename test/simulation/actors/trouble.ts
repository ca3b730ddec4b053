import { configMaps } from '../../../src/domain/names.ts';
import type { RequestFault } from '../world/faulty-transport.ts';
import { releaseNamespace } from '../world/shipped-controller.ts';
import { controllerUser, type SimWorld } from '../world/sim-world.ts';
import type { Actor, Stage } from './actor.ts';

const minute = 60_000;

export const trouble: readonly Actor[] = [
  { name: 'crash after a write', weight: 8, act: crashOnWrite },
  { name: 'crash now', weight: 3, act: crashNow },
  { name: 'request faults', weight: 10, act: requestFaults },
  { name: 'apiserver outage', weight: 2, act: outage },
  { name: 'watches stop silently', weight: 2, act: muteWatches },
  { name: 'watches break', weight: 2, act: breakWatches },
  { name: 'watches lag', weight: 2, act: delayWatches },
  { name: 'compaction', weight: 2, act: compact },
  { name: 'clock jump', weight: 1, act: jump },
  { name: 'a state key is corrupted', weight: 2, act: corrupt },
  { name: 'a state key is cleared', weight: 1, act: clear },
  { name: 'the state is deleted', weight: 1, act: deleteState },
];

function restartLater({ world, chance, later }: Stage): void {
  const after = chance.happens(0.8) ? chance.between(1, 90) * 1_000 : chance.between(10, 600) * minute;
  later(after, 'restart', () => {
    if (!world.alive) world.start();
  });
}

function crashOnWrite(stage: Stage): string {
  const { world, chance } = stage;
  const nth = chance.between(1, 12);
  const done = chance.happens(0.8);
  world.faults.arm({ kind: 'crash', done }, 'writes', nth);
  return `will crash ${done ? 'after' : 'before'} write ${nth}`;
}

function crashNow(stage: Stage): string {
  stage.world.kill();
  restartLater(stage);
  return 'crashes';
}

function requestFaults({ world, chance, troubleFor }: Stage): string {
  const done = chance.happens(0.5);
  const faults: readonly RequestFault[] = [
    { kind: 'status', status: 409, done: false },
    { kind: 'status', status: 429, done: false, retryAfterSeconds: chance.between(1, 20) },
    { kind: 'status', status: 500, done },
    { kind: 'status', status: 503, done },
    { kind: 'status', status: 504, done },
    { kind: 'reset', done },
    { kind: 'silence', done },
    { kind: 'delay', ms: chance.between(100, 25_000) },
  ];
  const fault = chance.pick(faults);
  const on = chance.pick(['writes', 'writes', 'reads', 'all'] as const);
  const nth = chance.between(1, 10);
  const times = chance.happens(0.7) ? 1 : chance.between(2, 8);
  world.faults.arm(fault, on, nth, times);
  troubleFor(2 * minute);
  return `${JSON.stringify(fault)} for ${times} of ${on} from the ${nth}th on`;
}

function outage({ world, chance, later, troubleFor }: Stage): string {
  const ms = chance.between(1, 20) * minute;
  world.faults.outage = true;
  for (const { stream } of ours(world)) stream.fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  later(ms, 'the apiserver is back', () => {
    world.faults.outage = false;
  });
  troubleFor(ms + 5 * minute);
  return `the apiserver is gone for ${ms / minute} min`;
}

function ours(world: SimWorld) {
  return world.cluster.api.faults.openWatches(({ user }) => user === controllerUser);
}

function muteWatches({ world, chance, troubleFor }: Stage): string {
  for (const { stream } of ours(world)) if (chance.happens(0.5)) stream.mute();
  troubleFor(6 * minute);
  return 'watches say nothing more';
}

function breakWatches({ world, chance, troubleFor }: Stage): string {
  for (const { stream } of ours(world)) {
    if (chance.happens(0.5)) stream.fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  }
  troubleFor(5 * minute);
  return 'watches break';
}

function delayWatches({ world, chance, troubleFor }: Stage): string {
  const ms = chance.between(1, 60) * 1_000;
  for (const { stream } of ours(world))
    if (chance.happens(0.5)) stream.holdBack((release) => world.clock.after(ms, release));
  troubleFor(12 * minute);
  return `watches lag by ${ms / 1_000} s`;
}

function compact({ world, chance, troubleFor }: Stage): string {
  world.store.compact();
  for (const { stream } of ours(world)) if (chance.happens(0.7)) stream.end();
  troubleFor(5 * minute);
  return 'compaction';
}

function jump({ world, chance, troubleFor }: Stage): string {
  const minutes = chance.pick([-120, -30, -1, 1, 30, 120, 300]);
  world.clock.jumpWallClock(minutes * minute);
  troubleFor(minute);
  return `the clock jumps by ${minutes} min`;
}

function stateData(world: SimWorld): Record<string, string> | undefined {
  const object = world.store.get('configmaps', releaseNamespace, configMaps.state);
  return object === undefined ? undefined : { ...(object['data'] as Record<string, string> | undefined) };
}

export function putState(world: SimWorld, change: (data: Record<string, string>) => void): void {
  const object = world.store.get('configmaps', releaseNamespace, configMaps.state);
  const data = stateData(world);
  if (object === undefined || data === undefined) return;
  change(data);
  world.store.update('configmaps', { ...object, data });
}

const coreKeys = ['resource_states', 'wake_override', 'stand_down', 'transition', 'phase', 'schedule_overrides'];

function corrupt(stage: Stage): string | undefined {
  const data = stateData(stage.world);
  return data === undefined ? undefined : corruptKey(stage, stage.chance.pick(coreKeys), data);
}

/** Until somebody repairs it, hours later. */
export function corruptKey(
  { world, chance, later }: Stage,
  key: string,
  data = stateData(world) ?? {},
): string | undefined {
  const repair = spoil(world, key, data);
  if (repair === undefined) return undefined;
  later(chance.between(1, 240) * minute, `repairs ${key}`, repair);
  return `corrupts ${key}`;
}

/** Makes a value undecodable; the returned function repairs it. Undefined where there is nothing to spoil. */
export function spoil(world: SimWorld, key: string, data = stateData(world) ?? {}): (() => void) | undefined {
  const before = data[key];
  if (before === undefined || before === '{broken') return undefined;
  putState(world, (all) => {
    all[key] = '{broken';
  });
  return () =>
    putState(world, (all) => {
      if (all[key] === '{broken') all[key] = before;
    });
}

function clear({ world, chance }: Stage): string | undefined {
  const key = chance.pick(['resource_states', 'wake_override', 'phase']);
  return clearKey(world, key);
}

const arrayKeys = new Set(['resource_states', 'satellites', 'external_wake_sessions']);

export function clearKey(world: SimWorld, key: string): string | undefined {
  if (stateData(world)?.[key] === undefined) return undefined;
  if (key === 'resource_states') world.workloadRecordsLost();
  if (key === 'satellites') world.serviceOwners.recordsLost(world.store.list('services'));
  putState(world, (all) => {
    if (arrayKeys.has(key)) all[key] = '[]';
    else delete all[key];
  });
  return `clears ${key}`;
}

function deleteState({ world }: Stage): string | undefined {
  if (stateData(world) === undefined) return undefined;
  world.recordsLost();
  world.store.delete('configmaps', releaseNamespace, configMaps.state);
  return 'deletes svc-state';
}
