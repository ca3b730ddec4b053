import { describe, expect, it } from 'vitest';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import type { Backup } from '../../../embedded-cluster/store/memory-store.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { allDown, allUp, minute, type OfficeOptions, OfficeWorld } from '../office-world.ts';
import { isWorkloadResource } from '../oracle/workload-level.ts';
import { isController } from '../world/sim-world.ts';

/** What else happens in a cluster: its versions are far ahead of any that one service made. */
function otherTraffic(world: OfficeWorld, writes: number): void {
  const lease = { namespace: 'shop', name: 'traffic' };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: lease, data: { write: '0' } }]);
  for (let write = 1; write <= writes; write++) {
    const now = world.store.get('configmaps', lease.namespace, lease.name)!;
    world.store.update('configmaps', { ...now, data: { write: String(write) } });
  }
}

interface Restored {
  /** Where the backup is taken: an hour, or the first write of the hibernation. */
  readonly backup: number | 'in mid-hibernation';
  /** The hour at which it is restored. */
  readonly at: number;
  /** Not answered for five seconds, so that all the rest is known before. */
  readonly late?: readonly string[];
  readonly how?: 'broken off' | 'ended';
  readonly office?: OfficeOptions;
}

async function takeBackup(world: OfficeWorld, when: Restored['backup']): Promise<() => Backup> {
  let taken: Backup | undefined;
  if (when === 'in mid-hibernation') {
    await world.at(18);
    world.store.onAnyChange(({ resource, origin }) => {
      if (isWorkloadResource(resource) && isController(origin)) taken ??= world.store.backup();
    });
  } else {
    await world.at(when);
    taken = world.store.backup();
  }
  return () => taken!;
}

/** Restored to how it was: versions of long ago come again. */
async function restored({ backup, at, late = [], how, office }: Restored): Promise<OfficeWorld> {
  const world = new OfficeWorld(office);
  void world.api;
  const saved = await takeBackup(world, backup);
  await world.at(at);
  otherTraffic(world, 2_000);
  // Bookmarks tell the watches of it, as they do every minute.
  world.watchesAtFault(true);
  await world.advance(2 * minute);
  const before = world.levels();
  const refused = ({ resource, verb }: RequestFacts) =>
    late.includes(resource.split('.')[0]!) && (verb === 'list' || verb === 'watch');
  const answers = world.cluster.api.faults.add({ match: refused, effect: { kind: 'fail', status: 503 } });
  world.restore(saved(), how);
  expect(world.levels()).not.toEqual(before);
  await world.advance(5_000);
  answers();
  await world.advance(2 * minute);
  world.watchesAtFault(false);
  expect(world.store.version).toBeLessThan(2_000);
  return world;
}

/** In the middle of the night everything is up. */
const backAtNoon = { backup: 13, at: 21 } as const;
/** During working hours everything sleeps. */
const backAtNight = { backup: 21, at: 33 } as const;
/** In the middle of the night most is up that is recorded, and nothing says who raised it. */
const backInMidHibernation = { backup: 'in mid-hibernation', at: 21 } as const;

const workloads = ['deployments', 'statefulsets', 'cronjobs'];
const everything = [...workloads, 'namespaces', 'horizontalpodautoscalers', 'configmaps'];
const many: readonly WorkloadParts[] = Array.from({ length: 24 }, (_, index) => ({
  kind: 'Deployment',
  namespace: 'shop',
  name: `app-${index}`,
  replicas: 2,
}));
/** `svc-state` goes on in further ConfigMaps, whose names come again with something else in them. */
const outgrown: OfficeOptions = { workloads: many, partSizes: { state: 900, part: 450, value: 300 } };

const allAt = (world: OfficeWorld, level: number) =>
  Object.fromEntries(Object.keys(world.levels()).map((ref) => [ref, level]));

describe('a cluster that is restored from a backup, with versions that go back', () => {
  describe.each<Pick<Restored, 'late' | 'how'>>([
    { late: [] },
    ...workloads.map((one) => ({ late: [one] })),
    { late: everything.filter((one) => one !== 'configmaps') },
    { late: ['configmaps'] },
    { late: everything, how: 'ended' },
  ])('is seen as it is, whatever of it is seen last: $late $how', (seen) => {
    it('it goes to sleep again, and wakes with its counts', async () => {
      const world = await restored({ ...backAtNoon, ...seen });
      expect(world.levels()).toEqual(allDown);
      expect(world.audited('Records Rebuilt')).toEqual([]);
      await world.at(33);
      expect(world.levels()).toEqual(allUp);
    });

    it('it wakes again, with its counts', async () => {
      const world = await restored({ ...backAtNight, ...seen });
      expect(world.levels()).toEqual(allUp);
      expect(world.audited('Records Rebuilt')).toEqual([]);
      await world.at(45);
      expect(world.levels()).toEqual(allDown);
    });

    it('it goes on with a hibernation whose records were written, and takes nothing that is up for its owner’s doing', async () => {
      const world = await restored({ ...backInMidHibernation, ...seen });
      expect(world.levels()).toEqual(allDown);
      await world.at(33);
      expect(world.levels()).toEqual(allUp);
    });
  });

  it.each([backAtNoon, backAtNight, backInMidHibernation])(
    'is not mixed with parts of a state that has outgrown one ConfigMap: %o',
    async (when) => {
      const world = await restored({ ...when, office: outgrown });
      const isNight = when.at < 24;
      expect(world.levels()).toEqual(allAt(world, isNight ? 0 : 2));
      await world.at(isNight ? 33 : 45);
      expect(world.levels()).toEqual(allAt(world, isNight ? 2 : 0));
      await world.at(57);
      expect(world.levels()).toEqual(allAt(world, 2));
    },
  );

  it('changes of the state are heard at once: a stand-down hands back within seconds', async () => {
    const world = await restored({ ...backAtNoon, how: 'ended', late: everything });
    expect((await world.api.asAdmin('standDown', { body: { reason: 'a restore' } })).status).toBe(200);
    await world.advance(15_000);
    expect(world.levels()).toEqual(allUp);
    await world.advance(minute);
    expect(world.standDownState().handbackDone).toBe(true);
  });
});
