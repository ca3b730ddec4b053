import { afterEach, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';
import { acceptedToken, parseTokenHeader, tokenHeader, tokenName } from '../../platform/token-name.ts';

let world: ApiWorld;
afterEach(() => world?.stop());

type Asked = 'me' | 'standDown' | 'requestOtp' | 'branding';

const said = async (id: Asked, shown: string) => {
  const answer = await world.call(id, id === 'me' || id === 'branding' ? {} : { body: {} }, shown);
  return parseTokenHeader(answer.headers[tokenHeader]);
};

it('the frontend is told of a token that is issued or accepted, and of no other, whatever else is answered', async () => {
  world = await ApiWorld.start();
  await world.call('requestOtp', { body: { email: adminAddress } });
  const signedIn = await world.call('verifyOtp', { body: { email: adminAddress, otp: world.lastCode(adminAddress) } });
  const { token } = signedIn.json();
  const issued = parseTokenHeader(signedIn.headers[tokenHeader]);
  expect(issued).toEqual({ token: tokenName(token), person: expect.stringMatching(/^[\w-]{16}$/), rank: 'admin' });
  // A stand-down without a reason is refused; the person is who he says.
  const accepted = { ...issued, token: acceptedToken };
  expect([await said('me', token), await said('standDown', token)]).toEqual([accepted, accepted]);
  for (const id of ['me', 'standDown', 'requestOtp', 'branding'] as const) {
    expect([id, await said(id, 'aaa.bbb.ccc')]).toEqual([id, undefined]);
  }
});

it('the frontend is told whose a token is, by a name that names nobody, and how near they are, as the configuration has it now', async () => {
  world = await ApiWorld.start();
  const admin = await world.token(adminAddress);
  const [colleague, again] = [await world.token(userAddress), await world.token(userAddress)];
  const stranger = await world.token('eve@elsewhere.example');
  const me = (token: string) => said('me', token);
  expect((await me(colleague))?.person).toBe((await me(again))?.person);
  const people = await Promise.all([admin, colleague, stranger].map(me));
  expect(new Set(people.map((one) => one?.person)).size).toBe(3);
  expect(people.map((one) => one?.rank)).toEqual(['admin', 'company', 'outside']);
  // Who may not is told so, and the frontend still hears who it was.
  expect(await said('standDown', stranger)).toEqual(people[2]);
  world.configure({ auth: { adminUsers: [userAddress] } });
  await world.pass();
  expect([(await said('standDown', admin))?.rank, (await me(colleague))?.rank]).toEqual(['company', 'admin']);
});

it.each([undefined, '', 'accepted', 'accepted person', 'accepted person king', ['accepted person admin']])(
  'what is no word on a token says nothing: %j',
  (text) => {
    expect(parseTokenHeader(text)).toBeUndefined();
  },
);
