import { DeadlineHeap } from '../../../embedded-cluster/controllers/machinery/deadline-heap.ts';
import type { Clock } from '../../../src/ports/clock.ts';

/**
 * Runs work by key, several keys at a time and never one key twice at once: a key that is asked for while it runs is
 * run again afterwards. A key can also come back at an instant.
 */
export class KeyedWork {
  readonly #clock: Clock;
  readonly #run: (key: string) => Promise<void>;
  readonly #atOnce: number;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #deadlines = new DeadlineHeap();
  #alarm: { at: number; cancel: () => void } | undefined;

  constructor(clock: Clock, atOnce: number, run: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#atOnce = atOnce;
    this.#run = run;
  }

  ask(key: string): void {
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#startWaiting();
  }

  /** Replaces the instant at which the key runs by itself; undefined takes it away. */
  askAt(key: string, at: number | undefined): void {
    this.#deadlines.set(key, at);
    this.#setAlarm();
  }

  #startWaiting(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#atOnce) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#run(key).finally(() => this.#finished(key));
    }
  }

  #finished(key: string): void {
    this.#running.delete(key);
    if (this.#again.delete(key)) this.#waiting.add(key);
    this.#startWaiting();
  }

  #setAlarm(): void {
    const at = this.#deadlines.earliest();
    if (this.#alarm?.at === at) return;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    if (at === undefined) return;
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#ring());
    this.#alarm = { at, cancel };
  }

  #ring(): void {
    this.#alarm = undefined;
    for (const key of this.#deadlines.takeUntil(this.#clock.now())) this.ask(key);
    this.#setAlarm();
  }
}
