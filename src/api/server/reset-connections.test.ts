import { expect, it } from 'vitest';
import { ApiWorld } from '../../../test/support/api-world.ts';
import { resetConnections } from '../../../test/support/resetting-stranger.ts';

it('a connection that is reset is nothing to the API, whatever was said on it', async () => {
  const world = await ApiWorld.start({ port: 0, host: '127.0.0.1' });
  try {
    expect(await resetConnections(Number(new URL(world.running.url).port))).toEqual([]);
    expect((await fetch(`${world.running.url}/api/v1/branding`)).status).toBe(200);
  } finally {
    await world.stop();
  }
});
