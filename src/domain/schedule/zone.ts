import type { EpochMs } from '../workload.ts';
import type { DayNumber } from './civil-date.ts';

/** A change of the zone's offset. */
export interface ClockChange {
  /** The first instant of the new offset. */
  readonly at: EpochMs;
  readonly offsetBeforeMs: number;
  readonly offsetAfterMs: number;
}

/** What the wall clock reads at an instant. */
export interface WallTime {
  readonly day: DayNumber;
  /** Milliseconds after midnight as the clock shows it. */
  readonly msOfDay: number;
}

const msPerDay = 86_400_000;
const margin = 3 * msPerDay;
const chunk = 731 * msPerDay;

/** Why the text is no timezone, or undefined when it is one. */
export function timezoneProblem(text: string): string | undefined {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    // Temporal also reads a zone out of a timestamp such as 2026-01-01T00:00[Europe/Berlin].
    if (/^[A-Za-z0-9_+\-/:]+$/.test(text) && !/^\d/.test(text)) return undefined;
  } catch {
    // Falls through to the one message.
  }
  return `${JSON.stringify(text)} is not a timezone: write a name of the IANA database, for example Europe/Berlin`;
}

/**
 * A timezone as a list of stretches of constant offset. Temporal is asked once for a few years of it; after that a
 * conversion is a search in a short array, which is what a simulation of weeks needs.
 */
export class Zone {
  readonly id: string;
  #knownFrom: EpochMs = 0;
  #knownTo: EpochMs = 0;
  #starts: EpochMs[] = [];
  #offsets: number[] = [];

  constructor(id: string) {
    const problem = timezoneProblem(id);
    if (problem !== undefined) throw new RangeError(problem);
    this.id = id;
  }

  wallTime(at: EpochMs): WallTime {
    this.#learn(at);
    const local = at + this.#offset(this.#stretchAt(at));
    const day = Math.floor(local / msPerDay);
    return { day, msOfDay: local - day * msPerDay };
  }

  /** The first instant at which the clock reads this; inside a skipped hour, the first instant after it. */
  firstReading(day: DayNumber, minute: number): EpochMs {
    const local = day * msPerDay + minute * 60_000;
    let stretch = this.#earliestStretchFor(local);
    while (local >= this.#localEnd(stretch)) stretch += 1;
    return Math.max(local - this.#offset(stretch), this.#start(stretch));
  }

  /** The last instant at which the clock reads this; inside a skipped hour, the first instant after it. */
  lastReading(day: DayNumber, minute: number): EpochMs {
    const local = day * msPerDay + minute * 60_000;
    let stretch = this.#earliestStretchFor(local);
    let last: EpochMs | undefined;
    // A clock is never set back by more than a day, so later stretches than these cannot show the reading again.
    for (; this.#start(stretch) <= local + margin; stretch += 1) {
      const at = local - this.#offset(stretch);
      if (at >= this.#start(stretch) && at < this.#end(stretch)) last = at;
    }
    return last ?? this.firstReading(day, minute);
  }

  /** Changes of the clock at `from` or later and before `to`. */
  clockChanges(from: EpochMs, to: EpochMs): readonly ClockChange[] {
    this.#learn(from);
    this.#learn(to);
    const changes: ClockChange[] = [];
    for (let stretch = Math.max(1, this.#stretchAt(from)); stretch < this.#starts.length; stretch += 1) {
      const at = this.#start(stretch);
      if (at >= to) break;
      const offsetBeforeMs = this.#offset(stretch - 1);
      const offsetAfterMs = this.#offset(stretch);
      if (at >= from && offsetBeforeMs !== offsetAfterMs) changes.push({ at, offsetBeforeMs, offsetAfterMs });
    }
    return changes;
  }

  #earliestStretchFor(local: number): number {
    this.#learn(local);
    return this.#stretchAt(local - margin);
  }

  #stretchAt(at: EpochMs): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#start(middle) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #start(stretch: number): EpochMs {
    return this.#starts[stretch] ?? Number.POSITIVE_INFINITY;
  }

  #end(stretch: number): EpochMs {
    return this.#start(stretch + 1);
  }

  #offset(stretch: number): number {
    return this.#offsets[stretch] ?? 0;
  }

  #localEnd(stretch: number): number {
    return this.#end(stretch) + this.#offset(stretch);
  }

  #learn(around: EpochMs): void {
    const known = this.#starts.length > 0;
    if (known && around - 2 * margin >= this.#knownFrom && around + 2 * margin <= this.#knownTo) return;
    this.#knownFrom = known ? Math.min(this.#knownFrom, around - chunk) : around - chunk;
    this.#knownTo = known ? Math.max(this.#knownTo, around + chunk) : around + chunk;
    let at = Temporal.Instant.fromEpochMilliseconds(this.#knownFrom).toZonedDateTimeISO(this.id);
    this.#starts = [Number.NEGATIVE_INFINITY];
    this.#offsets = [at.offsetNanoseconds / 1e6];
    for (;;) {
      const next = at.getTimeZoneTransition('next');
      if (next === null || next.epochMilliseconds > this.#knownTo) return;
      at = next;
      this.#starts.push(at.epochMilliseconds);
      this.#offsets.push(at.offsetNanoseconds / 1e6);
    }
  }
}
