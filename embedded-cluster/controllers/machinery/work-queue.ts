import type { Clock } from '../../ports/clock.ts';
import { DeadlineHeap } from './deadline-heap.ts';

/** How a controller asks for its own work. */
export interface Work {
  /** Reconcile the key soon; asking twice before it runs is asking once. */
  enqueue(key: string): void;
  /** Reconcile the key at that instant; replaces the key's earlier deadline, `undefined` takes it away. */
  deadline(key: string, at: number | undefined): void;
}

interface Item {
  readonly owner: number;
  readonly key: string;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Between a change and the controllers' answer to it: what a watch and a queue cost on a real cluster. */
  readonly reactionMs: number;
  /** A reconcile that threw; it is tried again after a growing delay. */
  readonly onError: (error: unknown, controller: string, key: string) => void;
}

const itemsPerTurn = 2_000;
/** A timer of the machine cannot be set further ahead; a yearly deadline takes several. */
const longestTimerMs = 2_147_483_647;
const firstRetryMs = 1_000;
const longestRetryMs = 1_000_000;

/**
 * One queue for all controllers: deduplicated, first in first out, driven by store events and deadlines only. One
 * timer of the clock is set at most, and none when nothing is queued and no deadline is open.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #controllers: { readonly name: string; readonly reconcile: (key: string) => void }[] = [];
  readonly #queued: Set<string>[] = [];
  readonly #failures = new Map<string, number>();
  readonly #deadlines = new DeadlineHeap();
  #fifo: Item[] = [];
  #draining = false;
  #stopped = true;
  #timerDue = Number.POSITIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  register(name: string, reconcile: (key: string) => void): Work {
    const owner = this.#controllers.push({ name, reconcile }) - 1;
    this.#queued.push(new Set());
    return {
      enqueue: (key) => this.#enqueue(owner, key),
      deadline: (key, at) => this.#setDeadline(owner, key, at),
    };
  }

  start(): void {
    this.#stopped = false;
    this.#arm();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerDue = Number.POSITIVE_INFINITY;
  }

  /** True when nothing is waiting to be reconciled; deadlines may be open. */
  get idle(): boolean {
    return this.#fifo.length === 0;
  }

  #enqueue(owner: number, key: string): void {
    const queued = this.#queued[owner]!;
    if (queued.has(key)) return;
    queued.add(key);
    this.#fifo.push({ owner, key });
    if (!this.#draining) this.#arm();
  }

  #setDeadline(owner: number, key: string, at: number | undefined): void {
    this.#deadlines.set(`${owner}:${key}`, at);
    if (!this.#draining) this.#arm();
  }

  #arm(): void {
    if (this.#stopped) return;
    const now = this.#options.clock.now();
    const next = this.#deadlines.earliest();
    const reaction = this.#fifo.length > 0 ? now + this.#options.reactionMs : Number.POSITIVE_INFINITY;
    const due = Math.min(reaction, next === undefined ? Number.POSITIVE_INFINITY : Math.max(next, now));
    if (this.#cancelTimer !== undefined && this.#timerDue <= due) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerDue = due;
    if (due === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#options.clock.after(Math.min(due - now, longestTimerMs), () => this.#turn());
  }

  #turn(): void {
    this.#cancelTimer = undefined;
    this.#timerDue = Number.POSITIVE_INFINITY;
    this.#draining = true;
    try {
      this.#takeDue();
      this.#drain();
    } finally {
      this.#draining = false;
      this.#arm();
    }
  }

  #takeDue(): void {
    for (const due of this.#deadlines.takeUntil(this.#options.clock.now())) {
      const colon = due.indexOf(':');
      this.#enqueue(Number(due.slice(0, colon)), due.slice(colon + 1));
    }
  }

  /** Works off what is queued and what that causes; a very long chain is cut so that others get their turn. */
  #drain(): void {
    let done = 0;
    try {
      while (done < this.#fifo.length && done < itemsPerTurn) {
        const item = this.#fifo[done++]!;
        this.#queued[item.owner]!.delete(item.key);
        this.#run(item);
      }
    } finally {
      this.#fifo = done === this.#fifo.length ? [] : this.#fifo.slice(done);
    }
  }

  #run({ owner, key }: Item): void {
    const controller = this.#controllers[owner]!;
    const id = `${owner}:${key}`;
    try {
      controller.reconcile(key);
      if (this.#failures.size > 0) this.#failures.delete(id);
    } catch (error) {
      const failures = this.#failures.get(id) ?? 0;
      this.#failures.set(id, failures + 1);
      this.#deadlines.set(id, this.#options.clock.now() + Math.min(firstRetryMs * 2 ** failures, longestRetryMs));
      this.#options.onError(error, controller.name, key);
    }
  }
}
