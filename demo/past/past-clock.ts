import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

interface Timer {
  readonly due: number;
  readonly run: () => void;
  cancel: () => void;
}

/**
 * Time that is virtual until the past has been lived, and another clock's from then on. What waits at the change waits
 * on, so that a cluster on this clock goes on without noticing.
 */
export class PastClock implements Clock {
  readonly #virtual: VirtualClock;
  readonly #waiting = new Set<Timer>();
  #live: { readonly clock: Clock; readonly zero: number } | undefined;

  constructor(startAt: number) {
    this.#virtual = new VirtualClock(startAt);
  }

  now(): number {
    return (this.#live?.clock ?? this.#virtual).now();
  }

  monotonic(): number {
    return this.#live === undefined ? this.#virtual.monotonic() : this.#live.clock.monotonic() - this.#live.zero;
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { due: this.monotonic() + Math.max(0, ms), run, cancel: () => {} };
    this.#waiting.add(timer);
    this.#arm(timer);
    return () => {
      this.#waiting.delete(timer);
      timer.cancel();
    };
  }

  /** Lets virtual time pass. */
  advance(ms: number): Promise<void> {
    return this.#virtual.advance(ms);
  }

  /** From here on time is this clock's. */
  goOn(clock: Clock): void {
    this.#live = { clock, zero: clock.monotonic() - this.#virtual.monotonic() };
    for (const timer of this.#waiting) {
      timer.cancel();
      this.#arm(timer);
    }
  }

  #arm(timer: Timer): void {
    const { clock } = this.#live ?? { clock: this.#virtual };
    timer.cancel = clock.after(timer.due - this.monotonic(), () => {
      this.#waiting.delete(timer);
      timer.run();
    });
  }
}
