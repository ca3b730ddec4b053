import type { Clock } from '../../ports/clock.ts';

/** What was seen lately. It remembers so many at most: past that, the oldest is forgotten first. */
export class Recent {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #seenAt = new Map<string, number>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** How long until it no longer counts as seen within the window; 0 when it does not now. */
  remainingMs(key: string, windowMs: number): number {
    const at = this.#seenAt.get(key);
    return at === undefined ? 0 : Math.max(0, at + windowMs - this.#clock.monotonic());
  }

  note(key: string): void {
    this.#seenAt.delete(key);
    this.#seenAt.set(key, this.#clock.monotonic());
    if (this.#seenAt.size > this.#most) this.#seenAt.delete(this.#seenAt.keys().next().value!);
  }
}
