import { afterEach, expect, it } from 'vitest';
import { ApiWorld, adminAddress } from '../../../test/support/api-world.ts';
import { acceptedToken, tokenHeader, tokenName } from '../../platform/token-name.ts';

let world: ApiWorld;
afterEach(() => world?.stop());

it('the frontend is told of a token that is issued or accepted, and of no other, whatever else is answered', async () => {
  world = await ApiWorld.start();
  await world.call('requestOtp', { body: { email: adminAddress } });
  const signedIn = await world.call('verifyOtp', { body: { email: adminAddress, otp: world.lastCode(adminAddress) } });
  const { token } = signedIn.json();
  expect(signedIn.headers[tokenHeader]).toBe(tokenName(token));
  const said = async (id: 'me' | 'standDown' | 'requestOtp' | 'branding', shown: string) =>
    (await world.call(id, id === 'me' || id === 'branding' ? {} : { body: {} }, shown)).headers[tokenHeader];
  // A stand-down without a reason is refused; the person is who he says.
  expect([await said('me', token), await said('standDown', token)]).toEqual([acceptedToken, acceptedToken]);
  for (const id of ['me', 'standDown', 'requestOtp', 'branding'] as const) {
    expect([id, await said(id, 'aaa.bbb.ccc')]).toEqual([id, undefined]);
  }
});
