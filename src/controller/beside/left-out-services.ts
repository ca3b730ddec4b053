import type { Logger } from '../../ports/logger.ts';

/** Why Services that the configuration names have no satellite, in the log: once a night, and again when something else is the matter. */
export class LeftOutServices {
  readonly #told = new Map<string, string>();

  /** Somebody has to mend it. */
  unfit(logger: Logger, service: string, reason: string): void {
    if (this.#isNew(service, reason))
      logger.warn('A service that serviceRedirection names gets no satellite', { service, reason });
  }

  servesOn(logger: Logger, service: string, reason: string): void {
    if (this.#isNew(service, reason))
      logger.info('A service that serviceRedirection names keeps its own pods', { service, reason });
  }

  nightIsOver(): void {
    this.#told.clear();
  }

  #isNew(service: string, reason: string): boolean {
    if (this.#told.get(service) === reason) return false;
    this.#told.set(service, reason);
    return true;
  }
}
