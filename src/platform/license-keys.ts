import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

export interface LicenseKeys {
  /** Base64 of the DER form, on one line: this is built into the product. */
  readonly publicKey: string;
  /** PEM: this stays with whoever issues licenses. */
  readonly privateKey: string;
}

export function generateLicenseKeys(): LicenseKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** Throws when the text is no Ed25519 private key. */
export function signLicense(privateKey: string, payload: Uint8Array): Uint8Array {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(`The private key must be an Ed25519 key, not ${key.asymmetricKeyType ?? 'unknown'}.`);
  }
  return new Uint8Array(sign(null, payload, key));
}

/** Throws when the public key itself cannot be read: that says nothing about the license. */
export function verifyLicenseSignature(publicKey: string, payload: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return key.asymmetricKeyType === 'ed25519' && verify(null, payload, key, signature);
}
