/** The server's time as far as answers have told it; a demo's clock runs faster than the browser's. */
export class ServerClock {
  readonly #local: () => number;
  #first: Sample | undefined;
  #last: Sample | undefined;

  constructor(local: () => number = Date.now) {
    this.#local = local;
  }

  /** An answer said that it is `server` there. */
  heard(server: number): void {
    if (!Number.isFinite(server)) return;
    const sample = { server, local: this.#local() };
    this.#last = sample;
    this.#first ??= sample;
  }

  now(): number {
    const local = this.#local();
    if (this.#last === undefined) return local;
    return this.#last.server + (local - this.#last.local) * this.rate();
  }

  /** Seconds there for one second here. */
  rate(): number {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined || last.local - first.local < 2000) return 1;
    const rate = (last.server - first.server) / (last.local - first.local);
    return rate > 0 && Math.abs(rate - 1) > 0.1 ? rate : 1;
  }
}

interface Sample {
  readonly server: number;
  readonly local: number;
}
