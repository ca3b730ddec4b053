import { afterEach, describe, expect, it } from 'vitest';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import { ControllerWorld, controllerIdentity } from '../../../test/support/controller-world.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import { isHandedBack, standDown } from '../../../test/support/worlds/stood-down.ts';
import { configMaps } from '../../domain/names.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { DatabaseReading, Databases } from '../../ports/databases.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A monday, 19:59 in Berlin. */
const beforeNight = Date.UTC(2026, 0, 5, 18, 59);
const databases = { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } };

let world: ControllerWorld;
afterEach(() => world.stopController());

/** A cloud that does what it is told so much later. */
class LateCloud implements Databases {
  condition: 'available' | 'stopped' = 'available';
  readonly calls: string[] = [];
  readonly #landsMs: number;
  readonly #answer: WriteOutcome;

  constructor(landsMs = 0, answer: WriteOutcome = { outcome: 'done' }) {
    this.#landsMs = landsMs;
    this.#answer = answer;
  }

  async read(): Promise<DatabaseReading> {
    return { condition: this.condition };
  }

  stop(name: string): Promise<WriteOutcome> {
    return this.#told(`stop ${name}`, 'stopped');
  }

  start(name: string): Promise<WriteOutcome> {
    return this.#told(`start ${name}`, 'available');
  }

  async #told(call: string, condition: 'available' | 'stopped'): Promise<WriteOutcome> {
    this.calls.push(call);
    const carryOut = () => {
      this.condition = condition;
    };
    if (this.#landsMs === 0) carryOut();
    else world.clock.after(this.#landsMs, carryOut);
    return this.#answer;
  }
}

async function start(cloud: Databases, process?: PausableProcess): Promise<void> {
  await world.startController(process?.transport, process?.clock);
  Object.assign(world.ports, { databases: cloud });
}

function prepare(): PausableProcess {
  world = new ControllerWorld({ startAt: beforeNight, config: { databases } });
  return new PausableProcess(world.clock, world.cluster.transport(controllerIdentity));
}

/** Stops where it stands once the state says so of the database, and has not heard yet that it was written. */
function pauseOnce(process: PausableProcess, status: string): void {
  const unsubscribe = world.cluster.api.faults.onWrite(({ name }) => {
    if (name !== configMaps.state || !(world.stateData()['database_states'] ?? '').includes(`"${status}"`)) return;
    process.pause();
    unsubscribe();
  });
}

describe('a database that was told to stop, and does so when nobody wants it any more', () => {
  const unanswered = { outcome: 'unknown', message: 'no answer' } as const;
  const allDay = { databases, workingHours: { schedule: { monday: '00:00-23:59', tuesday: '00:00-23:59' } } };

  it.each([
    ['answered, under a stand-down', { outcome: 'done' }, () => standDown(world)],
    ['not answered, under a stand-down', unanswered, () => standDown(world)],
    ['answered, in a wake', { outcome: 'done' }, () => world.reconfigure(allDay)],
    ['not answered, in a wake', unanswered, () => world.reconfigure(allDay)],
  ] as const)('is started again: %s', async (_, answer, change) => {
    prepare();
    const cloud = new LateCloud(20_000, answer);
    await start(cloud);
    for (let tries = 0; tries < 600 && cloud.calls.length === 0; tries++) await world.clock.advance(200);
    expect(cloud.calls).toEqual(['stop orders']);
    change();
    await world.clock.advance(30 * minute);
    expect(cloud.condition).toBe('available');
    expect(world.stateData()['database_states'] ?? '{}').toBe('{}');
  });
});

describe('a controller that was paused', () => {
  it('as it recorded a database stops it no more under a stand-down', async () => {
    const late = prepare();
    const cloud = new LateCloud();
    pauseOnce(late, 'stopping');
    // Nor does it hear of what happens to the state meanwhile: its connection has died without a word.
    const silence = world.cluster.api.faults.add({
      match: ({ verb, resource }) => verb === 'watch' && resource === 'configmaps',
      effect: { kind: 'watch', mode: 'silent' },
    });
    await start(cloud, late);
    await world.clock.advance(2 * minute);
    silence();
    standDown(world);
    await start(cloud);
    await world.clock.advance(5 * minute);
    expect([cloud.calls, isHandedBack(world)]).toEqual([[], true]);
    late.continue();
    await world.clock.advance(minute);
    expect(cloud.calls).toEqual([]);
  });

  it('in a wake starts no database in the night after', async () => {
    const late = prepare();
    const cloud = new LateCloud();
    await start(cloud, late);
    await world.clock.advance(2 * hour);
    expect(cloud.condition).toBe('stopped');
    pauseOnce(late, 'starting');
    await world.clock.advance(11 * hour);
    await start(cloud);
    await world.clock.advance(12 * hour);
    expect(cloud.condition).toBe('stopped');
    late.continue();
    await world.clock.advance(2 * hour);
    expect([cloud.condition, world.stateData()['database_states']]).toEqual([
      'stopped',
      expect.stringContaining('"stoppedByUs":true'),
    ]);
  });
});

it('a database that leaves the configuration while the fence is asked is not stopped', async () => {
  prepare();
  const cloud = new LateCloud();
  await start(cloud);
  const ofState = ({ verb, name }: RequestFacts) => verb === 'get' && name === configMaps.state;
  world.cluster.api.faults.add({ match: ofState, effect: { kind: 'delay', ms: 3_000 } });
  const unsubscribe = world.cluster.api.faults.onRequest((facts) => {
    if (!ofState(facts) || !(world.stateData()['database_states'] ?? '').includes('stopping')) return;
    unsubscribe();
    world.clock.after(1_000, () => world.reconfigure({}));
  });
  await world.clock.advance(10 * minute);
  expect(cloud.calls.filter((call) => call.startsWith('stop'))).toEqual([]);
});
