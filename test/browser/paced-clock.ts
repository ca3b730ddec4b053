import { systemClock } from '../../src/platform/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

interface Timer {
  readonly due: number;
  readonly run: () => void;
  cancel: () => void;
}

/** A clock that begins where it is told and whose pace can be changed while it runs: fast through the waiting. */
export class PacedClock implements Clock {
  #speed = 1;
  #zero = systemClock.monotonic();
  #base = 0;
  readonly #startAt: number;
  readonly #timers = new Set<Timer>();

  constructor(startAt: number) {
    this.#startAt = startAt;
  }

  monotonic(): number {
    return this.#base + (systemClock.monotonic() - this.#zero) * this.#speed;
  }

  now(): number {
    return Math.floor(this.#startAt + this.monotonic());
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { due: this.monotonic() + ms, run, cancel: () => undefined };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => {
      this.#timers.delete(timer);
      timer.cancel();
    };
  }

  /** Seconds on this clock for one of the machine's. */
  pace(speed: number): void {
    this.#base = this.monotonic();
    this.#zero = systemClock.monotonic();
    this.#speed = speed;
    for (const timer of this.#timers) {
      timer.cancel();
      this.#arm(timer);
    }
  }

  #arm(timer: Timer): void {
    const wait = Math.max(0, (timer.due - this.monotonic()) / this.#speed);
    timer.cancel = systemClock.after(Math.min(wait, 2_000_000_000), () => {
      this.#timers.delete(timer);
      timer.run();
    });
  }
}
