import { beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { DatabaseReading, Databases } from '../../ports/databases.ts';

/** A cloud that takes its time, remembers what it was told, and says no on request. */
class SlowCloud implements Databases {
  readonly status = new Map<string, DatabaseReading>();
  readonly calls: string[] = [];
  stopAnswer: WriteOutcome = { outcome: 'done' };
  startAnswer: WriteOutcome = { outcome: 'done' };

  async read(name: string): Promise<DatabaseReading> {
    return this.status.get(name) ?? { condition: 'failed', message: `there is no ${name}`, gone: true };
  }

  async stop(name: string): Promise<WriteOutcome> {
    this.calls.push(`stop ${name}`);
    if (this.stopAnswer.outcome === 'done') this.status.set(name, { condition: 'stopping' });
    return this.stopAnswer;
  }

  async start(name: string): Promise<WriteOutcome> {
    this.calls.push(`start ${name}`);
    if (this.startAnswer.outcome === 'done') this.status.set(name, { condition: 'starting' });
    return this.startAnswer;
  }
}

const database = { type: 'instance', identifier: 'orders', region: 'eu-central-1' };
const hour = 3_600_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);

describe('databases that go down and come up with the cluster', () => {
  let cloud: SlowCloud;
  let world: ControllerWorld;

  beforeEach(async () => {
    cloud = new SlowCloud();
    cloud.status.set('orders', { condition: 'available' });
    world = new ControllerWorld({ startAt: noon, config: { databases: { orders: database } } });
    await world.startController();
    Object.assign(world.ports, { databases: cloud });
    await world.clock.advance(1_000);
  });

  const states = () =>
    JSON.parse(world.stateData()['database_states'] ?? '{}') as Record<
      string,
      { status: string; stoppedByUs: boolean }
    >;
  const until = (hours: number) => world.clock.advance(noon + hours * hour - world.clock.now());

  async function asleep(): Promise<void> {
    await until(7.05);
    cloud.status.set('orders', { condition: 'stopped' });
    await until(7.2);
  }

  it('stops at night, tells of it once, starts in the morning, and forgets only what it has seen available', async () => {
    await until(7.05);
    expect(cloud.calls).toEqual(['stop orders']);
    expect(states()['orders']).toMatchObject({ status: 'stopping', stoppedByUs: true });
    await asleep();
    expect(states()['orders']).toMatchObject({ status: 'stopped', stoppedByUs: true });
    await until(18);
    expect(world.notices.filter(({ key }) => key === 'databaseStopped').map(({ text }) => text)).toEqual([
      'Database orders has been stopped.',
    ]);
    await until(19.05);
    expect(cloud.calls).toEqual(['stop orders', 'start orders']);
    expect(states()['orders']).toMatchObject({ status: 'starting', stoppedByUs: true });
    cloud.status.set('orders', { condition: 'available' });
    await until(19.2);
    expect(states()).toEqual({});
  });

  it('leaves a database that its owner had stopped, in the evening and in the morning', async () => {
    cloud.status.set('orders', { condition: 'stopped' });
    await until(20);
    expect(cloud.calls).toEqual([]);
    expect(states()).toEqual({});
  });

  it('stops again what the cloud restarted after seven days, and only then', async () => {
    world.reconfigure({ databases: { orders: database }, workingHours: { schedule: allOff } });
    await until(0.1);
    cloud.status.set('orders', { condition: 'stopped' });
    await until(7 * 24);
    cloud.status.set('orders', { condition: 'starting' });
    await until(7 * 24 + 2);
    expect(cloud.calls).toEqual(['stop orders']);
    cloud.status.set('orders', { condition: 'available' });
    await until(7 * 24 + 3);
    expect(cloud.calls).toEqual(['stop orders', 'stop orders']);
    expect(states()['orders']).toMatchObject({ status: 'stopping', stoppedByUs: true });
  });

  it('does not fight a person who starts it in the night, and stops it the night after', async () => {
    await asleep();
    cloud.status.set('orders', { condition: 'available' });
    await until(10);
    expect(cloud.calls).toEqual(['stop orders']);
    expect(states()['orders']).toMatchObject({ status: 'started by its owner', stoppedByUs: false });
    await until(19.5);
    expect(cloud.calls).toEqual(['stop orders']);
    await until(24 + 7.05);
    expect(cloud.calls).toEqual(['stop orders', 'stop orders']);
  });

  const titles = () =>
    [...world.cluster.store.list('configmaps')]
      .filter(({ metadata }) => metadata.name.startsWith('svc-audit-'))
      .flatMap((file) => Object.values((file['data'] ?? {}) as Record<string, string>).join('\n'))
      .flatMap((text) => [...text.matchAll(/"title":"(Database [A-Z][a-z]+)"/g)].map(([, title]) => title));

  it('waits for a busy database at a pace, tells of it once, and says in the morning what was so', async () => {
    let reads = 0;
    const busy = { condition: 'available', busy: true, message: 'instance orders is storage-optimization' } as const;
    cloud.read = async () => {
      reads += 1;
      return busy;
    };
    await until(20);
    expect(cloud.calls).toEqual([]);
    expect(reads).toBeLessThan(100);
    expect(world.notices.filter(({ key }) => key === 'workloadWillNotScale').map(({ text }) => text)).toEqual([
      'Database orders cannot be stopped yet: instance orders is storage-optimization',
    ]);
    expect(titles()).toEqual([]);
    expect(states()).toEqual({});
  });

  const denied = { condition: 'unknown', message: 'AccessDenied' } as const;
  it.each([
    ['cannot be read', denied, 'cannot be read, so it is not known to be down: AccessDenied'],
    ['takes the call and stays up', { condition: 'available' } as const, 'was told to stop and is still up'],
    ['is starting all night', { condition: 'starting' } as const, 'has not stopped: it is starting'],
    ['is stopping all night', { condition: 'stopping' } as const, 'has not stopped: it is stopping'],
  ])('one that %s is asked at the same pace, told of once, and forgotten in the morning', async (_, reading, told) => {
    let reads = 0;
    cloud.read = async () => {
      reads += 1;
      return reading;
    };
    cloud.stop = async (name) => {
      cloud.calls.push(`stop ${name}`);
      return { outcome: 'done' };
    };
    await until(18.9);
    expect(reads).toBeLessThan(150);
    expect(cloud.calls.length).toBeLessThan(80);
    expect(world.notices.filter(({ key }) => key === 'workloadWillNotScale').map(({ text }) => text)).toEqual([
      `Database orders ${told}`,
    ]);
    cloud.read = async () => ({ condition: 'available' });
    await until(20);
    expect(states()).toEqual({});
    expect(titles()).toEqual([]);
  });

  it('stops a database once it is no longer busy', async () => {
    cloud.status.set('orders', { condition: 'available', busy: true, message: 'instance orders is backing-up' });
    await until(7.5);
    expect(cloud.calls).toEqual([]);
    cloud.status.set('orders', { condition: 'available' });
    await until(7.7);
    expect(cloud.calls).toEqual(['stop orders']);
    expect(world.notices.filter(({ key }) => key === 'workloadWillNotScale')).toEqual([]);
  });

  it.each([
    ['says that it cannot stop it now', { outcome: 'conflict' }],
    ['takes the call and does nothing', { outcome: 'unknown', message: 'no answer' }],
  ] as const)('is not hammered by a cloud that %s, and nothing is told of a start that was none', async (_, answer) => {
    cloud.stopAnswer = answer;
    await until(20);
    expect(cloud.calls.length).toBeGreaterThan(10);
    expect(cloud.calls.length).toBeLessThan(200);
    expect(titles()).toEqual([]);
    expect(states()['orders']?.stoppedByUs ?? false).toBe(false);
  });

  it('reports a refusal in the words of the cloud and does not write every pass', async () => {
    cloud.stopAnswer = { outcome: 'refused', status: 400, message: 'it is a read replica' };
    await until(7.05);
    expect(cloud.calls).toEqual(['stop orders']);
    expect(states()['orders']).toMatchObject({ status: 'refused', stoppedByUs: false });
    expect(world.notices.find(({ key }) => key === 'workloadWillNotScale')?.text).toBe(
      'Database orders could not be stopped: it is a read replica',
    );
    await until(7.9);
    expect(cloud.calls).toHaveLength(1);
    await until(19.5);
    expect(cloud.calls.filter((call) => call.startsWith('start'))).toEqual([]);
  });

  it('tries again to start what the cloud would not start', async () => {
    await asleep();
    cloud.startAnswer = { outcome: 'refused', status: 400, message: 'no capacity' };
    await until(19.1);
    expect(cloud.calls.filter((call) => call === 'start orders').length).toBeGreaterThan(1);
    cloud.startAnswer = { outcome: 'done' };
    await until(19.2);
    cloud.status.set('orders', { condition: 'available' });
    await until(19.3);
    expect(states()).toEqual({});
  });

  it('hands back a database that leaves the configuration while it is stopped', async () => {
    await asleep();
    world.reconfigure({});
    await until(7.3);
    expect(cloud.calls).toEqual(['stop orders', 'start orders']);
  });

  it('drops the record of a database that was deleted in the night', async () => {
    await asleep();
    cloud.status.delete('orders');
    await until(19.2);
    expect(states()).toEqual({});
  });

  it('starts on a stand-down what it stopped, and nothing else', async () => {
    await asleep();
    world.reconfigure({ databases: { orders: database }, global: { enabled: false } });
    await until(7.3);
    expect(cloud.calls).toEqual(['stop orders', 'start orders']);
  });
});

const allOff = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, 'off']),
);
