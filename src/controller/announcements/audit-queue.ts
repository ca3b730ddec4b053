import type { AuditEntry } from '../../domain/audit/entry.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AuditLog } from '../../ports/sinks.ts';

export interface AuditQueueOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: AuditLog;
}

interface Queued {
  readonly entry: AuditEntry;
  /** Called once it is durable. */
  readonly written: () => void;
}

/** What the audit log did not take is tried again this often. */
const retryMs = 30_000;
/** So many failures in one round speak of the log and not of the entries. */
const failuresARound = 3;

/**
 * Entries on their way to the audit log, one at a time and in order. One that is refused goes to the end, so that it keeps
 * no other waiting, and none is ever given up.
 */
export class AuditQueue {
  readonly #options: AuditQueueOptions;
  #waiting: Queued[] = [];
  #working = false;
  #cancelRetry: (() => void) | undefined;

  constructor(options: AuditQueueOptions) {
    this.#options = options;
  }

  /** True while one is being written; what waits for its next try is not. */
  get busy(): boolean {
    return this.#working;
  }

  add(entry: AuditEntry, written: () => void): void {
    // In front of what was refused before.
    if (this.#cancelRetry === undefined) this.#waiting.push({ entry, written });
    else this.#waiting.unshift({ entry, written });
    if (!this.#working) void this.#round();
  }

  stop(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#waiting = [];
  }

  async #round(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#working = true;
    const { audit, clock } = this.#options;
    const failed: Queued[] = [];
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await audit.append(next.entry);
        next.written();
      } catch (error) {
        failed.push(next);
        this.#warn(next.entry, error);
        if (failed.length >= failuresARound) break;
      }
    }
    this.#waiting.push(...failed);
    this.#working = false;
    if (this.#waiting.length > 0) this.#cancelRetry = clock.after(retryMs, () => void this.#round());
  }

  #warn({ title }: AuditEntry, error: unknown): void {
    this.#options.logger.warn('An audit entry could not be written and will be tried again', {
      title,
      error: String(error),
    });
  }
}
