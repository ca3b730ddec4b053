import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

const everyMs = 60_000;

/** Says in the log, once a minute at most, how many asked for the sleeping service. */
export class CallerCount {
  readonly #clock: Clock;
  readonly #logger: Logger;
  #people = 0;
  #programs = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  add(caller: 'person' | 'program'): void {
    if (caller === 'person') this.#people += 1;
    else this.#programs += 1;
    this.#cancel ??= this.#clock.after(everyMs, () => this.#say());
  }

  stop(): void {
    this.#cancel?.();
  }

  #say(): void {
    this.#logger.info('The sleeping service was asked for', { people: this.#people, programs: this.#programs });
    this.#people = 0;
    this.#programs = 0;
    this.#cancel = undefined;
  }
}
