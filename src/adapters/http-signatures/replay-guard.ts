import type { Clock } from '../../ports/clock.ts';

export interface ReplayGuardOptions {
  readonly clock: Clock;
  readonly windowMs?: number;
  /** Past this many nobody is let in until some have expired: forgetting one would let it in twice. */
  readonly mostNonces?: number;
}

export type Admission = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Lets each signed request in once. Nonces are kept in memory, so whatever was signed before this process started is
 * refused: it may have been let in by the one before.
 */
export class ReplayGuard {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #mostNonces: number;
  readonly #startedAt: number;
  /** When each may be forgotten; in about that order, because time goes on. */
  readonly #seen = new Map<string, number>();

  constructor({ clock, windowMs = 300_000, mostNonces = 100_000 }: ReplayGuardOptions) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#mostNonces = mostNonces;
    this.#startedAt = clock.now();
  }

  /** Only for requests whose signature is good: what strangers send is not remembered. */
  admit({
    keyId,
    nonce,
    created,
  }: {
    readonly keyId: string;
    readonly nonce: string;
    readonly created: number;
  }): Admission {
    const now = this.#clock.now();
    const createdAt = created * 1000;
    if (createdAt < this.#startedAt) return refuse('it was made before this process started');
    if (Math.abs(now - createdAt) > this.#windowMs) {
      return refuse(
        `it was made ${createdAt < now ? 'too long ago' : 'in the future'}: the clocks may differ by ${this.#windowMs / 1000} s`,
      );
    }
    this.#forgetOld(now);
    const key = JSON.stringify([keyId, nonce]);
    if (this.#seen.has(key)) return refuse('its nonce was used before');
    if (this.#seen.size >= this.#mostNonces) return refuse('too many requests to remember');
    this.#seen.set(key, createdAt + this.#windowMs);
    return { ok: true };
  }

  #forgetOld(now: number): void {
    for (const [key, until] of this.#seen) {
      if (until >= now) return;
      this.#seen.delete(key);
    }
  }
}

function refuse(reason: string): Admission {
  return { ok: false, reason };
}
