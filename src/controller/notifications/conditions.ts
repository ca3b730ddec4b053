import { type Notice, subjectOf } from '../../domain/notification/notice.ts';
import type { Clock } from '../../ports/clock.ts';

/** Whoever may hear of a condition, and for how long it must have held before. */
export interface Listener {
  readonly key: string;
  readonly windowMs: number;
}

interface Held {
  notice: Notice;
  lastSaid: number;
  readonly since: number;
  /** Listeners that have heard of this episode. */
  readonly told: Set<string>;
  /** Listeners that heard of the one before a short time ago: not before that instant. */
  readonly notBefore: Map<string, number>;
  cancel: () => void;
}

export interface ConditionOptions {
  readonly clock: Clock;
  /** The same list for as long as nothing of it has changed. */
  listeners(): readonly Listener[];
  /** It has held for as long as these wait. Answers, for whoever is not to hear of it yet, after how long to ask again. */
  confirmed(notice: Notice, listeners: readonly Listener[]): ReadonlyMap<string, number>;
}

const most = 1_000;
/** Something that is said to hold again after so long a silence is news. */
const forgottenAfterMs = 86_400_000;

/**
 * Conditions that hold, each told to each listener once an episode, when it has held for the listener's window. A listener
 * that comes later hears of what still holds.
 */
export class Conditions {
  readonly #options: ConditionOptions;
  readonly #held = new Map<string, Held>();
  #known: readonly Listener[] | undefined;

  constructor(options: ConditionOptions) {
    this.#options = options;
  }

  say(notice: Notice, holds: boolean): void {
    this.#lookForListeners();
    const subject = subjectOf(notice);
    if (!holds) {
      this.#end(subject);
      return;
    }
    const now = this.#options.clock.monotonic();
    const known = this.#held.get(subject);
    if (known !== undefined && now - known.lastSaid > forgottenAfterMs) this.#end(subject);
    const held = this.#held.get(subject) ?? this.#begin(subject, notice, now);
    if (held === undefined) return;
    held.notice = notice;
    held.lastSaid = now;
  }

  stop(): void {
    for (const subject of [...this.#held.keys()]) this.#end(subject);
  }

  #lookForListeners(): void {
    const listeners = this.#options.listeners();
    if (listeners === this.#known) return;
    this.#known = listeners;
    for (const held of this.#held.values()) this.#arm(held);
  }

  /** Undefined when there is no room: were the oldest to give way, none of too many would ever hold for long enough. */
  #begin(subject: string, notice: Notice, since: number): Held | undefined {
    if (this.#held.size >= most) {
      for (const [known, { lastSaid }] of this.#held) if (since - lastSaid > forgottenAfterMs) this.#end(known);
      if (this.#held.size >= most) return undefined;
    }
    const held: Held = { notice, lastSaid: since, since, told: new Set(), notBefore: new Map(), cancel() {} };
    this.#held.set(subject, held);
    this.#arm(held);
    return held;
  }

  /** One timer a condition, for whoever hears of it next. */
  #arm(held: Held): void {
    held.cancel();
    const due = this.#waiting(held).map((listener) => dueAt(held, listener));
    if (due.length === 0) return;
    const waitMs = Math.max(0, Math.min(...due) - this.#options.clock.monotonic());
    held.cancel = this.#options.clock.after(waitMs, () => this.#tell(held));
  }

  #tell(held: Held): void {
    const now = this.#options.clock.monotonic();
    const due = this.#waiting(held).filter((listener) => dueAt(held, listener) <= now);
    const later = this.#options.confirmed(held.notice, due);
    for (const { key } of due) {
      const waitMs = later.get(key);
      if (waitMs === undefined) held.told.add(key);
      else held.notBefore.set(key, now + waitMs);
    }
    this.#arm(held);
  }

  #waiting({ told }: Held): readonly Listener[] {
    return this.#options.listeners().filter(({ key }) => !told.has(key));
  }

  #end(subject: string): void {
    this.#held.get(subject)?.cancel();
    this.#held.delete(subject);
  }
}

function dueAt({ since, notBefore }: Held, { key, windowMs }: Listener): number {
  return Math.max(since + windowMs, notBefore.get(key) ?? 0);
}
