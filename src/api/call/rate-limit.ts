import type { Clock } from '../../ports/clock.ts';

export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

const mostKeys = 20_000;

/** At most `count` in any stretch of about `perMs`, for each key: a bucket that fills evenly. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** How many milliseconds until one could be taken; 0 when it could be now. */
  wait(key: string): number {
    const tokens = this.#tokens(key);
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * this.#rate.perMs) / this.#rate.count);
  }

  /** Takes one; the answer is how many milliseconds to wait, 0 when it was given. */
  take(key: string): number {
    const now = this.#clock.monotonic();
    const { count, perMs } = this.#rate;
    const tokens = this.#tokens(key);
    const given = tokens >= 1;
    // Set anew, so that the map stays in the order of use and the oldest can be dropped.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: given ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > mostKeys) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return given ? 0 : Math.ceil(((1 - tokens) * perMs) / count);
  }

  #tokens(key: string): number {
    const { count, perMs } = this.#rate;
    const known = this.#buckets.get(key);
    if (known === undefined) return count;
    return Math.min(count, known.tokens + ((this.#clock.monotonic() - known.at) * count) / perMs);
  }
}
