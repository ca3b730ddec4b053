import type { Clock } from '../../../ports/clock.ts';
import { type Urgency, urgencies, urgencyNow } from '../../../ports/urgency.ts';

export interface Rate {
  /** Tokens that come back each second; `Infinity` lifts the limit. */
  readonly qps: number;
  /** Tokens that can be saved up. */
  readonly burst: number;
}

interface Waiter {
  readonly grant: () => void;
}

/**
 * A limit on requests. Who is more urgent goes first, so that what strangers ask for keeps no admin waiting; among equals it is first come, first
 * served, so that a long list cannot overtake a write that waits.
 */
export class TokenBucket {
  readonly #clock: Clock;
  #rate: Rate;
  #tokens: number;
  #filledAt: number;
  readonly #lines: Readonly<Record<Urgency, Set<Waiter>>> = {
    first: new Set(),
    person: new Set(),
    stranger: new Set(),
  };
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = checked(rate);
    this.#tokens = rate.burst;
    this.#filledAt = clock.monotonic();
  }

  /** Takes effect at once, also for those that already wait. */
  configure(rate: Rate): void {
    this.#refill();
    this.#rate = checked(rate);
    this.#tokens = Math.min(this.#tokens, rate.burst);
    this.#grantWhatIsDue();
  }

  /** Resolves when the caller may send; rejects with the signal's reason when it aborts first, leaving its token to others. */
  take(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#refill();
    const line = this.#lines[urgencyNow()];
    if (!this.#isWaitedFor() && this.#spend()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        grant: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        line.delete(waiter);
        this.#grantWhatIsDue();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      line.add(waiter);
      this.#grantWhatIsDue();
    });
  }

  #grantWhatIsDue(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#refill();
    for (const urgency of urgencies) this.#grantOf(this.#lines[urgency]);
    if (!this.#isWaitedFor()) return;
    const untilNext = ((1 - this.#tokens) / this.#rate.qps) * 1000;
    this.#cancelTimer = this.#clock.after(Math.max(1, Math.ceil(untilNext)), () => this.#grantWhatIsDue());
  }

  #grantOf(line: Set<Waiter>): void {
    for (const waiter of line) {
      if (!this.#spend()) return;
      line.delete(waiter);
      waiter.grant();
    }
  }

  #isWaitedFor(): boolean {
    return urgencies.some((urgency) => this.#lines[urgency].size > 0);
  }

  #spend(): boolean {
    if (this.#rate.qps === Number.POSITIVE_INFINITY) return true;
    // Refilling by fractions of a millisecond leaves rounding dust under one token; it counts as one.
    if (this.#tokens < 1 - 1e-9) return false;
    this.#tokens = Math.max(0, this.#tokens - 1);
    return true;
  }

  #refill(): void {
    const now = this.#clock.monotonic();
    if (this.#rate.qps !== Number.POSITIVE_INFINITY) {
      const gained = ((now - this.#filledAt) / 1000) * this.#rate.qps;
      // A timer is late by a part of a token; while someone waits that part counts, or the rate would fall short.
      const most = this.#isWaitedFor() ? this.#rate.burst + 1 : this.#rate.burst;
      this.#tokens = Math.min(most, this.#tokens + gained);
    }
    this.#filledAt = now;
  }
}

function checked(rate: Rate): Rate {
  if (!(rate.qps > 0))
    throw new RangeError(`qps must be a number above 0, or Infinity for no limit; it was ${rate.qps}.`);
  if (!(rate.burst >= 1)) throw new RangeError(`burst must be a number of at least 1; it was ${rate.burst}.`);
  return rate;
}
