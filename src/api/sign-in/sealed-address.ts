import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../ports/random.ts';
import type { Keys, Purpose } from './keys.ts';

/** Addresses in stored data, which names nobody: only this service can read them back, and only for their purpose. */
export class SealedAddress {
  readonly #keys: Keys;
  readonly #random: Random;
  readonly #purpose: Purpose;

  constructor(keys: Keys, random: Random, purpose: Purpose) {
    this.#keys = keys;
    this.#random = random;
    this.#purpose = purpose;
  }

  seal(address: string): string {
    const nonce = this.#random.bytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#keys.mac(this.#purpose, 'seal'), nonce);
    const text = Buffer.concat([cipher.update(address, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  /** The address; undefined when it was sealed by another secret. */
  unseal(sealed: string): string | undefined {
    try {
      const bytes = Buffer.from(sealed, 'base64url');
      const cipher = createDecipheriv('aes-256-gcm', this.#keys.mac(this.#purpose, 'seal'), bytes.subarray(0, 12));
      cipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
