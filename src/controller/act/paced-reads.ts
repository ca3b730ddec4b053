import { type EpochMs, type Workload, type WorkloadRef, workloadKey } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WorkloadWriter } from '../../ports/cluster.ts';
import type { ActBackoff } from './act-backoff.ts';

/** Undefined for a workload that is gone. */
export type ReadPast = { readonly read: true; readonly workload: Workload | undefined } | { readonly read: false };

const unread: ReadPast = { read: false };

/**
 * Reads past the caches. One that fails holds up nobody else: it is asked for again at its own pace, and the pass that wanted
 * it is told when, because no watch will say so.
 */
export class PacedReads {
  readonly #writer: WorkloadWriter;
  readonly #clock: Clock;
  readonly #backoff: ActBackoff;
  #dueAt: EpochMs | undefined;

  constructor(ports: { readonly writer: WorkloadWriter; readonly clock: Clock }, backoff: ActBackoff) {
    this.#writer = ports.writer;
    this.#clock = ports.clock;
    this.#backoff = backoff;
  }

  passBegins(): void {
    this.#dueAt = undefined;
  }

  /** When the first of what this pass could not read may be asked for again. */
  get dueAt(): EpochMs | undefined {
    return this.#dueAt;
  }

  async read(ref: WorkloadRef): Promise<ReadPast> {
    const key = `read ${workloadKey(ref)}`;
    if (this.#backoff.waitMs(key) > 0) return this.#putOff(key);
    try {
      const workload = await this.#writer.read(ref);
      this.#backoff.ended(key);
      return { read: true, workload };
    } catch (error) {
      this.#backoff.failed(key, { kind: 'failed', message: String(error) });
      return this.#putOff(key);
    }
  }

  #putOff(key: string): ReadPast {
    const at = this.#clock.now() + this.#backoff.waitMs(key);
    this.#dueAt = Math.min(this.#dueAt ?? at, at);
    return unread;
  }
}
