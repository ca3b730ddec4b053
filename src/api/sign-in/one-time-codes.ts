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

interface MailedCode {
  readonly codeHash: Buffer;
  readonly linkHash: Buffer;
  /** Of the browser that asked; a link opened elsewhere is not taken. */
  readonly browserHash: Buffer;
  /** Monotonic: a clock that is set back prolongs nothing. */
  readonly expiresAt: number;
  /** Guesses at this one. It keeps its own count when a new request lifts that of the address: no code gets a fourth guess. */
  wrong: number;
}

export interface MadeCode {
  readonly issued: IssuedCode;
  readonly mailed: MailedCode;
}

type Guessed = Pick<MailedCode, 'codeHash' | 'wrong'>;

interface Outstanding {
  /** Newest first, one a browser. */
  readonly codes: readonly MailedCode[];
  /** Guesses for the address since the newest was asked for; the third spends all. */
  wrong: number;
}

/** Browsers that wait for a code of one address: its holder's, and those of strangers who ask for it meanwhile. */
const mostBrowsers = 5;

/**
 * The codes that have been mailed, and their links. Only keyed hashes are kept. A browser can use the code that it asked for,
 * whoever asks for another meanwhile; the newest can be used anywhere. Judging is synchronous, so of any number of
 * parallel guesses the first three wrong ones end it, for all codes of the address.
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

  /** A code that is worth nothing until it is kept: making one takes as long whether it is mailed or not. */
  make(address: string, browser: string): MadeCode {
    const code = uniformDigits(this.#random, codeDigits);
    const link = Buffer.from(this.#random.bytes(32)).toString('base64url');
    const mailed: MailedCode = {
      codeHash: this.#keys.mac('one-time-code', address, code),
      linkHash: this.#keys.mac('magic-link', link),
      browserHash: this.#keys.mac('browser', browser),
      expiresAt: this.#clock.monotonic() + codeLifetimeMs,
      wrong: 0,
    };
    return { issued: { code, link }, mailed };
  }

  /** From now on it is good; the one that this browser had before, and its link, are worth nothing. */
  keep(address: string, { issued, mailed }: MadeCode): IssuedCode {
    const before = this.#outstanding.get(address);
    this.#outstanding.delete(address);
    this.#forgetOld();
    const others = before === undefined || before.wrong >= wrongTries ? [] : this.#live(before);
    const kept = others.filter((other) => !sameBytes(other.browserHash, mailed.browserHash)).slice(0, mostBrowsers - 1);
    this.#outstanding.set(address, { codes: [mailed, ...kept], wrong: 0 });
    return issued;
  }

  /** Takes the code if it is good; the third wrong one spends it, and then even the right one is refused. */
  judge(address: string, code: string, browser: string): Judgement {
    const found = this.#outstanding.get(address);
    const hash = this.#keys.mac('one-time-code', address, code);
    const browserHash = this.#keys.mac('browser', browser);
    const codes = found === undefined ? [] : this.#live(found);
    const usable = codes.filter((one, index) => index === 0 || sameBytes(one.browserHash, browserHash));
    // Compared in any case, so that an address without a code takes as long as one with it.
    const none: Guessed = { codeHash: Buffer.alloc(hash.length), wrong: 0 };
    const same = (usable.length === 0 ? [none] : usable).filter(({ codeHash }) => sameBytes(hash, codeHash));
    if (found === undefined || codes.length === 0) return 'wrong';
    if (found.wrong >= wrongTries) return 'spent';
    if (same.some(({ wrong }) => wrong < wrongTries)) {
      this.#outstanding.delete(address);
      return 'good';
    }
    if (same.length > 0) return 'spent';
    for (const one of usable) one.wrong++;
    found.wrong++;
    return found.wrong >= wrongTries ? 'spent' : 'wrong';
  }

  /** Whether wrong guesses have spent what was mailed to this address, and nothing has been mailed since. */
  isSpent(address: string): boolean {
    const found = this.#outstanding.get(address);
    return found !== undefined && found.wrong >= wrongTries && this.#live(found).length > 0;
  }

  /** Whether one was asked for that could still be typed in. */
  isOut(address: string): boolean {
    const found = this.#outstanding.get(address);
    return found !== undefined && this.#live(found).length > 0;
  }

  /** The address that a link signs in, in the browser that asked for it; the link and all its codes are spent by that. */
  redeemLink(link: string, browser: string): string | undefined {
    const linkHash = this.#keys.mac('magic-link', link);
    const browserHash = this.#keys.mac('browser', browser);
    for (const [address, found] of this.#outstanding) {
      const mailed = this.#live(found).find((one) => sameBytes(one.linkHash, linkHash));
      if (mailed === undefined) continue;
      const spent = found.wrong >= wrongTries || mailed.wrong >= wrongTries;
      if (spent || !sameBytes(mailed.browserHash, browserHash)) return undefined;
      this.#outstanding.delete(address);
      return address;
    }
    return undefined;
  }

  #live({ codes }: Outstanding): readonly MailedCode[] {
    const now = this.#clock.monotonic();
    return codes.filter(({ expiresAt }) => now < expiresAt);
  }

  #forgetOld(): void {
    for (const [address, found] of this.#outstanding) {
      if (this.#live(found).length > 0 && this.#outstanding.size < mostOutstanding) break;
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
