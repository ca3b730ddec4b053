import { type Notice, subjectOf } from '../../../src/domain/notification/notice.ts';
import type { Notifier } from '../../../src/ports/notifier.ts';

/** Hears of every report at once, and of every condition as it begins. */
export class RememberingNotifier implements Notifier {
  readonly #note: (notice: Notice) => void;
  readonly #held = new Set<string>();

  constructor(note: (notice: Notice) => void) {
    this.#note = note;
  }

  async notify(notice: Notice): Promise<void> {
    this.#note(notice);
  }

  condition(notice: Notice, holds: boolean): void {
    const subject = subjectOf(notice);
    if (!holds) this.#held.delete(subject);
    else if (!this.#held.has(subject)) {
      this.#held.add(subject);
      this.#note(notice);
    }
  }
}
