import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { licenseLog } from '../announcement/license.ts';
import { keepBooks, type LicenseBookkeeping } from './bookkeeping.ts';
import { checkLicense, type LicenseAuthority, type LicenseCheck, type LicenseSource } from './check.ts';
import { licenseChip } from './chip.ts';
import { communityLicense, communityPublicKey } from './community.ts';
import { formatLicense, type License, licensePayload } from './license.ts';
import { licenseMetrics } from './metrics.ts';

const day = 86_400_000;
const now = Date.parse('2026-11-13T19:00:00Z');
const pair = generateKeyPairSync('ed25519');
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

const authority: LicenseAuthority = {
  publicKeys: [communityPublicKey, publicKey],
  verify(key, payload, signature) {
    const der = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return verify(null, payload, der, signature);
  },
};

function issue(parts: Partial<License> = {}): string {
  const payload = licensePayload({ id: 'l1', licensee: 'Example Corp', issuedAt: now - 100 * day, ...parts });
  return formatLicense({ payload, signature: new Uint8Array(sign(null, payload, pair.privateKey)) });
}

const text = (value: string): LicenseSource => ({ found: 'text', text: value });
const nothing: LicenseSource = { found: 'nothing' };
const unreadable: LicenseSource = { found: 'unreadable', message: 'ConfigMap svc-license could not be read.' };

function flip(license: string, index: number): string {
  const lines = license.split('\n');
  const body = lines.slice(1, -2).join('');
  const changed = body.slice(0, index) + (body[index] === 'A' ? 'B' : 'A') + body.slice(index + 1);
  return [lines[0], changed, '-----END SVC LICENSE-----'].join('\n');
}

