import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import type { Connection } from '../../adapters/aws/connection.ts';
import type { RdsCalls } from '../../adapters/aws/rds-client.ts';
import { RdsDatabases } from '../../adapters/aws/rds-databases.ts';
import { silentLogger } from '../../platform/silent-logger.ts';

const hour = 3_600_000;
/** A monday noon; the cluster sleeps from 20:00 to 08:00 in Berlin, which is one hour ahead of UTC. */
const noon = Date.UTC(2026, 0, 5, 12);

const orders = { type: 'instance', identifier: 'Orders-1', region: 'eu-central-1', profile: 'ops' };

/** The cloud behind the adapter: instances of any region, and what was asked of them. */
class Region {
  readonly status = new Map<string, string>();
  readonly asked: string[] = [];
  /** Starts are refused. */
  refuses = false;

  open = async ({ region, profile, proxyUrl }: Connection): Promise<RdsCalls> => ({
    instances: async (identifiers) =>
      identifiers.flatMap((DBInstanceIdentifier) => {
        const DBInstanceStatus = this.status.get(DBInstanceIdentifier);
        return DBInstanceStatus === undefined ? [] : [{ DBInstanceIdentifier, DBInstanceStatus, Engine: 'postgres' }];
      }),
    clusters: async () => [],
    stop: async (_kind, identifier) => {
      this.asked.push(`stop ${identifier}`);
      this.status.set(identifier, 'stopped');
    },
    start: async (_kind, identifier) => {
      if (this.refuses) throw Object.assign(new Error('no capacity'), { name: 'InsufficientDBInstanceCapacity' });
      this.asked.push(`start ${identifier} in ${region} as ${profile} over ${proxyUrl}`);
      this.status.set(identifier, 'available');
    },
    destroy() {},
  });
}

describe('a database that we stopped, after a restart of the controller', () => {
  let world: ControllerWorld;
  let region: Region;

  beforeEach(async () => {
    region = new Region();
    region.status.set('orders-1', 'available').set('orders-2', 'available');
    const databases = { orders: { ...orders, proxyURL: 'http://proxy.example.com:3128' } };
    world = new ControllerWorld({ startAt: noon, config: { databases } });
    await start();
    await until(7.3);
    expect(region.asked).toEqual(['stop orders-1']);
  });
  afterEach(() => world.stopController());

  /** A process that knows nothing but the state and the configuration. */
  async function start(): Promise<void> {
    await world.startController();
    const log = { logger: silentLogger, verbose: () => false };
    const databases = new RdsDatabases({ clock: world.clock, log, config: () => world.config, open: region.open });
    Object.assign(world.ports, { databases });
    await world.clock.advance(1_000);
  }

  async function restart(config: Record<string, unknown>): Promise<void> {
    await world.stopController();
    world.reconfigure(config);
    await start();
  }

  const until = (hours: number) => world.clock.advance(noon + hours * hour - world.clock.now());
  const stateText = () => world.stateData()['database_states'] ?? '{}';
  const states = () => JSON.parse(stateText()) as Record<string, object>;
  const started = 'start orders-1 in eu-central-1 as ops over http://proxy.example.com:3128';

  it('is recorded with where it is, before it is told to stop', () => {
    expect(states()['orders']).toEqual({
      status: 'stopped',
      stoppedByUs: true,
      at: expect.any(String),
      address: {
        type: 'instance',
        identifier: 'orders-1',
        region: 'eu-central-1',
        profile: 'ops',
        proxyURL: 'http://proxy.example.com:3128',
      },
    });
  });

  it('is started though the configuration has forgotten it', async () => {
    await restart({});
    await until(7.5);
    expect(region.asked).toEqual(['stop orders-1', started]);
    expect(states()).toEqual({});
  });

  it('is started by a stand-down though the configuration has forgotten it', async () => {
    await restart({ global: { enabled: false } });
    await until(7.5);
    expect(region.asked).toEqual(['stop orders-1', started]);
  });

  it('is started when its name has come to stand for another, which is then stopped in its place', async () => {
    await restart({ databases: { orders: { ...orders, identifier: 'orders-2' } } });
    await until(7.5);
    expect(region.asked).toEqual(['stop orders-1', started, 'stop orders-2']);
    expect(states()['orders']).toMatchObject({ status: 'stopped', address: { identifier: 'orders-2' } });
    await until(19.5);
    expect(region.asked.at(-1)).toBe('start orders-2 in eu-central-1 as ops over undefined');
  });

  it('stays on record until it is back, though its name stands for another by now', async () => {
    region.refuses = true;
    await restart({ databases: { orders: { ...orders, identifier: 'orders-2' } } });
    await until(7.6);
    expect(states()['orders']).toMatchObject({ stoppedByUs: true, address: { identifier: 'orders-1' } });
    region.refuses = false;
    await until(7.8);
    expect(region.asked).toEqual(['stop orders-1', started, 'stop orders-2']);
  });

  it('keeps sleeping when only the way to it has changed', async () => {
    await restart({ databases: { orders: { ...orders, identifier: 'ORDERS-1', proxyURL: 'http://other:3128' } } });
    await until(7.5);
    expect(region.asked).toEqual(['stop orders-1']);
    await until(19.5);
    expect(region.asked.at(-1)).toBe('start orders-1 in eu-central-1 as ops over http://other:3128');
  });

  it('gets its address written down when an older version stopped it', async () => {
    const old = stateText().replace(/,"address":\{[^}]*\}/, '');
    expect(JSON.parse(old)).toEqual({ orders: { status: 'stopped', stoppedByUs: true, at: expect.any(String) } });
    await world.stopController();
    const stored = await world.ports.state.read();
    await world.ports.state.write(stored, { database_states: old });
    await start();
    await until(7.5);
    expect(states()['orders']).toMatchObject({ address: { identifier: 'orders-1' } });
    await restart({});
    await until(7.7);
    expect(region.asked).toEqual(['stop orders-1', started]);
  });

  it('leaves no password of a proxy in the state', async () => {
    await until(19.5);
    const secret = 'http://user:canary-password@proxy.example.com:3128';
    world.reconfigure({ databases: { orders: { ...orders, proxyURL: secret } } });
    await until(24 + 7.5);
    expect(region.asked.filter((one) => one === 'stop orders-1')).toHaveLength(2);
    expect(stateText()).not.toContain('canary-password');
    await until(24 + 19.5);
    expect(region.asked.at(-1)).toBe(`start orders-1 in eu-central-1 as ops over ${secret}`);
  });
});
