import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { askJson } from './ask-json.ts';
import { type ClusterStatus, readStatus, unknownStatus } from './cluster-status.ts';

export interface StatusSourceOptions {
  /** Where the frontend of the service is reached inside the cluster; without it, the status is never known. */
  readonly statusUrl?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ask?: typeof askJson;
  /** Hears of every status that differs from the one before. */
  onChange(status: ClusterStatus): void;
}

const followMs = 2_000;
const idleMs = 60_000;
const timeoutMs = 4_000;

/**
 * Asks the API for the public status: often while somebody waits, once a minute otherwise. Callers never wait for it;
 * they get what was known last.
 */
export class StatusSource {
  readonly #options: StatusSourceOptions;
  #last = JSON.stringify(unknownStatus);
  #failed = false;
  #wantedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking = false;
  /** Whether the next question comes soon. */
  #followed = false;
  #stopped = false;
  #cancel: () => void = () => {};

  constructor(options: StatusSourceOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#options.statusUrl !== undefined) void this.#ask();
  }

  /** Somebody asks for the service: from now on the status is followed closely. */
  wanted(): void {
    this.#wantedAt = this.#options.clock.monotonic();
    if (this.#followed || this.#asking || this.#options.statusUrl === undefined) return;
    this.#wait(Math.max(0, this.#askedAt + followMs - this.#wantedAt));
    this.#followed = true;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #ask(): Promise<void> {
    const { clock, logger, statusUrl, ask = askJson } = this.#options;
    this.#asking = true;
    this.#askedAt = clock.monotonic();
    let status = unknownStatus;
    const aborter = new AbortController();
    const cancelTimeout = clock.after(timeoutMs, () => aborter.abort());
    try {
      status = readStatus(await ask(`${statusUrl}/api/v1/public/hibernation-status`, aborter.signal));
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) logger.warn('The status of the cluster cannot be asked for', { error: String(error) });
      this.#failed = true;
    } finally {
      cancelTimeout();
      this.#asking = false;
    }
    if (this.#stopped) return;
    this.#tell(status);
    this.#followed = clock.monotonic() - this.#wantedAt < idleMs;
    this.#wait(this.#followed ? followMs : idleMs);
  }

  #wait(ms: number): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(ms, () => void this.#ask());
  }

  #tell(status: ClusterStatus): void {
    const text = JSON.stringify(status);
    if (text === this.#last) return;
    this.#last = text;
    this.#options.onChange(status);
  }
}
