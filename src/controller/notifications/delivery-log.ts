import type { Clock } from '../../ports/clock.ts';
import type { FrameSink } from '../../ports/sinks.ts';

/** One delivery to one destination, as people are shown it. */
export interface DeliveryEntry {
  readonly id: string;
  readonly at: string;
  readonly channel: string;
  readonly destination: string;
  readonly title: string;
  outcome: 'delivered' | 'failed' | 'suppressed' | 'waiting';
  attempts: number;
  error?: string;
}

const kept = 200;
const frameEveryMs = 1_000;

/** The last deliveries. The api gets the whole list, so that a lost frame loses nothing. */
export class DeliveryLog {
  readonly #clock: Clock;
  readonly #frames: FrameSink;
  #entries: DeliveryEntry[] = [];
  #count = 0;
  #last: { readonly ms: number; readonly text: string } | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, frames: FrameSink) {
    this.#clock = clock;
    this.#frames = frames;
  }

  open(about: Pick<DeliveryEntry, 'channel' | 'destination' | 'title' | 'outcome'>): DeliveryEntry {
    const at = this.#instant();
    const entry: DeliveryEntry = { id: `${at}-${++this.#count}`, at, ...about, attempts: 0 };
    this.#entries.push(entry);
    if (this.#entries.length > 2 * kept) this.#entries = this.#entries.slice(-kept);
    this.changed();
    return entry;
  }

  /** In a burst hundreds of entries have the same instant. */
  #instant(): string {
    const ms = this.#clock.now();
    if (this.#last?.ms !== ms) this.#last = { ms, text: new Date(ms).toISOString() };
    return this.#last.text;
  }

  /** Newest first. */
  entries(): readonly DeliveryEntry[] {
    return this.#entries.slice(-kept).toReversed();
  }

  changed(): void {
    this.#cancel ??= this.#clock.after(frameEveryMs, () => {
      this.#cancel = undefined;
      this.#frames.send({ kind: 'deliveries', payload: { items: this.entries() } });
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
