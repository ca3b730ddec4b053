/**
 * Runs the work on every item, at most `limit` at a time, starting them in order. Once the signal aborts nothing more is
 * started; work that has started is awaited, so that the outcome of every write is known.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length && !signal.aborted) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
}
