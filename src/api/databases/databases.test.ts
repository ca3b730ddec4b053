import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../../test/support/api-world.ts';

let world: ApiWorld;
afterEach(() => world.stop());

async function ask(options: ApiWorldOptions) {
  world = await ApiWorld.start(options);
  const answer = await world.call('databases', {}, await world.token(adminAddress));
  return { status: answer.statusCode, body: answer.json() };
}

const at = '2026-01-05T10:00:00.000Z';

describe('the databases', () => {
  const config = {
    databases: {
      orders: { type: 'instance', identifier: 'orders-1', region: 'eu-central-1' },
      stock: { type: 'cluster', identifier: 'stock-1', region: 'eu-west-1' },
    },
  };
  const orders = { name: 'orders', type: 'instance', identifier: 'orders-1', region: 'eu-central-1', configured: true };
  const stock = { name: 'stock', type: 'cluster', identifier: 'stock-1', region: 'eu-west-1', configured: true };
  const unknown = { status: null, stoppedByUs: false };

  it('are told with what is known of each', async () => {
    const states = { orders: { status: 'stopped', stoppedByUs: true, at } };
    expect(await ask({ config, state: { database_states: JSON.stringify(states) } })).toEqual({
      status: 200,
      body: {
        items: [
          { ...orders, status: 'stopped', stoppedByUs: true, at },
          { ...stock, ...unknown },
        ],
      },
    });
  });

  it('have one among them that we stopped and that the configuration has forgotten', async () => {
    const address = { type: 'instance', identifier: 'old-1', region: 'eu-west-1', profile: 'ops' };
    const states = { old: { status: 'stopped', stoppedByUs: true, at, address } };
    const { body } = await ask({ state: { database_states: JSON.stringify(states) } });
    expect(body.items).toEqual([
      {
        name: 'old',
        type: 'instance',
        identifier: 'old-1',
        region: 'eu-west-1',
        status: 'stopped',
        stoppedByUs: true,
        at,
        configured: false,
      },
    ]);
  });

  it('are told without their states when these cannot be decoded, and the log has it', async () => {
    const { status, body } = await ask({ config, state: { database_states: '{spoilt' } });
    expect([status, body.items]).toEqual([
      200,
      [
        { ...orders, ...unknown },
        { ...stock, ...unknown },
      ],
    ]);
    expect(world.log.filter(({ fields }) => fields['key'] === 'database_states').map(({ level }) => level)).toContain(
      'warn',
    );
  });
});
