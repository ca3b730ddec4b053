// Written apart from the service's own calendar: what a wall clock shows is asked of Intl, a quarter of an hour at a time.

const minute = 60_000;
const quarter = 15 * minute;

/** A minute on the wall clock, as one text that sorts: `2026-03-29T02:30`. */
export type Reading = string;

interface Instants {
  /** The first instant that shows the reading; for one that the clock skipped, the first after it. */
  readonly first: number;
  /** The last instant that shows it; for one that the clock skipped, the first after it. */
  readonly last: number;
}

/** The wall clock of one zone. Every zone changes its clocks at a quarter of an hour, so between quarters it only ticks. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  /** What the clock shows at the beginning of each quarter, as if it were UTC. */
  readonly #shown = new Map<number, number>();
  readonly #instants = new Map<Reading, Instants>();

  private constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  }

  static readonly #known = new Map<string, WallClock>();

  static of(zone: string): WallClock {
    let known = WallClock.#known.get(zone);
    if (known === undefined) {
      known = new WallClock(zone);
      WallClock.#known.set(zone, known);
    }
    return known;
  }

  reading(at: number): Reading {
    return textOf(this.#shownAt(at));
  }

  instantsOf(reading: Reading): Instants {
    let known = this.#instants.get(reading);
    if (known === undefined) {
      known = this.#search(reading);
      this.#instants.set(reading, known);
    }
    return known;
  }

  /** Minute by minute through the time in which any zone can show it. */
  #search(reading: Reading): Instants {
    const near = Date.parse(`${reading}Z`);
    const shows: number[] = [];
    let after: number | undefined;
    for (let at = near - 15 * 60 * minute; at <= near + 15 * 60 * minute; at += minute) {
      const shown = this.#shownAt(at);
      if (shown === near) shows.push(at);
      if (shown > near) after ??= at;
    }
    const skipped = after ?? near;
    return { first: shows[0] ?? skipped, last: shows.at(-1) ?? skipped };
  }

  #shownAt(at: number): number {
    const start = Math.floor(at / quarter) * quarter;
    let shown = this.#shown.get(start);
    if (shown === undefined) {
      shown = Date.parse(`${this.#format.format(start).replace(' ', 'T')}Z`);
      this.#shown.set(start, shown);
    }
    return shown + Math.floor((at - start) / minute) * minute;
  }
}

function textOf(shown: number): Reading {
  return new Date(shown).toISOString().slice(0, 16);
}
