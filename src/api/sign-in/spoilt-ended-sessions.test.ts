import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'sign-in.md'), 'utf8');
const day = 24 * 3_600_000;

describe('sign-ins, while the list of ended ones cannot be decoded', () => {
  let world: ApiWorld;
  afterEach(() => world?.stop());

  it('that are ended stay ended when the list is repaired as the page on sign-in says', async () => {
    world = await ApiWorld.start();
    const ended = await world.signIn(userAddress);
    world.setState({ ...world.stateData(), ended_sessions: 'spoilt' });
    await world.pass();
    await world.call('logout', { body: { refreshToken: ended.refreshToken } });
    await world.pass();
    expect(world.log.map(({ message }) => message)).toContain(
      'Ended sessions cannot be restored; who signs out is signed out until the API restarts. Repair ended_sessions as docs/sign-in.md says',
    );
    await world.restart();
    const [, list = ''] = /```json\n(\[\{"session":"\*".*\}\])\n```/.exec(page) ?? [];
    const [at, until] = [world.clock.now(), world.clock.now() + 30 * day].map((ms) => new Date(ms).toISOString());
    const repaired = list.replace(/"at":"[^"]*"/, `"at":"${at}"`).replace(/"until":"[^"]*"/, `"until":"${until}"`);
    world.setState({ ...world.stateData(), ended_sessions: repaired });
    await world.pass();
    await world.restart();
    expect((await world.call('me', {}, ended.token)).statusCode).toBe(401);
    const refreshed = await world.call('refreshSession', { body: { refreshToken: ended.refreshToken } });
    expect(refreshed.statusCode).toBe(401);
    await world.clock.advance(2_000);
    expect((await world.call('me', {}, (await world.signIn(adminAddress)).token)).statusCode).toBe(200);
  });
});
