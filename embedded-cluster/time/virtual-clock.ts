import type { Clock } from '../ports/clock.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/**
 * A clock that stands still until it is advanced. Timers fire in the order of their due times (then in the order they
 * were set), and between two timers every promise that can settle does, so a run depends on nothing but its inputs.
 */
export class VirtualClock implements Clock {
  #elapsed = 0;
  #wallOffset: number;
  #order = 0;
  #heap: Timer[] = [];

  constructor(startAt: number) {
    this.#wallOffset = startAt;
  }

  now(): number {
    return this.#wallOffset + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { due: this.#elapsed + Math.max(0, ms), order: this.#order++, run, cancelled: false };
    this.#push(timer);
    return () => {
      timer.cancelled = true;
    };
  }

  /** Moves the wall clock without letting time pass: an operator, or NTP, setting the machine's clock. */
  jumpWallClock(ms: number): void {
    this.#wallOffset += ms;
  }

  /** Lets `ms` milliseconds pass, firing what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await settle();
    for (let timer = this.#peek(); timer !== undefined && timer.due <= until; timer = this.#peek()) {
      this.#fire(timer);
      await settle();
    }
    this.#elapsed = until;
  }

  /** Fires the next timer, however far away it is; false when there is none. */
  async step(): Promise<boolean> {
    await settle();
    const timer = this.#peek();
    if (timer === undefined) return false;
    this.#fire(timer);
    await settle();
    return true;
  }

  /** Advances until the condition holds; throws when `limitMs` have passed without it. */
  async advanceUntil(condition: () => boolean, limitMs: number): Promise<void> {
    const until = this.#elapsed + limitMs;
    await settle();
    while (!condition()) {
      const timer = this.#peek();
      if (timer === undefined || timer.due > until) {
        throw new Error(`The condition did not come to hold within ${limitMs} virtual milliseconds.`);
      }
      this.#fire(timer);
      await settle();
    }
  }

  #fire(timer: Timer): void {
    this.#pop();
    this.#elapsed = Math.max(this.#elapsed, timer.due);
    timer.run();
  }

  /** The next live timer; cancelled ones are dropped on the way. */
  #peek(): Timer | undefined {
    while (this.#heap[0]?.cancelled) this.#pop();
    return this.#heap[0];
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    heap.push(timer);
    let child = heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBefore(heap[child]!, heap[parent]!)) break;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      child = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    let parent = 0;
    for (;;) {
      const left = 2 * parent + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
      if (!isBefore(heap[child]!, heap[parent]!)) return;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      parent = child;
    }
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}

/** One turn of the event loop runs every microtask that is ready, however long the chain of promises. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
