import { useEffect, useReducer } from 'react';
import { type Freshness, freshForMs, freshnessOf } from './polling.ts';

/** How much an answer that came at `answeredAt` is still worth; looks again by itself when that changes. */
export function useFreshness(answeredAt: number): Freshness {
  const [looked, lookAgain] = useReducer((count: number) => count + 1, 0);
  const fresh = answeredAt === 0 ? 'fresh' : freshnessOf(Date.now() - answeredAt, isHidden());
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look sets the next one up
  useEffect(() => {
    if (answeredAt !== 0 && freshnessOf(Date.now() - answeredAt, isHidden()) !== fresh) lookAgain();
    const left = answeredAt === 0 ? undefined : freshForMs(Date.now() - answeredAt, isHidden());
    const timer = left === undefined ? undefined : setTimeout(lookAgain, left);
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [answeredAt, looked, fresh]);
  return fresh;
}

function isHidden(): boolean {
  return typeof document !== 'undefined' && document.hidden;
}
