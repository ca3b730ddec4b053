import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, userAddress } from '../../../test/support/api-world.ts';
import { SoftwarePasskey } from '../../../test/support/software-passkey.ts';

const externalUrl = 'https://svc.example.com';
const internalUrl = 'https://svc.corp.example.org:8443';

let world: ApiWorld;
afterEach(() => world.stop());

/** Adds a passkey at an own address and signs in there with it, as a browser at that address lets a page. */
async function useAt(own: string, rpId: string, passkey = new SoftwarePasskey()): Promise<readonly [number, number]> {
  const { host } = new URL(own);
  const headers = { host };
  const token = await world.token(userAddress);
  const asked = (await world.call('passkeyRegistrationOptions', { headers }, token)).json();
  expect(asked.options.rp.id).toBe(rpId);
  const response = passkey.register(asked.options.challenge, own, rpId);
  const body = { challengeId: asked.challengeId, name: 'Laptop', response };
  const added = await world.call('registerPasskey', { headers, body }, token);
  const { challengeId, options } = (await world.call('passkeySignInOptions', { headers })).json();
  expect(options.rpId).toBe(rpId);
  const proof = { challengeId, response: passkey.authenticate(options.challenge, own, rpId) };
  const signedIn = await world.call('signInWithPasskey', { headers, body: proof });
  return [added.statusCode, signedIn.statusCode];
}

const start = async (webauthn: object) => {
  world = await ApiWorld.start({
    config: { externalUrl, internalUrl, auth: { webauthn: { enabled: true, ...webauthn } } },
  });
};

describe('a passkey', () => {
  it('works at each own address, with its host as the relying party', async () => {
    await start({});
    expect(await useAt(internalUrl, 'svc.corp.example.org')).toEqual([200, 200]);
    expect(await useAt(externalUrl, 'svc.example.com')).toEqual([200, 200]);
  });

  it('of one address is not taken at the other', async () => {
    await start({});
    const { host } = new URL(externalUrl);
    const passkey = new SoftwarePasskey();
    await useAt(internalUrl, 'svc.corp.example.org', passkey);
    const { challengeId, options } = (await world.call('passkeySignInOptions', { headers: { host } })).json();
    const response = passkey.authenticate(options.challenge, internalUrl, 'svc.corp.example.org');
    const answer = await world.call('signInWithPasskey', { headers: { host }, body: { challengeId, response } });
    expect(answer.json().code).toBe('passkey_refused');
  });

  it('is of the configured relying party wherever one is configured', async () => {
    await start({ rpId: 'corp.example.org' });
    expect(await useAt(internalUrl, 'corp.example.org')).toEqual([200, 200]);
  });
});
