import type { Clock } from '../../ports/clock.ts';

const mostKeys = 20_000;

/** At most `count` in any stretch of `perMs`, for each key. For rare things: it remembers each of them. */
export class WindowLimit {
  readonly #clock: Clock;
  readonly #count: number;
  readonly #perMs: number;
  readonly #taken = new Map<string, number[]>();

  constructor(clock: Clock, count: number, perMs: number) {
    this.#clock = clock;
    this.#count = count;
    this.#perMs = perMs;
  }

  /** How many milliseconds until the key may take again; 0 when it may now. */
  wait(key: string): number {
    const times = this.#live(key);
    return times.length < this.#count ? 0 : Math.ceil(times[0]! + this.#perMs - this.#clock.monotonic());
  }

  take(key: string): void {
    const times = this.#live(key);
    times.push(this.#clock.monotonic());
    this.#taken.delete(key);
    this.#taken.set(key, times);
    if (this.#taken.size > mostKeys) this.#taken.delete(this.#taken.keys().next().value as string);
  }

  #live(key: string): number[] {
    const since = this.#clock.monotonic() - this.#perMs;
    return (this.#taken.get(key) ?? []).filter((at) => at > since);
  }
}
