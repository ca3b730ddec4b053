import { createHmac } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { sameBytes } from '../sign-in/keys.ts';

export const challengeLifetimeMs = 5 * 60_000;
const macBytes = 16;
const expiryBytes = 6;

export interface Challenge {
  /** As it is sent, in base64url. */
  readonly challenge: string;
  readonly purpose: 'register' | 'sign-in';
  /** Whose it is; absent for a sign-in, where the passkey says who. */
  readonly address?: string;
}

/**
 * Challenges, each good for five minutes and for one passkey. None is kept: its id carries it, with a MAC under a key that is made when the
 * process begins, so however many anybody asks for, nobody loses his own. Those that a good passkey has answered are remembered until they expire.
 */
export class Challenges {
  readonly #clock: Clock;
  readonly #key: Uint8Array;
  /** Used in this stretch of a lifetime, and in the one before: whatever is older has expired. */
  #used = new Set<string>();
  #usedBefore = new Set<string>();
  #since: number;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#key = random.bytes(32);
    this.#since = clock.monotonic();
  }

  issue(challenge: Challenge): string {
    const expiry = Buffer.alloc(expiryBytes);
    expiry.writeUIntBE(Math.ceil(this.#clock.monotonic() + challengeLifetimeMs), 0, expiryBytes);
    const mac = this.#mac(expiry, challenge);
    return Buffer.concat([expiry, mac, Buffer.from(challenge.challenge, 'base64url')]).toString('base64url');
  }

  /** The challenge of this id, if it was issued for this and can still be answered. */
  find(id: string, { purpose, address }: Omit<Challenge, 'challenge'>): Challenge | undefined {
    const bytes = Buffer.from(id, 'base64url');
    if (bytes.length <= expiryBytes + macBytes || bytes.toString('base64url') !== id) return undefined;
    const [expiry, mac] = [bytes.subarray(0, expiryBytes), bytes.subarray(expiryBytes, expiryBytes + macBytes)];
    const challenge: Challenge = {
      challenge: bytes.subarray(expiryBytes + macBytes).toString('base64url'),
      purpose,
      ...(address === undefined ? {} : { address }),
    };
    const genuine = sameBytes(mac, this.#mac(expiry, challenge));
    const good = genuine && this.#clock.monotonic() < expiry.readUIntBE(0, expiryBytes) && !this.#isUsed(id);
    return good ? challenge : undefined;
  }

  /** Of any number of good answers at one time the first gets true. */
  use(id: string): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#since >= challengeLifetimeMs) {
      this.#usedBefore = now - this.#since >= 2 * challengeLifetimeMs ? new Set() : this.#used;
      this.#used = new Set();
      this.#since = now;
    }
    if (this.#isUsed(id)) return false;
    this.#used.add(id);
    return true;
  }

  #isUsed(id: string): boolean {
    return this.#used.has(id) || this.#usedBefore.has(id);
  }

  #mac(expiry: Uint8Array, { challenge, purpose, address = '' }: Challenge): Buffer {
    // Neither part holds a line break, so no two lists of parts give the same bytes.
    const mac = createHmac('sha256', this.#key).update(expiry).update(`${purpose}\n${challenge}\n${address}`);
    return mac.digest().subarray(0, macBytes);
  }
}