describe('the verdict', () => {
  const builtIn = { ...authority, builtIn: communityLicense };
  const rows: Record<string, [LicenseSource, LicenseAuthority, LicenseBookkeeping, Partial<LicenseCheck>]> = {
    'a good license without an end': [
      text(issue()),
      authority,
      {},
      { verdict: 'licensed', acts: true, reason: 'Licensed to Example Corp.', lastLicensedAt: now, expiresSoon: false },
    ],
    'a license that ends in 31 days gives no warning': [
      text(issue({ expiresAt: now + 31 * day })),
      authority,
      {},
      { verdict: 'licensed', expiresSoon: false },
    ],
    'a license that ends in 30 days gives a warning': [
      text(issue({ expiresAt: now + 30 * day })),
      authority,
      {},
      { verdict: 'licensed', acts: true, expiresSoon: true },
    ],
    'a license that ends in a millisecond is good': [
      text(issue({ expiresAt: now + 1 })),
      authority,
      {},
      { verdict: 'licensed', acts: true },
    ],
    'a license that ends now has ended': [
      text(issue({ expiresAt: now })),
      authority,
      { lastLicensedAt: now - 1 },
      { verdict: 'unlicensed', acts: false, reason: 'The license expired on 2026-11-13.', lastLicensedAt: now - 1 },
    ],
    'a clock set back does not bring an expired license back': [
      text(issue({ expiresAt: now + day })),
      authority,
      { latestSeenAt: now + 2 * day },
      { verdict: 'unlicensed', acts: false, reason: 'The license expired on 2026-11-14.' },
    ],
    'a clock before the issue of a license that has ended since does not help': [
      text(issue({ issuedAt: now + 2 * day, expiresAt: now + day })),
      authority,
      {},
      { verdict: 'unlicensed' },
    ],
    'no license': [nothing, authority, {}, { verdict: 'unlicensed', acts: false, reason: 'There is no license.' }],
    'an empty license': [text(' \n'), authority, {}, { verdict: 'unlicensed', reason: 'There is no license.' }],
    'no license where one is built in': [
      nothing,
      builtIn,
      {},
      { verdict: 'licensed', acts: true, reason: 'Licensed to the community.' },
    ],
    'an empty license where one is built in': [text(''), builtIn, {}, { verdict: 'licensed' }],
    'a bad license where one is built in is still bad': [
      text(flip(issue(), 5)),
      builtIn,
      {},
      { verdict: 'unlicensed', reason: 'The signature of the license is not good.' },
    ],
    'a license of another key': [
      text(issue()),
      { ...authority, publicKeys: [communityPublicKey] },
      {},
      { verdict: 'unlicensed', reason: 'The signature of the license is not good.' },
    ],
    'a text that is no license': [
      text('hello'),
      authority,
      {},
      { verdict: 'unlicensed', reason: 'The license must begin with the line -----BEGIN SVC LICENSE-----.' },
    ],
    'a license that cannot be read, a millisecond before the stop date': [
      unreadable,
      authority,
      { lastLicensedAt: now - 14 * day + 1 },
      {
        verdict: 'unverified',
        acts: true,
        stopAt: now + 1,
        reason: 'ConfigMap svc-license could not be read. Scaling stops on 2026-11-13 unless a check succeeds.',
      },
    ],
    'a license that cannot be read, on the stop date': [
      unreadable,
      authority,
      { lastLicensedAt: now - 14 * day },
      {
        verdict: 'check_failed',
        acts: false,
        reason: 'ConfigMap svc-license could not be read. The last check that succeeded was on 2026-10-30.',
      },
    ],
    'a license that cannot be read, with the clock set back from behind the stop date': [
      unreadable,
      authority,
      { lastLicensedAt: now - day, latestSeenAt: now + 14 * day },
      { verdict: 'check_failed', acts: false },
    ],
    'a license that could never be read': [
      unreadable,
      builtIn,
      {},
      {
        verdict: 'check_failed',
        acts: false,
        reason: 'ConfigMap svc-license could not be read. No check has succeeded yet.',
      },
    ],
    'a key that cannot be used leaves it open': [
      text(issue()),
      {
        ...authority,
        verify() {
          throw new Error('no Ed25519 here');
        },
      },
      { lastLicensedAt: now },
      {
        verdict: 'unverified',
        reason:
          'The signature of the license could not be checked. Scaling stops on 2026-11-27 unless a check succeeds.',
      },
    ],
  };
  for (const [name, [source, by, bookkeeping, expected]] of Object.entries(rows)) {
    it(name, () => expect(checkLicense(source, by, bookkeeping, now)).toMatchObject(expected));
  }

  it('is unlicensed for a license with any one character of its body changed', () => {
    const license = issue({ expiresAt: now + day });
    const length = license.split('\n').slice(1, -2).join('').length;
    for (let index = 0; index < length; index++) {
      expect(checkLicense(text(flip(license, index)), authority, {}, now).verdict).toBe('unlicensed');
    }
  });

  it('of the community license is good in a hundred years, and for its own key alone', () => {
    expect(checkLicense(nothing, { ...authority, builtIn: communityLicense }, {}, now + 36_500 * day).verdict).toBe(
      'licensed',
    );
    expect(checkLicense(text(communityLicense), { ...authority, publicKeys: [publicKey] }, {}, now).verdict).toBe(
      'unlicensed',
    );
  });
});

describe('the books', () => {
  const licensed = checkLicense(text(issue()), authority, {}, now);
  const failing = checkLicense(unreadable, authority, { lastLicensedAt: now }, now);

  it('are stored on the first check and then once a day', () => {
    const first = keepBooks({}, {}, licensed, now);
    const { verdict, reason } = licensed;
    const found = { verdict, reason };
    expect(first).toEqual({ bookkeeping: { lastLicensedAt: now, latestSeenAt: now, found }, store: true });
    expect(keepBooks(first.bookkeeping, first.bookkeeping, licensed, now + day - 1).store).toBe(false);
    expect(keepBooks(first.bookkeeping, first.bookkeeping, licensed, now + day).store).toBe(true);
  });
  it('keep the last licensed check while checks fail', () => {
    const stored = { lastLicensedAt: now, latestSeenAt: now };
    expect(keepBooks(stored, stored, failing, now + day)).toEqual({
      bookkeeping: {
        lastLicensedAt: now,
        latestSeenAt: now + day,
        found: { verdict: 'unverified', reason: failing.reason },
      },
      store: true,
    });
  });
  it('are stored at once when the verdict is another', () => {
    const { bookkeeping } = keepBooks({}, {}, licensed, now);
    expect(keepBooks(bookkeeping, bookkeeping, failing, now + 1).store).toBe(true);
  });
  it('never go back with the clock', () => {
    const stored = { lastLicensedAt: now, latestSeenAt: now };
    const step = keepBooks(stored, { latestSeenAt: now + day }, failing, now - 9 * day);
    expect(step.bookkeeping.latestSeenAt).toBe(now + day);
  });
});

