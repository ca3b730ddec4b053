import { afterEach, describe, expect, it } from 'vitest';
import type { FaultEffect } from '../../../embedded-cluster/faults.ts';
import { controllerIdentity } from '../../../test/support/controller-world.ts';
import { PausableProcess } from '../../../test/support/pausable-process.ts';
import { deployment, NeighbourNight } from '../../../test/support/worlds/neighbour-night.ts';

let night: NeighbourNight;
let process: PausableProcess;
afterEach(() => night.world.stopController());

/** Asleep, and one kind of the cluster answers its lists so. */
async function asleepWhile(resource: string, effect: FaultEffect): Promise<void> {
  night = new NeighbourNight([], [deployment('cart')]);
  process = new PausableProcess(night.world.clock, night.world.cluster.transport(controllerIdentity));
  await night.world.startController(process.transport, process.clock);
  await night.wait(5);
  await night.night();
  night.world.cluster.api.faults.add({
    match: (one) => one.resource.startsWith(resource) && one.user.includes('svc-controller'),
    effect,
  });
}

async function standStill(minutes: number): Promise<void> {
  process.pause();
  await night.wait(minutes);
  process.continue();
}

describe('a controller that stood still', () => {
  it.each([
    ['a kind that the cluster does not have', 'nothing', 500],
    ['a kind that may no longer be listed', 'horizontalpodautoscalers', 403],
    ['a kind whose conversion webhook sleeps', 'scaledobjects', 500],
  ])('wakes the cluster on time all the same: %s', async (_, resource, status) => {
    await asleepWhile(resource, { kind: 'fail', status, message: 'not now' });
    await standStill(13.4 * 60);
    await night.at(15 - 1 / 60);
    expect(night.count('cart')).toBe(0);
    await night.at(15 + 1 / 60);
    expect(night.count('cart')).toBe(2);
  });

  it('wakes within 20 seconds when it is asked to, though a list hangs', async () => {
    await asleepWhile('horizontalpodautoscalers', { kind: 'delay', ms: 3_600_000 });
    await standStill(15);
    const [at, until] = [0, 3_600_000].map((ms) => new Date(night.world.clock.now() + ms).toISOString());
    night.editState({ wake_override: JSON.stringify({ by: 'ada@example.com', at, until }) });
    await night.wait(0.3);
    expect(night.count('cart')).toBe(2);
  });
});
