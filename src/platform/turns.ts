/** Lets so many be under way at one time; the others begin in the order in which they came. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /** The function that comes back ends the turn, or takes it out of the queue; however often it is called. */
  begin(run: () => void): () => void {
    let over = false;
    const start = () => {
      this.#free--;
      run();
    };
    if (this.#free > 0) start();
    else this.#waiting.add(start);
    return () => {
      if (over) return;
      over = true;
      if (!this.#waiting.delete(start)) this.#next();
    };
  }

  #next(): void {
    this.#free++;
    const [start] = this.#waiting;
    if (start === undefined) return;
    this.#waiting.delete(start);
    start();
  }
}
