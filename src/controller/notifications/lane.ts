import type { Destination } from '../../domain/notification/destinations.ts';
import type { Message } from '../../domain/notification/message.ts';
import { type Clock, sleep } from '../../ports/clock.ts';
import { type DeliveryChannel, DeliveryFailure, type Shipment } from '../../ports/delivery.ts';
import type { DeliveryEntry } from './delivery-log.ts';
import type { Slots } from './slots.ts';

export interface Job {
  /** Composed when it is sent: in a burst most of what is told gives way unsent. */
  message(): Message;
  /** What gives way first in a full lane has the lowest. */
  readonly rank: number;
  readonly entry: DeliveryEntry;
  /** Called when the destination is through with it. */
  over(): void;
}

interface RetrySettings {
  readonly backoffSeconds: number;
  readonly maxAttempts: number;
  readonly timeoutSeconds: number;
}

export interface LaneOptions {
  readonly clock: Clock;
  readonly channel: DeliveryChannel;
  /** Shared by all destinations of the channel: a mail server is not met by hundreds of connections at once. */
  readonly slots: Slots;
  retry(): RetrySettings;
  ended(job: Job, outcome: 'delivered' | 'failed' | 'dropped'): void;
}

const longestWaitMs = 300_000;

/**
 * The deliveries to one destination, in order, one at a time. A destination that does not answer holds up nobody but
 * itself, and no more than `bufferSize` messages wait for it.
 */
export class Lane {
  /** As the configuration has it now; what is told next goes by it. */
  destination: Destination;
  readonly #options: LaneOptions;
  readonly #stopped = new AbortController();
  #waiting: Job[] = [];
  #running: Promise<void> | undefined;

  constructor(destination: Destination, options: LaneOptions) {
    this.destination = destination;
    this.#options = options;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Takes the job; what no longer fits, the oldest of the lowest rank, is dropped. */
  add(job: Job, bufferSize: number): void {
    this.#waiting.push(job);
    while (this.#waiting.length > bufferSize) this.#dropOne();
    this.#running ??= this.#work();
  }

  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  stop(): void {
    this.#stopped.abort(new Error('the controller is stopping'));
  }

  #dropOne(): void {
    let index = 0;
    for (const [at, { rank }] of this.#waiting.entries()) if (rank < this.#waiting[index]!.rank) index = at;
    const [dropped] = this.#waiting.splice(index, 1);
    if (dropped !== undefined) this.#end(dropped, 'dropped', 'too many notifications were waiting');
  }

  async #work(): Promise<void> {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) await this.#deliver(job);
    this.#running = undefined;
  }

  async #deliver(job: Job): Promise<void> {
    try {
      for (const shipment of this.#options.channel.shipments(this.destination, job.message())) {
        await this.#withRetries(job, shipment);
      }
      this.#end(job, 'delivered');
    } catch (error) {
      this.#end(job, 'failed', error instanceof Error ? error.message : String(error));
    }
  }

  async #withRetries(job: Job, shipment: Shipment): Promise<void> {
    const { clock, slots, retry } = this.#options;
    const { signal } = this.#stopped;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      job.entry.attempts++;
      const failure = await slots.run(() => this.#attempt(shipment));
      if (failure === undefined) return;
      const { maxAttempts, backoffSeconds } = retry();
      const final = failure instanceof DeliveryFailure && failure.permanent;
      if (final || attempt >= maxAttempts) throw failure;
      const asked = failure instanceof DeliveryFailure ? failure.retryAfterMs : undefined;
      await sleep(clock, Math.min(longestWaitMs, asked ?? backoffSeconds * 1000 * 2 ** (attempt - 1)), signal);
    }
  }

  /** Undefined when it was taken. The time-out ends the waiting even where the channel does not hear the signal. */
  async #attempt(shipment: Shipment): Promise<unknown> {
    const { clock, retry } = this.#options;
    const { timeoutSeconds } = retry();
    const attempt = new AbortController();
    const { signal } = this.#stopped;
    const stop = () => attempt.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const cancel = clock.after(timeoutSeconds * 1000, () =>
      attempt.abort(new DeliveryFailure(`no answer within ${timeoutSeconds} s`)),
    );
    const ended = new Promise<never>((_, reject) => {
      attempt.signal.addEventListener('abort', () => reject(attempt.signal.reason), { once: true });
    });
    try {
      await Promise.race([shipment(attempt.signal), ended]);
      return undefined;
    } catch (error) {
      return error ?? new Error('failed');
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
  }

  #end(job: Job, outcome: 'delivered' | 'failed' | 'dropped', error?: string): void {
    job.entry.outcome = outcome === 'delivered' ? 'delivered' : 'failed';
    if (error !== undefined) job.entry.error = error;
    this.#options.ended(job, outcome);
  }
}
