import type { PastClock } from './past-clock.ts';

const stepMs = 50;

/** Waits for a promise, letting virtual time pass while nothing else moves. */
export async function settle<T>(clock: PastClock, promise: Promise<T>): Promise<T> {
  let done = false;
  const mark = () => {
    done = true;
  };
  promise.then(mark, mark);
  for (let turn = 1; !done; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!done && turn % 20 === 0) await clock.advance(stepMs);
  }
  return promise;
}
