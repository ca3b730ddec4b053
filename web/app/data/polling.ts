/** Every screen that shows a state asks again after this long, and so clears itself. */
export const pollMs = 30_000;

/** `late`: a newer answer should be here by now. `lost`: too old to be shown as what is. */
export type Freshness = 'fresh' | 'late' | 'lost';

const lateAfterMs = pollMs + 5_000;
const lostAfterMs = 60_000;
/** Browsers slow the timers of a hidden tab down to one a minute; nobody reads more of it than its title. */
const lostWhileHiddenMs = 180_000;

export function freshnessOf(ageMs: number, hidden: boolean): Freshness {
  if (ageMs >= lostAfter(hidden)) return 'lost';
  return ageMs >= lateAfterMs ? 'late' : 'fresh';
}

/** How long until that changes, if no answer comes; undefined when it no longer does. */
export function freshForMs(ageMs: number, hidden: boolean): number | undefined {
  const next = [lateAfterMs, lostAfter(hidden)].find((limit) => limit > ageMs);
  return next === undefined ? undefined : next - ageMs;
}

interface Heard {
  readonly dataUpdatedAt: number;
  readonly freshness: Freshness;
  readonly error: Error | null;
}

/** Of the answers that a page shows the oldest that should be newer by now; what is not shown has no age. */
export function oldestLate<T extends Heard>(reads: readonly T[]): T | undefined {
  return reads
    .filter(({ dataUpdatedAt, freshness, error }) => dataUpdatedAt !== 0 && freshness !== 'fresh' && error === null)
    .toSorted((one, other) => one.dataUpdatedAt - other.dataUpdatedAt)[0];
}

function lostAfter(hidden: boolean): number {
  return hidden ? lostWhileHiddenMs : lostAfterMs;
}

/** Stands in the place of an answer that is no longer shown. */
export class AnswerTooOld extends Error {
  override readonly name = 'AnswerTooOld';

  constructor() {
    super('The last answer is more than a minute old. What it said may no longer be so, and is not shown.');
  }
}
