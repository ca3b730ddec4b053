import { describe, expect, it } from 'vitest';
import { externalWakeIntent, hibernateIntent, resumeIntent } from '../actors/state-intents.ts';
import { allDown, allUp, ann, minute, OfficeWorld } from '../office-world.ts';

/** The controller dies as soon as the state is such. */
function dieOnce(world: OfficeWorld, when: (data: Readonly<Record<string, string>>) => boolean): void {
  const unlisten = world.store.onAnyChange(({ event }) => {
    if (event.object.metadata.name !== 'svc-state' || !when(world.stateData())) return;
    unlisten();
    world.kill();
  });
}

describe('a wake for another cluster', () => {
  it('leaves what that one may not have to the wake of the morning, with its order and its entry', async () => {
    const world = await new OfficeWorld({
      config: { externalWake: { enabled: true, localClusterName: 'test', excludedNamespaces: ['blog'] } },
      workloads: [
        { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 3 },
        { kind: 'Deployment', namespace: 'blog', name: 'posts', replicas: 2 },
      ],
      namespaces: ['blog'],
    }).at(20, 5);
    expect(world.levels()).toEqual({ 'Deployment shop/cart': 0, 'Deployment blog/posts': 0 });
    await externalWakeIntent(world, 'hub', [], 14 * 60 * minute);
    await world.advance(15 * minute);
    expect(world.levels()).toEqual({ 'Deployment shop/cart': 3, 'Deployment blog/posts': 0 });
    expect(world.audited('Wake Complete')).toHaveLength(1);
    await world.at(32, 15);
    expect(world.levels()).toEqual({ 'Deployment shop/cart': 3, 'Deployment blog/posts': 2 });
    expect(world.audited('Wake Complete')).toHaveLength(2);
    expect(world.stateData()['phase']).not.toContain('inPart');
    world.kill();
  });
});

describe('a transition that is cut off', () => {
  it('takes down in a new hibernation what the one that was stopped had recorded and not lowered', async () => {
    const world = await new OfficeWorld().at(13);
    dieOnce(world, (data) => (data['resource_states'] ?? '[]') !== '[]');
    await hibernateIntent(world, ann);
    await world.advance(minute);
    expect([world.alive, world.levels()]).toEqual([false, allUp]);

    // By now it should be up; the hibernation is stopped, and no wake has begun.
    await resumeIntent(world);
    dieOnce(world, ({ phase, transition }) => phase !== undefined && transition === undefined);
    world.start();
    await world.advance(minute);
    expect([world.alive, world.stateData()['phase']]).toEqual([false, expect.stringContaining('"hibernated"')]);

    await hibernateIntent(world, ann);
    world.start();
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allDown);
    await resumeIntent(world);
    await world.advance(15 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.stateData()['phase']).not.toContain('stoppedHalfway');
    world.kill();
  });

  it('goes on starting a database after a license stop, long after the wake has ended without it', async () => {
    let condition: 'available' | 'stopped' = 'available';
    let answers = true;
    const become = (next: typeof condition) => async () => {
      condition = next;
      return { outcome: 'done' } as const;
    };
    const orders = { provider: 'aws', type: 'instance', identifier: 'orders', region: 'eu-central-1' };
    const world = await new OfficeWorld({
      config: { databases: { orders } },
      databases: {
        read: async () => ({ condition: answers ? condition : 'unknown' }),
        stop: become('stopped'),
        start: become('available'),
      },
    }).at(20, 5);
    expect(condition).toBe('stopped');

    answers = false;
    world.setLicense({ found: 'text', text: 'not a license' });
    await world.advance(60 * minute);
    expect([world.levels(), condition]).toEqual([allUp, 'stopped']);
    answers = true;
    await world.advance(2 * minute);
    expect([condition, world.stateData()['database_states']]).toEqual(['available', '{}']);
    world.kill();
  });
});
