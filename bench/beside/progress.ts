export type Way = 'down' | 'up';

/** What each Deployment is asked for, by namespace and name. */
export type Counts = ReadonlyMap<string, number>;

/** What one way took, as a watch saw it. */
export interface Passed {
  /** From the first change to the last. */
  readonly changesMs: number;
  /** From when it was asked for to the last change. */
  readonly askedMs: number;
  /** Deployments that never got there. */
  readonly missing: number;
}

/** A way of many Deployments, change by change. Times are of one clock that only goes on. */
export class Progress {
  readonly #goal: Counts;
  readonly #now: Map<string, number>;
  #there: number;
  #first: number | undefined;
  #last: number | undefined;

  constructor(now: Counts, goal: Counts) {
    this.#now = new Map(now);
    this.#goal = goal;
    this.#there = [...goal].filter(([key, count]) => now.get(key) === count).length;
  }

  /** Only another count is a change: what else happens to a Deployment takes nobody anywhere. */
  see(key: string, count: number, at: number): void {
    const goal = this.#goal.get(key);
    const before = this.#now.get(key);
    if (goal === undefined || before === count) return;
    this.#now.set(key, count);
    this.#there += Number(count === goal) - Number(before === goal);
    this.#first ??= at;
    this.#last = at;
  }

  get done(): boolean {
    return this.#there === this.#goal.size;
  }

  get percent(): number {
    return (this.#there / this.#goal.size) * 100;
  }

  get lastChangeAt(): number | undefined {
    return this.#last;
  }

  passed(askedAt: number): Passed {
    const last = this.#last ?? askedAt;
    return {
      changesMs: last - (this.#first ?? last),
      askedMs: Math.max(0, last - askedAt),
      missing: this.#goal.size - this.#there,
    };
  }
}

/** Those that are not what they were, or not there any more. */
export function lostCounts(were: Counts, now: Counts): readonly string[] {
  return [...were].filter(([key, count]) => now.get(key) !== count).map(([key]) => key);
}
