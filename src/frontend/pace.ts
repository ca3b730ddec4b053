import type { Clock } from '../ports/clock.ts';

/** Lets things begin one after the other, no faster than one every so often; who comes alone begins at once. */
export class Pace {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #waiting = new Set<() => void>();
  #resting = false;

  constructor(clock: Clock, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** The function that comes back takes it out of the queue, if it is still in it. */
  begin(run: () => void): () => void {
    this.#waiting.add(run);
    if (!this.#resting) this.#next();
    return () => void this.#waiting.delete(run);
  }

  #next(): void {
    const [run] = this.#waiting;
    this.#resting = run !== undefined;
    if (run === undefined) return;
    this.#waiting.delete(run);
    this.#clock.after(this.#everyMs, () => this.#next());
    run();
  }
}
