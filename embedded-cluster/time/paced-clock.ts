import type { Clock } from '../ports/clock.ts';

interface Timer {
  due: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * A clock whose time passes at a rate of another's. The housekeeping of watches (bookmarks, time-outs, silence) runs on
 * it: while no watch is at fault that housekeeping changes nothing, so a quiet virtual week need not pay for it.
 */
export class PacedClock implements Clock {
  readonly #base: Clock;
  #rate: number;
  #elapsed = 0;
  #syncedAt: number;
  #order = 0;
  readonly #timers = new Set<Timer>();
  #cancel: () => void = () => {};
  #armedFor = Number.POSITIVE_INFINITY;

  constructor(base: Clock, rate = 1) {
    this.#base = base;
    this.#rate = rate;
    this.#syncedAt = base.monotonic();
  }

  now(): number {
    return this.#base.now();
  }

  monotonic(): number {
    return this.#elapsed + (this.#base.monotonic() - this.#syncedAt) * this.#rate;
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { due: this.monotonic() + Math.max(0, ms), order: this.#order++, run };
    this.#timers.add(timer);
    if (timer.due < this.#armedFor) this.#arm();
    return () => this.#timers.delete(timer);
  }

  setRate(rate: number): void {
    if (rate === this.#rate) return;
    this.#elapsed = this.monotonic();
    this.#syncedAt = this.#base.monotonic();
    this.#rate = rate;
    this.#arm();
  }

  #arm(): void {
    this.#cancel();
    const next = this.#next();
    this.#armedFor = next?.due ?? Number.POSITIVE_INFINITY;
    if (next === undefined) return;
    // Whole milliseconds: what is left of one by rounding must not be waited for again and again.
    const wait = Math.max(0, Math.ceil((next.due - this.monotonic()) / this.#rate));
    this.#cancel = this.#base.after(wait, () => this.#fire(next));
  }

  #fire(timer: Timer): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    if (this.#timers.delete(timer)) timer.run();
    this.#arm();
  }

  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order))
        next = timer;
    }
    return next;
  }
}
