import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { releaseNamespace } from '../../../test/simulation/world/shipped-controller.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import type { LicenseAuthority, LicenseSource } from '../../domain/license/check.ts';
import { formatLicense, licensePayload } from '../../domain/license/license.ts';
import { configMaps } from '../../domain/names.ts';

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

describe('a license that cannot be read for a while is judged by what the process found before', () => {
  const good = { found: 'text', text: licenseUntil(noon + 30 * 86_400_000) } as const;
  const expired = { found: 'text', text: licenseUntil(noon - 1) } as const;
  const unreadable = { found: 'unreadable', message: 'the watch broke' } as const;

  /** What each of them lets the service do, one after the other. */
  async function judged(sources: readonly LicenseSource[]): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (const source of sources) {
      Object.assign(world.ports, { license: { source: () => source, authority } });
      world.reconfigure({ operations: { dryRun: world.config.operations.dryRun } });
      await world.clock.advance(minute);
      found.push(...(await acts()));
    }
    return found;
  }

  function spoil(): void {
    const state = world.cluster.store.get('configmaps', releaseNamespace, configMaps.state)!;
    world.cluster.store.update('configmaps', { ...state, data: { ...world.stateData(), license_check: '{broken' } });
  }

  async function started(dryRun: boolean): Promise<void> {
    world = new ControllerWorld({ startAt: noon, config: { operations: { dryRun } } });
    await world.startController();
    await world.clock.advance(minute);
  }

  it.each([
    ['good, so it acts', [good, unreadable], [1, 1]],
    ['not good, so it does not', [good, expired, unreadable, good], [1, 0, 0, 1]],
  ])('where the books cannot be decoded: %s', async (_, sources, expected) => {
    await started(false);
    spoil();
    expect(await judged(sources)).toEqual(expected);
  });

  it('but not where another process has found something else since, and written it down', async () => {
    await started(false);
    expect(await judged([good])).toEqual([1]);
    const state = world.cluster.store.get('configmaps', releaseNamespace, configMaps.state)!;
    const books = JSON.parse(world.stateData()['license_check']!) as object;
    const license_check = JSON.stringify({
      ...books,
      acts: false,
      found: { verdict: 'unlicensed', reason: 'expired' },
    });
    Object.assign(world.ports, { license: { source: () => unreadable, authority } });
    world.cluster.store.update('configmaps', { ...state, data: { ...world.stateData(), license_check } });
    expect(await judged([unreadable])).toEqual([0]);
  });

  it('where it broke in a dry run, when that is over', async () => {
    await started(true);
    // As the api says, which has no more to go by than what is written down.
    expect(await judged([good, unreadable])).toEqual([1, 0]);
    world.reconfigure({ operations: { dryRun: false } });
    await world.clock.advance(minute);
    expect(await acts()).toEqual([1]);
  });
});
