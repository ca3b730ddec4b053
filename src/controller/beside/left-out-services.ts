import type { Logger } from '../../ports/logger.ts';
import { ToldOnce } from './told-once.ts';

/** Why Services that the configuration names have no satellite, in the log: once a night, and again when something else is the matter. */
export class LeftOutServices {
  readonly #told = new ToldOnce();

  /** Somebody has to mend it. */
  unfit(logger: Logger, service: string, reason: string): void {
    if (this.#told.isNew(service, reason))
      logger.warn('A service that serviceRedirection names gets no satellite', { service, reason });
  }

  servesOn(logger: Logger, service: string, reason: string): void {
    if (this.#told.isNew(service, reason))
      logger.info('A service that serviceRedirection names keeps its own pods', { service, reason });
  }

  nightIsOver(): void {
    this.#told.forget();
  }
}
