import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import type { LicenseAuthority } from '../../domain/license/check.ts';
import { formatLicense, licensePayload } from '../../domain/license/license.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 0, 5, 12);
const pair = generateKeyPairSync('ed25519');
const authority: LicenseAuthority = {
  publicKeys: [pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  verify(key, payload, signature) {
    const der = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return verify(null, payload, der, signature);
  },
};

function licenseUntil(expiresAt: number): string {
  const payload = licensePayload({ id: 'l1', licensee: 'Example Corp', issuedAt: noon - minute, expiresAt });
  return formatLicense({ payload, signature: new Uint8Array(sign(null, payload, pair.privateKey)) });
}

let world: ControllerWorld;
afterEach(() => world.stopController());

const acts = async () => (await world.ports.metrics.licenseActs.get()).values.map(({ value }) => value);

it('a license that expires between two passes is noticed when it does, not with the next pass of the hour', async () => {
  world = new ControllerWorld({ startAt: noon });
  const source = { found: 'text', text: licenseUntil(noon + 137 * minute) } as const;
  world.licenseSource = source;
  await world.startController();
  Object.assign(world.ports, { license: { source: () => source, authority } });
  world.reconfigure({ operations: { logLevel: 'debug' } });
  await world.clock.advance(136 * minute);
  expect(await acts()).toEqual([1]);
  await world.clock.advance(minute + 1_000);
  expect(await acts()).toEqual([0]);
});
