import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateLicenseKeys, signLicense, verifyLicenseSignature } from './license-keys.ts';

const payload = new TextEncoder().encode('payload');

describe('license keys', () => {
  it('sign what the public half confirms, and nothing else', () => {
    const keys = generateLicenseKeys();
    const signature = signLicense(keys.privateKey, payload);
    expect(signature).toHaveLength(64);
    expect(verifyLicenseSignature(keys.publicKey, payload, signature)).toBe(true);
    expect(verifyLicenseSignature(generateLicenseKeys().publicKey, payload, signature)).toBe(false);
    expect(verifyLicenseSignature(keys.publicKey, new TextEncoder().encode('Payload'), signature)).toBe(false);
  });

  it('of another kind are refused', () => {
    const { privateKey } = generateKeyPairSync('ed448');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    expect(() => signLicense(pem, payload)).toThrow('The private key must be an Ed25519 key, not ed448.');
  });

  it('that cannot be read say nothing about a license', () => {
    expect(() => verifyLicenseSignature('AAAA', payload, new Uint8Array(64))).toThrow();
  });
});