describe('what is shown', () => {
  const soon = checkLicense(text(issue({ expiresAt: now + day })), authority, {}, now);
  const good = checkLicense(text(issue()), authority, {}, now);
  const unverified = checkLicense(unreadable, authority, { lastLicensedAt: now }, now);
  const failed = checkLicense(unreadable, authority, {}, now);
  const none = checkLicense(nothing, authority, {}, now);

  it('the chips', () => {
    expect(licenseChip(good)).toBeUndefined();
    expect(licenseChip(soon)).toEqual({
      color: 'amber',
      text: 'License expires',
      detail: 'The license expires on 2026-11-14.',
    });
    expect(licenseChip(unverified)).toMatchObject({ color: 'amber', text: 'License check failing' });
    expect(licenseChip(failed)).toMatchObject({ color: 'red', text: 'Not scaling - license check failed' });
    expect(licenseChip(none)).toEqual({
      color: 'red',
      text: 'Not scaling - unlicensed',
      detail: 'There is no license.',
    });
  });

  it('the metrics', () => {
    expect(licenseMetrics(soon)).toEqual({
      verdict: { licensed: 1, unverified: 0, check_failed: 0, unlicensed: 0 },
      expiresAtSeconds: (now + day) / 1000,
      lastLicensedSeconds: now / 1000,
    });
    expect(licenseMetrics(unverified)).toEqual({
      verdict: { licensed: 0, unverified: 1, check_failed: 0, unlicensed: 0 },
      lastLicensedSeconds: now / 1000,
      stopAtSeconds: (now + 14 * day) / 1000,
    });
    expect(licenseMetrics(none)).toEqual({ verdict: { licensed: 0, unverified: 0, check_failed: 0, unlicensed: 1 } });
  });

  const transitions: Record<string, [LicenseCheck | undefined, LicenseCheck, unknown]> = {
    'nothing while the verdict stays': [good, soon, undefined],
    'the first check that lets it act': [
      undefined,
      good,
      {
        level: 'info',
        message: 'License check: licensed',
        fields: { verdict: 'licensed', reason: 'Licensed to Example Corp.' },
      },
    ],
    'a first check that does not hands back what an earlier process left': [
      undefined,
      none,
      {
        level: 'warn',
        message: 'License check: unlicensed, handing back and scaling nothing',
        fields: { verdict: 'unlicensed', reason: 'There is no license.' },
      },
    ],
    'from licensed to unverified it goes on': [
      good,
      unverified,
      {
        level: 'warn',
        message: 'License check: unverified',
        fields: { verdict: 'unverified', reason: unverified.reason },
      },
    ],
    'from one that stops to another nothing is handed back twice': [
      none,
      failed,
      {
        level: 'warn',
        message: 'License check: check_failed, handing back and scaling nothing',
        fields: { verdict: 'check_failed', reason: failed.reason },
      },
    ],
    'from unlicensed to licensed it resumes': [
      none,
      good,
      {
        level: 'info',
        message: 'License check: licensed',
        fields: { verdict: 'licensed', reason: 'Licensed to Example Corp.' },
      },
    ],
  };
  for (const [name, [before, check, expected]] of Object.entries(transitions)) {
    it(name, () => expect(licenseLog(before, check)).toEqual(expected));
  }
});

it('a license that cannot be read lets nothing scale that had stopped before', () => {
  const check = checkLicense(unreadable, authority, { lastLicensedAt: now, acts: false }, now);
  expect(check).toMatchObject({ verdict: 'check_failed', acts: false, lastLicensedAt: now });
  expect(check.reason).toBe(
    'ConfigMap svc-license could not be read. Scaling had stopped before, and starts again when a check succeeds.',
  );
});
