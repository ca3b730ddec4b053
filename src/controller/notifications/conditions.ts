import { type Notice, subjectOf } from '../../domain/notification/notice.ts';
import type { Clock } from '../../ports/clock.ts';

interface Held {
  notice: Notice;
  lastSaid: number;
  readonly timers: Set<() => void>;
}

export interface ConditionOptions {
  readonly clock: Clock;
  /** The confirmation windows in use. */
  windows(): readonly number[];
  /** It has held for this window: tell whoever waits so long. Answers how long to wait before asking again, if need be. */
  confirmed(notice: Notice, windowMs: number): number | undefined;
}

const most = 1_000;
/** Something that is said to hold again after so long a silence is news. */
const forgottenAfterMs = 86_400_000;

/** Conditions that hold, each told once an episode, when it has held for the confirmation window. */
export class Conditions {
  readonly #options: ConditionOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: ConditionOptions) {
    this.#options = options;
  }

  say(notice: Notice, holds: boolean): void {
    const subject = subjectOf(notice);
    if (!holds) {
      this.#end(subject);
      return;
    }
    const now = this.#options.clock.monotonic();
    const known = this.#held.get(subject);
    if (known !== undefined && now - known.lastSaid > forgottenAfterMs) this.#end(subject);
    const held = this.#held.get(subject) ?? this.#begin(subject, notice, now);
    held.notice = notice;
    held.lastSaid = now;
  }

  stop(): void {
    for (const subject of [...this.#held.keys()]) this.#end(subject);
  }

  #begin(subject: string, notice: Notice, since: number): Held {
    const held: Held = { notice, lastSaid: since, timers: new Set() };
    this.#held.set(subject, held);
    if (this.#held.size > most) this.#end(this.#held.keys().next().value!);
    for (const windowMs of new Set(this.#options.windows())) this.#await(held, windowMs, windowMs);
    return held;
  }

  #await(held: Held, windowMs: number, waitMs: number): void {
    const cancel = this.#options.clock.after(waitMs, () => {
      held.timers.delete(cancel);
      const again = this.#options.confirmed(held.notice, windowMs);
      if (again !== undefined) this.#await(held, windowMs, again);
    });
    held.timers.add(cancel);
  }

  #end(subject: string): void {
    for (const cancel of this.#held.get(subject)?.timers ?? []) cancel();
    this.#held.delete(subject);
  }
}
