import { describe, expect, it } from 'vitest';
import type { WorkloadParts } from '../support/builders/manifests.ts';
import { minute, OfficeWorld } from './office-world.ts';
import { controllerUser } from './world/sim-world.ts';

const tier = (name: string, timeout = '5m') => ({ name, timeout, select: [{ namespace: 'shop', name }] });
const ordered = (...tiers: object[]) => ({ hibernateOrdering: { tiers } });

/** Its process takes so long to end after it was told to; the grace period lets it. */
function leaving(name: string, seconds: number, kind: WorkloadParts['kind'] = 'Deployment'): WorkloadParts {
  const pod = { terminationGracePeriodSeconds: 3_600 };
  return { kind, namespace: 'shop', name, replicas: 2, pod, behaviour: { 'terminate-seconds': String(seconds) } };
}

const podsOf = (world: OfficeWorld, name: string) =>
  world.store.list('pods', 'shop').filter(({ metadata }) => metadata.labels?.['app'] === name).length;

/** The second after 20:00 in which the workload was first seen at zero, looked at every second. */
async function loweredAfter(world: OfficeWorld, ref: string, most: number): Promise<number | undefined> {
  await world.at(20);
  for (let second = 0; second <= most; second++) {
    if (world.level(ref) === 0) return second;
    await world.advance(1_000);
  }
  return undefined;
}

describe('a tier of a hibernation is over when its pods are gone', () => {
  it.each(['Deployment', 'StatefulSet'] as const)('%s: pods on their way out count', async (kind) => {
    const workloads = [leaving('web', 90, kind), leaving('db', 1)];
    const world = new OfficeWorld({ workloads, config: ordered(tier('web'), tier('db')) });
    const lowered = await loweredAfter(world, 'Deployment shop/db', 200);
    expect(lowered).toBeGreaterThanOrEqual(90);
    expect(lowered).toBeLessThan(95);
    expect(podsOf(world, 'web')).toBe(0);
  });

  it('a controller that comes back when they are gone goes on at once', async () => {
    const workloads = [leaving('web', 90), leaving('db', 1)];
    const world = await new OfficeWorld({ workloads, config: ordered(tier('web'), tier('db')) }).at(20);
    await world.advance(10_000);
    world.kill();
    await world.advance(120_000);
    expect([podsOf(world, 'web'), world.level('Deployment shop/db')]).toEqual([0, 2]);
    // Its first pass is still busy when it hears that there are no pods, and nothing more is said after that.
    world.faults.armOn(({ path }) => path.includes('svc-insights'), { kind: 'delay', ms: 2_000 }, 1);
    world.start();
    await world.advance(10_000);
    expect(world.level('Deployment shop/db')).toBe(0);
  });

  it('and its time-out ends the wait for those that do not go', async () => {
    const workloads = [leaving('web', 900), leaving('db', 1)];
    const world = new OfficeWorld({ workloads, config: ordered(tier('web', '2m'), tier('db')) });
    const lowered = await loweredAfter(world, 'Deployment shop/db', 200);
    expect(lowered).toBeGreaterThanOrEqual(120);
    expect(lowered).toBeLessThan(125);
    expect(podsOf(world, 'web')).toBe(2);
    await world.advance(5 * minute);
    expect(world.log.said('Hibernation finished')).toMatchObject([{ fields: { tiersTimedOut: ['web'] } }]);
  });

  it('pods that cannot be read: the status of the workload has to do', async () => {
    const workloads = [leaving('web', 200), leaving('db', 1)];
    const world = await new OfficeWorld({ workloads, config: ordered(tier('web'), tier('db')) }).at(19);
    world.watchesAtFault(true);
    world.cluster.api.faults.add({
      match: ({ user, resource }) => user === controllerUser && resource === 'pods',
      effect: { kind: 'fail', status: 403 },
    });
    const lowered = await loweredAfter(world, 'Deployment shop/db', 200);
    expect(lowered).toBeGreaterThanOrEqual(45);
    expect(lowered).toBeLessThan(50);
  });

  it('pods are not watched where nobody waits for them, nor once the cluster sleeps', async () => {
    const watched: string[] = [];
    const note = (world: OfficeWorld) =>
      world.cluster.api.faults.onRequest(({ user, verb, resource, namespace }) => {
        if (user === controllerUser && resource === 'pods' && namespace !== 'svc') watched.push(verb);
      });
    const plain = await new OfficeWorld({ workloads: [leaving('web', 90)] }).at(19);
    note(plain);
    await plain.at(21);
    expect(plain.level('Deployment shop/web')).toBe(0);
    expect(watched).toEqual([]);
    const config = ordered(tier('web'), tier('db'));
    const world = await new OfficeWorld({ workloads: [leaving('web', 90), leaving('db', 1)], config }).at(19);
    note(world);
    await world.at(21);
    expect(watched).not.toEqual([]);
    const open = world.cluster.api.faults.openWatches(
      ({ user, resource }) => user === controllerUser && resource === 'pods',
    );
    expect([...open]).toEqual([]);
  });
});
