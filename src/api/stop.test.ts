import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, userAddress } from '../../test/support/api-world.ts';
import { sleep } from '../ports/clock.ts';

let world: ApiWorld;
afterEach(() => world.cluster.stop());

async function mailing(ms: number): Promise<readonly string[]> {
  const taken: string[] = [];
  world = await ApiWorld.start({
    mailer: () => ({
      async send({ to }) {
        await sleep(world.clock, ms);
        taken.push(to);
      },
    }),
  });
  expect((await world.call('requestOtp', { body: { email: userAddress } })).statusCode).toBe(200);
  return taken;
}

describe('an API that stops', () => {
  it('waits for the mails that it has promised', async () => {
    const taken = await mailing(2_000);
    await world.settle(world.running.stop());
    expect(taken).toEqual([userAddress]);
  });

  it('waits ten seconds for them, and says how many are lost', async () => {
    const taken = await mailing(3_600_000);
    const asked = world.clock.monotonic();
    await world.settle(world.running.stop());
    expect(world.clock.monotonic() - asked).toBe(10_000);
    expect(taken).toEqual([]);
    expect(world.log).toContainEqual({
      level: 'warn',
      message: 'Stopped before mails and audit entries that follow answers were out',
      fields: { undone: 1 },
    });
  });
});
