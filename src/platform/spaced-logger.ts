import type { Clock } from '../ports/clock.ts';
import type { LogFields, Logger } from '../ports/logger.ts';

const spaceMs = 60_000;
const remembered = 500;

/**
 * Passes follow each other by the second while something is refused, and each would say so: a warning or an error that says
 * what the same line said less than a minute ago is left out.
 */
export function spacedLogger(logger: Logger, clock: Clock): Logger {
  return new SpacedLogger(logger, clock, '', new Map());
}

class SpacedLogger implements Logger {
  readonly #inner: Logger;
  readonly #clock: Clock;
  readonly #who: string;
  readonly #saidAt: Map<string, number>;

  constructor(inner: Logger, clock: Clock, who: string, saidAt: Map<string, number>) {
    this.#inner = inner;
    this.#clock = clock;
    this.#who = who;
    this.#saidAt = saidAt;
  }

  debug(message: string, fields?: LogFields): void {
    this.#inner.debug(message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#inner.info(message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    if (this.#isNew(message, fields)) this.#inner.warn(message, fields);
  }

  error(message: string, fields?: LogFields): void {
    if (this.#isNew(message, fields)) this.#inner.error(message, fields);
  }

  child(fields: LogFields): Logger {
    const who = `${this.#who}${JSON.stringify(fields)}`;
    return new SpacedLogger(this.#inner.child(fields), this.#clock, who, this.#saidAt);
  }

  #isNew(message: string, fields: LogFields | undefined): boolean {
    const line = `${this.#who} ${message} ${JSON.stringify(fields)}`;
    const now = this.#clock.monotonic();
    if (now - (this.#saidAt.get(line) ?? Number.NEGATIVE_INFINITY) < spaceMs) return false;
    if (this.#saidAt.size >= remembered) this.#forget(now);
    this.#saidAt.set(line, now);
    return true;
  }

  #forget(now: number): void {
    for (const [line, at] of this.#saidAt) if (now - at >= spaceMs) this.#saidAt.delete(line);
    // So many different lines within a minute are no repetition.
    if (this.#saidAt.size >= remembered) this.#saidAt.clear();
  }
}
