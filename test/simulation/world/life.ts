import type { Clock } from '../../../src/ports/clock.ts';

/**
 * One life of a process, as the machine sees it. Paused, as under SIGSTOP: time goes on and what it has sent arrives, but no
 * timer fires and no answer is read until it is continued. Dead: nothing of it ever runs again.
 */
export class Life {
  readonly clock: Clock;
  /** Closes its connections. */
  readonly ended = new AbortController();
  #state: 'runs' | 'paused' | 'dead' = 'runs';
  #held: (() => void)[] = [];

  constructor(clock: Clock) {
    this.clock = this.over(clock);
  }

  get alive(): boolean {
    return this.#state !== 'dead';
  }

  get paused(): boolean {
    return this.#state === 'paused';
  }

  /** The clock as this process has it. */
  over(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, run) => {
        let cancelled = false;
        const due = () => {
          if (!cancelled) run();
        };
        const cancel = clock.after(ms, () => this.#whenRunning(due));
        return () => {
          cancelled = true;
          cancel();
        };
      },
    };
  }

  /** Resolves when the process runs: at once, when it is continued, or never. */
  async running(): Promise<void> {
    while (this.#state !== 'runs') {
      if (this.#state === 'dead') await never();
      await new Promise<void>((resolve) => this.#held.push(resolve));
    }
  }

  pause(): void {
    if (this.#state === 'runs') this.#state = 'paused';
  }

  continue(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'runs';
    for (const run of this.#held.splice(0)) this.#whenRunning(run);
  }

  end(): void {
    this.#state = 'dead';
    this.#held = [];
    this.ended.abort(Object.assign(new Error('the process ended'), { code: 'ECONNRESET' }));
  }

  #whenRunning(run: () => void): void {
    if (this.#state === 'runs') run();
    else if (this.#state === 'paused') this.#held.push(run);
  }
}

/** One for each who waits: one for all would hold every world that was ever played. */
function never(): Promise<never> {
  return new Promise(() => {});
}
