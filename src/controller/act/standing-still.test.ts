import { afterEach, expect, it } from 'vitest';
import { namespaceManifest, workloadManifest } from '../../../test/support/builders/manifests.ts';
import { ControllerWorld, controllerIdentity } from '../../../test/support/controller-world.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import { configMaps } from '../../domain/names.ts';
import type { Transport } from '../../ports/transport.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A monday, 19:59 in Berlin: a minute before everything that is ours should sleep. */
const beforeNight = Date.UTC(2026, 0, 5, 18, 59);
const names = Array.from({ length: 120 }, (_, index) => `app-${index}`);

let world: ControllerWorld;
let end = async () => {};
afterEach(async () => {
  await end();
  await world.stopController();
});

function prepare(): void {
  end = async () => {};
  world = new ControllerWorld({ startAt: beforeNight });
  const workloads = names.map((name) => workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2 }));
  world.cluster.apply([namespaceManifest('shop'), ...workloads]);
}

/** The only controller; it stops where it stands once it has sent so many scaling writes from now on. */
async function start(): Promise<{ readonly process: PausableProcess; pauseAfter(writes: number): void }> {
  const process = new PausableProcess(world.clock, world.cluster.transport(controllerIdentity));
  await world.startController(process.transport, process.clock);
  return {
    process,
    pauseAfter(writes) {
      let seen = 0;
      const unsubscribe = world.cluster.api.faults.onRequest(({ verb, resource }) => {
        if (verb !== 'patch' || resource !== 'deployments.apps' || ++seen !== writes) return;
        process.pause();
        unsubscribe();
      });
    },
  };
}

/** Names of what is given so many replicas from now on. */
function scaledTo(replicas: number): readonly string[] {
  const scaled: string[] = [];
  world.cluster.api.faults.onWrite(({ resource, name, after }) => {
    if (resource === 'deployments.apps' && (after.spec as { replicas: number }).replicas === replicas)
      scaled.push(name);
  });
  return scaled;
}

const down = () => names.filter((name) => world.replicas('shop', name) === 0).length;

it.each([1, 55])('after %i writes of a hibernation it goes on by day, and lowers no more', async (writes) => {
  prepare();
  const { process, pauseAfter } = await start();
  pauseAfter(writes);
  await world.clock.advance(2 * minute);
  expect(down()).toBeGreaterThan(0);
  expect(down()).toBeLessThan(names.length);
  await world.clock.advance(13 * hour);
  const lowered = scaledTo(0);
  process.continue();
  await world.clock.advance(minute);
  expect([lowered, down()]).toEqual([[], 0]);
});

it('after ten writes of a wake it goes on in the next night, and raises no more', async () => {
  prepare();
  const { process, pauseAfter } = await start();
  await world.clock.advance(hour);
  pauseAfter(10);
  await world.clock.advance(25 * hour);
  const raised = scaledTo(2);
  process.continue();
  await world.clock.advance(minute);
  expect([raised, down()]).toEqual([[], names.length]);
});

it('a cluster wakes although every first question about the state is lost, as behind an address of two apiservers of which one is dead', async () => {
  prepare();
  const inner = world.cluster.transport(controllerIdentity);
  let isLost = false;
  let questions = 0;
  end = async () => {
    isLost = false;
  };
  const transport: Transport = {
    send(request) {
      const ofState = request.method === 'GET' && request.path.includes(`/configmaps/${configMaps.state}`);
      if (!isLost || !ofState || questions++ % 2 === 1) return inner.send(request);
      return new Promise((_, reject) => {
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
      });
    },
  };
  await world.startController(transport);
  await world.clock.advance(hour);
  expect(down()).toBe(names.length);
  isLost = true;
  await world.clock.advance(14 * hour);
  expect(down()).toBe(0);
});
