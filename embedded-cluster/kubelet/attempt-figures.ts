import type { Behaviour } from './behaviour.ts';

/** How long the start-up probe of an attempt takes to succeed. */
export function startupSeconds(behaviour: Behaviour, attempt: number): number {
  return forAttempt(behaviour.startupProbeSeconds, attempt) ?? forAttempt(behaviour.startSeconds, attempt) ?? 0;
}

/** The figure of an attempt; the last one holds for all later attempts. */
export function forAttempt(figures: readonly number[] | undefined, attempt: number): number | undefined {
  return figures?.[Math.min(attempt, figures.length - 1)];
}
