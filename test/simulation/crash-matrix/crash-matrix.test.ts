import { describe, expect, it } from 'vitest';
import type { Circumstances } from '../invariants/circumstances.ts';
import { checkConverged } from '../invariants/quiet-rules.ts';
import { WriteRules } from '../invariants/write-rules.ts';
import { isSatellite } from '../oracle/service-owners.ts';
import { levelOf, refOf } from '../oracle/workload-level.ts';
import type { RequestFault } from '../world/faulty-transport.ts';
import type { SimWorld } from '../world/sim-world.ts';
import { before, type Scenario, scenarios } from './scenarios.ts';

const minute = 60_000;

/** What is done to one write: the controller dies, or the answer is a refusal, an error, or none. */
const faults: Readonly<Record<string, RequestFault>> = {
  'is killed after': { kind: 'crash', done: true },
  'is killed before': { kind: 'crash', done: false },
  'gets 409 for': { kind: 'status', status: 409, done: false },
  'gets 429 for': { kind: 'status', status: 429, done: false, retryAfterSeconds: 2 },
  'gets 500 for': { kind: 'status', status: 500, done: false },
  'gets 500 after': { kind: 'status', status: 500, done: true },
  'gets 504 after': { kind: 'status', status: 504, done: true },
  'gets no answer for': { kind: 'silence', done: false },
  'gets no answer after': { kind: 'silence', done: true },
};

const around: Circumstances = {
  lastActionAt: () => 0,
  slackMs: () => 60_000,
  scope: () => ({ neverScale: [] }),
};

interface Played {
  readonly writes: number;
  readonly struck: boolean;
  readonly levels: Readonly<Record<string, number>>;
}

/** Plays a scenario with one fault at the n-th write; the invariants are checked at every write and at the end. */
async function play(scenario: Scenario, fault?: RequestFault, nth = 0): Promise<Played> {
  const world = await before(scenario);
  const rules = new WriteRules(world, around);
  let writes = 0;
  let struck = false;
  world.cluster.api.faults.onRequest((facts) => {
    if (facts.user.endsWith('svc-controller') && !['get', 'list', 'watch'].includes(facts.verb)) writes++;
  });
  world.onFault = () => {
    struck = true;
  };
  world.onCrash = () => void world.clock.after(5_000, () => world.start());
  if (fault !== undefined) world.faults.arm(fault, 'writes', nth);
  await scenario.trigger(world);
  await world.advance(45 * minute);
  const counted = writes;
  if (!world.alive) world.start();
  expect(rules.violations.map(({ message }) => message)).toEqual([]);
  checkConverged(world, around);
  rules.told.check();
  const levels = levelsOf(world);
  // A stand-down that ended, or a night that passed, brings the rest: every count has to come back from where it is.
  if (scenario.to === 'asleep') {
    await world.advance(Date.UTC(2026, 0, 6, 8, 45) - world.clock.now());
    expect(rules.violations.map(({ message }) => message)).toEqual([]);
    expect(levelsOf(world)).toEqual(wanted);
    checkConverged(world, around);
  }
  world.kill();
  world.cluster.stop();
  return { writes: counted, struck, levels };
}

function levelsOf(world: SimWorld): Record<string, number> {
  const own = world.workloads().filter((object) => !isSatellite(object));
  return Object.fromEntries(own.map((object) => [refOf(object), levelOf(object)]));
}

const wanted = {
  'Deployment shop/cart': 3,
  'Deployment blog/posts': 1,
  'Deployment shop/parked': 0,
  'Deployment shop/excluded': 2,
  'StatefulSet shop/db': 2,
  'CronJob shop/report': 1,
  'CronJob shop/resting': 0,
};
const asleep = {
  ...Object.fromEntries(Object.keys(wanted).map((ref) => [ref, 0])),
  'Deployment shop/excluded': 2,
};

describe.each(scenarios)('$name', (scenario) => {
  const expected = scenario.to === 'awake' ? wanted : asleep;

  it('runs to its end', async () => {
    const { levels, writes } = await play(scenario);
    expect(levels).toEqual(expected);
    expect(writes).toBeGreaterThan(7);
  });

  it.each(Object.entries(faults))('ends the same when the controller %s any one write', async (_, fault) => {
    const { writes } = await play(scenario);
    let struck = 0;
    for (let nth = 1; nth <= writes; nth++) {
      const played = await play(scenario, fault, nth);
      expect(played.levels, `write ${nth}`).toEqual(expected);
      if (played.struck) struck++;
    }
    expect(struck).toBe(writes);
  });
});
