import type { Clock } from '../../ports/clock.ts';
import { type Rate, RateLimit } from '../call/rate-limit.ts';

/**
 * An answer that takes time to make, for those who need not sign in: made anew for each of them while they are few, and
 * shared in a flood, so that strangers cost so many at most and still see nothing old. A failure is shared like an answer.
 */
export class SharedAnswer<T> {
  readonly #limit: RateLimit;
  readonly #make: () => Promise<T>;
  #last: Promise<T> | undefined;

  constructor(clock: Clock, rate: Rate, make: () => Promise<T>) {
    this.#limit = new RateLimit(clock, rate);
    this.#make = make;
  }

  get(): Promise<T> {
    if (this.#limit.take('') === 0 || this.#last === undefined) this.#last = this.#make();
    return this.#last;
  }
}
