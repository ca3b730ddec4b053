import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FleetNight, type GroupNight, report } from './figures.ts';
import { FleetWorld } from './fleet-world.ts';

const plain: GroupNight = { group: 'plain', workloads: 4, down: 4, raised: [], up: 4 };
const keda: GroupNight = { group: 'KEDA', workloads: 2, down: 2, raised: [], up: 2 };
const good: FleetNight = {
  groups: [plain, keda],
  objects: 8,
  differing: [],
  reconciles: new Map([['keda', 1_440]]),
  calls: { evening: 10, night: 30, morning: 12 },
  writes: 12,
  writesDue: 12,
};

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the figures of a night with neighbours', () => {
  it.each<readonly [string, Partial<FleetNight>, boolean]>([
    ['all is well', {}, true],
    ['one is up in the evening', { groups: [plain, { ...keda, down: 1 }] }, false],
    ['one is raised in the night', { groups: [{ ...plain, raised: ['Deployment a/b by keda'] }, keda] }, false],
    ['one is not as it was', { groups: [{ ...plain, up: 3 }, keda] }, false],
    ['an object differs', { differing: ['a: spec.suspend'] }, false],
    ['something is written twice', { writes: 13 }, false],
    ['the night is busy', { calls: { evening: 10, night: 1_001, morning: 12 } }, false],
    ['a neighbour is at rest', { reconciles: new Map([['keda', 0]]) }, false],
    ['there was nothing to see', { groups: [], objects: 0, reconciles: new Map() }, false],
  ])('judges that %s', (_, change, pass) => {
    expect(report({ ...good, ...change }).pass).toBe(pass);
  });
});

describe('a small fleet', () => {
  const played = async (kinds?: readonly string[]) => {
    const world = new FleetWorld(20, kinds);
    const night = await world.night();
    world.end();
    return night;
  };

  it('sleeps as a whole and comes back as it was, with its kinds named', async () => {
    expect(report(await played()).figure).toBe(
      '20 of 20 hibernated; none raised in 12 hours; 20 of 20 woken with their counts; 32 objects as before; 44 writes to workloads (due 44), 33 calls in the night (goal 1000); all neighbours at work',
    );
  });

  it('is undone by its neighbours without', async () => {
    const night = await played([]);
    const undone = night.groups.map(({ group, down, raised }) => [
      group,
      down,
      raised.map((one) => one.split(' by ')[1]),
    ]);
    expect(undone).toEqual([
      ['plain', 8, []],
      ['KEDA', 0, []],
      ['Rollouts', 0, []],
      ['GitOps', 0, ['argocd-controller', 'kustomize-controller', 'argocd-controller', 'kustomize-controller']],
      ['operators', 0, []],
    ]);
  });
});
