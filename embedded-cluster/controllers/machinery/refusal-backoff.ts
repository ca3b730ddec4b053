const firstRetryMs = 1_000;
const longestRetryMs = 1_000_000;

interface Refused {
  readonly times: number;
  readonly retryAt: number;
}

/** When to try again what the apiserver refused: later each time, up to about a quarter of an hour. */
export class RefusalBackoff {
  readonly #refused = new Map<string, Refused>();

  /** Until when the key must not try again; undefined when it may. Other news of the key are no reason to try. */
  waitsUntil(key: string, now: number): number | undefined {
    const refused = this.#refused.get(key);
    return refused !== undefined && refused.retryAt > now ? refused.retryAt : undefined;
  }

  retryAt(key: string, now: number): number {
    const times = this.#refused.get(key)?.times ?? 0;
    const retryAt = now + Math.min(firstRetryMs * 2 ** times, longestRetryMs);
    this.#refused.set(key, { times: times + 1, retryAt });
    return retryAt;
  }

  forget(key: string): void {
    this.#refused.delete(key);
  }
}
