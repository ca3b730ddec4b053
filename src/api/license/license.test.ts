import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../../test/support/api-world.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
}

describe('the license', () => {
  it('says its verdict to an admin', async () => {
    await start();
    const answer = (await world.call('license', {}, token)).json();
    expect(answer).toMatchObject({ verdict: 'licensed', acts: true, chip: null, licensee: expect.any(String) });
  });

  it('that is absent is unlicensed, with its chip', async () => {
    await start({ authority: { publicKeys: [], verify: () => false } });
    expect((await world.call('license', {}, token)).json()).toEqual({
      verdict: 'unlicensed',
      acts: false,
      chip: { color: 'red', text: 'Not scaling - unlicensed', detail: 'There is no license.' },
      reason: 'There is no license.',
    });
  });
});
