const leastApartMs = 2_000;

/** The server's time as far as answers have told it; a demo's clock runs faster than the browser's. */
export class ServerClock {
  readonly #local: () => number;
  #before: Sample | undefined;
  #last: Sample | undefined;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** An answer said that it is `server` there. */
  heard(server: number): void {
    if (!Number.isFinite(server)) return;
    const sample = { server, local: this.#local() };
    // Two answers in quick succession would measure the network more than the clock.
    if (this.#last === undefined || sample.local - this.#last.local >= leastApartMs) this.#before = this.#last;
    this.#last = sample;
  }

  now(): number {
    return this.at(this.#local());
  }

  /** The server's time when it was `local` here. */
  at(local: number): number {
    if (this.#last === undefined) return local;
    return this.#last.server + (local - this.#last.local) * this.rate();
  }

  /** Seconds there for one second here. */
  rate(): number {
    const [before, last] = [this.#before, this.#last];
    if (before === undefined || last === undefined || last.local - before.local < leastApartMs) return 1;
    const rate = (last.server - before.server) / (last.local - before.local);
    return rate > 0 && Math.abs(rate - 1) > 0.1 ? rate : 1;
  }
}

interface Sample {
  readonly server: number;
  readonly local: number;
}
