import type { Clock } from '../../../ports/clock.ts';

/** Aborts when nothing was heard for the time allowed: a connection that died without a word looks like a quiet one. */
export class SilenceGuard {
  readonly #clock: Clock;
  readonly #parent: AbortSignal;
  readonly #abort = new AbortController();
  readonly #onParentAbort = () => this.#abort.abort(this.#parent.reason);
  #allowedMs = Number.POSITIVE_INFINITY;
  #heardAt = 0;
  #cancelTimer: () => void = () => {};
  #fired = false;

  constructor(clock: Clock, parent: AbortSignal) {
    this.#clock = clock;
    this.#parent = parent;
    if (parent.aborted) this.#onParentAbort();
    else parent.addEventListener('abort', this.#onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True when it was the silence that aborted. */
  get fired(): boolean {
    return this.#fired;
  }

  /** Starts, or changes, the time allowed, counted from now. */
  allow(ms: number): void {
    this.#allowedMs = ms;
    this.heard();
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(ms, () => this.#check());
  }

  /** Cheap: a storm of events sets no timers. */
  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  end(): void {
    this.#cancelTimer();
    this.#parent.removeEventListener('abort', this.#onParentAbort);
  }

  #check(): void {
    const left = this.#heardAt + this.#allowedMs - this.#clock.monotonic();
    if (left > 0) {
      this.#cancelTimer = this.#clock.after(left, () => this.#check());
      return;
    }
    this.#fired = true;
    this.#abort.abort(new Error(`Nothing was heard for ${this.#allowedMs} ms.`));
  }
}
