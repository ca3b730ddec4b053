/**
 * Time, as the inside sees it. The real one is in `platform`; the simulation runs on a virtual one, so nothing but an
 * implementation of this interface may ask the machine for the time or set a timer.
 */
export interface Clock {
  /** Wall-clock time in whole milliseconds since the epoch. It can jump in both directions. */
  now(): number;
  /** Milliseconds from an arbitrary start that never go backwards: for rates and durations. */
  monotonic(): number;
  /** Runs the function once, `ms` milliseconds from now; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits for the work, but no longer than that; it goes on by itself. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, sleep(clock, ms, done.signal)]);
  done.abort();
}
