import { describe, expect, it } from 'vitest';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import { allDown, allUp, minute, OfficeWorld } from '../office-world.ts';

/** What else happens in a cluster: its versions are far ahead of any that one service made. */
function otherTraffic(world: OfficeWorld, writes: number): void {
  const lease = { namespace: 'shop', name: 'traffic' };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: lease, data: { write: '0' } }]);
  for (let write = 1; write <= writes; write++) {
    const now = world.store.get('configmaps', lease.namespace, lease.name)!;
    world.store.update('configmaps', { ...now, data: { write: String(write) } });
  }
}

interface Times {
  readonly backup: number;
  readonly restored: number;
}

/**
 * Restored to how it was: versions of long ago come again. What is listed and watched of the resources `late` is not answered for
 * five seconds, so that all the rest is known before.
 */
async function restored({ backup, restored: at }: Times, late: readonly string[] = []): Promise<OfficeWorld> {
  const world = new OfficeWorld();
  void world.api;
  await world.at(backup);
  const saved = world.store.backup();
  await world.at(at);
  otherTraffic(world, 2_000);
  // Bookmarks tell the watches of it, as they do every minute.
  world.watchesAtFault(true);
  await world.advance(2 * minute);
  const before = world.levels();
  const refused = ({ resource, verb }: RequestFacts) =>
    late.includes(resource.split('.')[0]!) && (verb === 'list' || verb === 'watch');
  const answers = world.cluster.api.faults.add({ match: refused, effect: { kind: 'fail', status: 503 } });
  world.restore(saved);
  expect(world.levels()).not.toEqual(before);
  await world.advance(5_000);
  answers();
  await world.advance(2 * minute);
  world.watchesAtFault(false);
  expect(world.store.version).toBeLessThan(2_000);
  return world;
}

/** In the middle of the night everything is up. */
const backAtNoon: Times = { backup: 13, restored: 21 };
/** During working hours everything sleeps. */
const backAtNight: Times = { backup: 21, restored: 33 };

describe('a cluster that is restored from a backup, with versions that go back', () => {
  const workloads = ['deployments', 'statefulsets', 'cronjobs'];
  describe.each([
    { late: [] },
    ...workloads.map((one) => ({ late: [one] })),
    { late: [...workloads, 'namespaces', 'horizontalpodautoscalers'] },
    { late: ['configmaps'] },
  ])('is seen as it is, whatever of it is seen last: $late', ({ late }) => {
    it('it goes to sleep again, and wakes with its counts', async () => {
      const world = await restored(backAtNoon, late);
      expect(world.levels()).toEqual(allDown);
      expect(world.audited('Records Rebuilt')).toEqual([]);
      await world.at(33);
      expect(world.levels()).toEqual(allUp);
    });

    it('it wakes again, with its counts', async () => {
      const world = await restored(backAtNight, late);
      expect(world.levels()).toEqual(allUp);
      expect(world.audited('Records Rebuilt')).toEqual([]);
      await world.at(45);
      expect(world.levels()).toEqual(allDown);
    });
  });

  it('changes of the state are heard at once: a stand-down hands back within seconds', async () => {
    const world = await restored(backAtNoon);
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a restore' } })).status).toBe(200);
    await world.advance(15_000);
    expect(world.levels()).toEqual(allUp);
    await world.advance(minute);
    expect(world.standDownState().handbackDone).toBe(true);
  });
});
