import { type Episode, type Failure, failedAgain, lasts } from '../../domain/backoff/backoff.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';

/** One line a minute for each write that keeps failing. */
const logEveryMs = 60_000;

/** A write whose answer nobody waits for has one by then, as a rule: the client gives up after 30 seconds. */
const answeredWithinMs = 30_000;
/** One that has none even then is looked at this often. */
const lookAgainMs = 5_000;

/** Longer than any pace at which something is tried again. */
const forgottenMs = 3_600_000;

interface Tracked {
  readonly episode: Episode;
  readonly loggedAt: number;
}

/**
 * What has been failing, as far as this process saw it: which writes are put off, and until when. A restart forgets it,
 * which costs one early try each.
 */
export class ActBackoff {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #tracked = new Map<string, Tracked>();
  /** Writes whose answer nobody waits for any more, and when it should have come. */
  readonly #left = new Map<string, number>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** How long until the write may be tried again; 0 when it may now. */
  waitMs(write: string): number {
    const answerAt = this.#left.get(write);
    if (answerAt !== undefined) return Math.max(lookAgainMs, answerAt - this.#clock.monotonic());
    const tracked = this.#tracked.get(write);
    return tracked === undefined ? 0 : Math.max(0, tracked.episode.dueAt - this.#clock.monotonic());
  }

  /** The pass goes on without its answer; until that has come, it is not sent again. */
  left(write: string): void {
    this.#left.set(write, this.#clock.monotonic() + answeredWithinMs);
  }

  /** What was left has come to its end. */
  answered(write: string): void {
    this.#left.delete(write);
  }

  failed(write: string, failure: Failure): void {
    this.#left.delete(write);
    const now = this.#clock.monotonic();
    const known = this.#tracked.get(write);
    const episode = failedAgain(known?.episode, failure, now);
    const logs = lasts(episode, now) && now - (known?.loggedAt ?? Number.NEGATIVE_INFINITY) >= logEveryMs;
    if (logs) {
      const { message } = failure;
      const seconds = Math.round((now - episode.since) / 1000);
      this.#logger.warn('A write keeps failing and is tried again', { write, message, tries: episode.tries, seconds });
    }
    this.#tracked.set(write, { episode, loggedAt: logs ? now : (known?.loggedAt ?? Number.NEGATIVE_INFINITY) });
  }

  /** It was done, or is no longer wanted: what fails after that begins anew. */
  ended(write: string): void {
    this.#left.delete(write);
    this.#tracked.delete(write);
  }

  /** Of the writes that begin so, all but those were done or are no longer wanted. */
  endedBut(beginning: string, left: readonly string[]): void {
    for (const write of this.#tracked.keys()) {
      if (write.startsWith(beginning) && !left.includes(write)) this.ended(write);
    }
  }

  /** What nobody has tried again for so long is no longer wanted: its next failure begins anew. */
  endedLongAgo(): void {
    const now = this.#clock.monotonic();
    for (const [write, { episode }] of this.#tracked) {
      if (now - episode.dueAt > forgottenMs && !this.#left.has(write)) this.#tracked.delete(write);
    }
  }

  /** The latest error of a write that has been failing for long; undefined for any other. */
  lasting(write: string): string | undefined {
    const episode = this.#tracked.get(write)?.episode;
    return episode !== undefined && lasts(episode, this.#clock.monotonic()) ? episode.last.message : undefined;
  }
}
