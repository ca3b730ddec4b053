import { describe, expect, it } from 'vitest';
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

/** Restored in the middle of the night to how it was at 13:00: everything up, and versions of long ago come again. */
async function backAtNoon(): Promise<OfficeWorld> {
  const world = new OfficeWorld();
  void world.api;
  await world.at(13);
  const backup = world.store.backup();
  await world.at(21);
  otherTraffic(world, 2_000);
  // Bookmarks tell the watches of it, as they do every minute.
  world.watchesAtFault(true);
  await world.advance(2 * minute);
  expect(world.levels()).toEqual(allDown);
  world.restore(backup);
  expect(world.levels()).toEqual(allUp);
  await world.advance(2 * minute);
  world.watchesAtFault(false);
  expect(world.store.version).toBeLessThan(2_000);
  return world;
}

describe('a cluster that is restored from a backup, with versions that go back', () => {
  it('is seen as it is: it goes to sleep again, and wakes with its counts', async () => {
    const world = await backAtNoon();
    expect(world.levels()).toEqual(allDown);
    await world.at(33);
    expect(world.levels()).toEqual(allUp);
  });

  it('changes of the state are heard at once: a stand-down hands back within seconds', async () => {
    const world = await backAtNoon();
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a restore' } })).status).toBe(200);
    await world.advance(15_000);
    expect(world.levels()).toEqual(allUp);
    await world.advance(minute);
    expect(world.standDownState().handbackDone).toBe(true);
  });
});
