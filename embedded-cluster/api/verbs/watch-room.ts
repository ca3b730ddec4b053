import type { Clock } from '../../ports/clock.ts';

const DEFAULT_BOOKMARK_INTERVAL_MS = 60_000;

/** The open watches that want bookmarks. One timer serves them all, and none runs while there are none. */
export class WatchRoom {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #bookmarks = new Set<() => void>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, intervalMs: number = DEFAULT_BOOKMARK_INTERVAL_MS) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** Runs the function when a watch that began now has stood for that long. */
  after(ms: number, run: () => void): () => void {
    return this.#clock.after(ms, run);
  }

  /** Calls `sendBookmark` at every interval until the returned function is called. */
  join(sendBookmark: () => void): () => void {
    this.#bookmarks.add(sendBookmark);
    this.#cancel ??= this.#clock.after(this.#intervalMs, () => this.#tick());
    return () => this.#leave(sendBookmark);
  }

  /** Sends every waiting watch a bookmark now. */
  bookmarkAll(): void {
    for (const send of [...this.#bookmarks]) send();
  }

  #tick(): void {
    this.bookmarkAll();
    this.#cancel = this.#bookmarks.size === 0 ? undefined : this.#clock.after(this.#intervalMs, () => this.#tick());
  }

  #leave(sendBookmark: () => void): void {
    this.#bookmarks.delete(sendBookmark);
    if (this.#bookmarks.size > 0) return;
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
