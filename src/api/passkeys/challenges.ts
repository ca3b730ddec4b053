import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';

const lifetimeMs = 5 * 60_000;
const mostOutstanding = 5_000;

export interface Challenge {
  readonly challenge: string;
  readonly purpose: 'register' | 'sign-in';
  /** Whose it is; absent for a sign-in, where the passkey says who. */
  readonly address?: string;
}

/** Challenges that are out; each is good for five minutes and for one answer. */
export class Challenges {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #out = new Map<string, Challenge & { readonly expiresAt: number }>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  issue(challenge: Challenge): string {
    const now = this.#clock.monotonic();
    for (const [id, { expiresAt }] of this.#out) {
      if (expiresAt > now && this.#out.size < mostOutstanding) break;
      this.#out.delete(id);
    }
    const id = Buffer.from(this.#random.bytes(16)).toString('base64url');
    this.#out.set(id, { ...challenge, expiresAt: now + lifetimeMs });
    return id;
  }

  take(id: string, purpose: Challenge['purpose']): Challenge | undefined {
    const found = this.#out.get(id);
    this.#out.delete(id);
    const good = found !== undefined && found.purpose === purpose && this.#clock.monotonic() < found.expiresAt;
    return good ? found : undefined;
  }
}
