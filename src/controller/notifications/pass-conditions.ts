import { type Notice, subjectOf } from '../../domain/notification/notice.ts';
import type { Notifier } from '../../ports/notifier.ts';

/**
 * Conditions that a pass may find and only finding them again keeps alive: whoever finds one says so, and what a whole pass
 * did not find any more is over.
 */
export class PassConditions {
  readonly #notifier: Notifier;
  readonly #held = new Map<string, Notice>();
  #found = new Set<string>();

  constructor(notifier: Notifier) {
    this.#notifier = notifier;
  }

  passBegins(): void {
    this.#found = new Set();
  }

  holds(notice: Notice): void {
    const subject = subjectOf(notice);
    this.#found.add(subject);
    this.#held.set(subject, notice);
    this.#notifier.condition(notice, true);
  }

  /** Nothing new is known of it: it goes on holding if it did, in the words it had. */
  holdsOn(notice: Notice): void {
    const known = this.#held.get(subjectOf(notice));
    if (known !== undefined) this.holds(known);
  }

  /** Only after a pass that ran to its end: one that was cut short has not looked at everything. */
  passEnded(): void {
    for (const [subject, notice] of this.#held) {
      if (this.#found.has(subject)) continue;
      this.#held.delete(subject);
      this.#notifier.condition(notice, false);
    }
  }
}
