import { codeDigits } from '../../contract/code-digits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { type Keys, sameBytes } from './keys.ts';

export const codeLifetimeMs = 10 * 60_000;
const wrongTries = 3;
/** Beyond this many outstanding codes the oldest goes: a bound on memory, far above any team. */
const mostOutstanding = 10_000;

export interface IssuedCode {
  readonly code: string;
  readonly link: string;
}

export type Judgement = 'good' | 'wrong' | 'spent';

interface Outstanding {
  readonly codeHash: Buffer;
  readonly linkHash: Buffer;
  /** Of the browser that asked; a link opened elsewhere is not taken. */
  readonly browserHash: Buffer;
  /** Monotonic: a clock that is set back prolongs nothing. */
  readonly expiresAt: number;
  wrong: number;
}

/**
 * The codes that have been mailed, and their links. Only keyed hashes are kept. Judging is synchronous, so of any number
 * of parallel guesses the first three wrong ones end it.
 */
export class OneTimeCodes {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #keys: Keys;
  readonly #outstanding = new Map<string, Outstanding>();

  constructor(clock: Clock, random: Random, keys: Keys) {
    this.#clock = clock;
    this.#random = random;
    this.#keys = keys;
  }

  /** A new code; the one before, and its link, are worth nothing from now on. */
  issue(address: string, browser: string): IssuedCode {
    const code = uniformDigits(this.#random, codeDigits);
    const link = Buffer.from(this.#random.bytes(32)).toString('base64url');
    this.#outstanding.delete(address);
    this.#forgetOld();
    this.#outstanding.set(address, {
      codeHash: this.#keys.mac('one-time-code', address, code),
      linkHash: this.#keys.mac('magic-link', link),
      browserHash: this.#keys.mac('browser', browser),
      expiresAt: this.#clock.monotonic() + codeLifetimeMs,
      wrong: 0,
    });
    return { code, link };
  }

  /** Takes the code if it is good; the third wrong one spends it, and then even the right one is refused. */
  judge(address: string, code: string): Judgement {
    const found = this.#outstanding.get(address);
    const hash = this.#keys.mac('one-time-code', address, code);
    const live = found !== undefined && this.#clock.monotonic() < found.expiresAt;
    // Compared in any case, so that an address without a code takes as long as one with it.
    const same = sameBytes(hash, found?.codeHash ?? Buffer.alloc(hash.length));
    if (!live) return 'wrong';
    if (found.wrong >= wrongTries) return 'spent';
    if (same) {
      this.#outstanding.delete(address);
      return 'good';
    }
    found.wrong++;
    return found.wrong >= wrongTries ? 'spent' : 'wrong';
  }

  /** The address that a link signs in, in the browser that asked for it; the link and its code are spent by that. */
  redeemLink(link: string, browser: string): string | undefined {
    const linkHash = this.#keys.mac('magic-link', link);
    const browserHash = this.#keys.mac('browser', browser);
    for (const [address, found] of this.#outstanding) {
      if (!sameBytes(found.linkHash, linkHash)) continue;
      if (found.wrong >= wrongTries || this.#clock.monotonic() >= found.expiresAt) return undefined;
      if (!sameBytes(found.browserHash, browserHash)) return undefined;
      this.#outstanding.delete(address);
      return address;
    }
    return undefined;
  }

  #forgetOld(): void {
    const now = this.#clock.monotonic();
    for (const [address, { expiresAt }] of this.#outstanding) {
      if (expiresAt > now && this.#outstanding.size < mostOutstanding) break;
      this.#outstanding.delete(address);
    }
  }
}

/** Uniform, with leading zeros: bytes that would favour some digits are thrown away. */
function uniformDigits(random: Random, digits: number): string {
  let text = '';
  while (text.length < digits) {
    for (const byte of random.bytes(digits)) {
      if (byte < 250 && text.length < digits) text += String(byte % 10);
    }
  }
  return text;
}
