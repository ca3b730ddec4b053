import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export type Purpose =
  | 'access'
  | 'refresh'
  | 'one-time-code'
  | 'magic-link'
  | 'browser'
  | 'ended-session'
  | 'person'
  | 'passkey-record'
  | 'calendar-feed';

class WeakSecret extends Error {
  override readonly name = 'WeakSecret';
}

/** A key for each purpose, all from `secrets.jwtSecret`: what is signed for one purpose is worth nothing for another. */
export class Keys {
  readonly #keys = new Map<Purpose, Buffer>();
  readonly #secret: string;

  constructor(secret: string) {
    if (Buffer.byteLength(secret) < 32) {
      throw new WeakSecret('secrets.jwtSecret is shorter than 256 bits; generate one with: openssl rand -base64 32');
    }
    this.#secret = secret;
  }

  mac(purpose: Purpose, ...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.#key(purpose));
    // Each part with its length, so that no two lists of parts give the same bytes.
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest();
  }

  #key(purpose: Purpose): Buffer {
    const known = this.#keys.get(purpose);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', this.#secret, '', `svc ${purpose}`, 32));
    this.#keys.set(purpose, key);
    return key;
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
