import { eventKinds } from '../../domain/notification/event-keys.ts';
import { type Notice, subjectOf } from '../../domain/notification/notice.ts';
import type { Clock } from '../../ports/clock.ts';

const remembered = 2_000;
const saidLately = 'the same was said a short time ago';

/** What is not told again within the window: the same event to anybody, and of the kinds that repeat themselves the same subject. */
export class Repetitions {
  readonly #events: Recent;
  readonly #subjects: Recent;

  constructor(clock: Clock) {
    this.#events = new Recent(clock, remembered);
    this.#subjects = new Recent(clock, remembered);
  }

  /** Why this report is not sent again; what is sent is remembered. */
  ofReport(notice: Notice, windowMs: number): string | undefined {
    const subject = subjectOf(notice);
    if (this.#events.remainingMs(notice.id, windowMs) > 0) return 'the same event was sent before';
    const { deduplicated } = eventKinds[notice.key];
    if (deduplicated && this.#subjects.remainingMs(subject, windowMs) > 0) return saidLately;
    this.#events.note(notice.id);
    if (deduplicated) this.#subjects.note(subject);
    return undefined;
  }

  /** Why a destination is not told of this condition now, and when it may be; what is told is remembered. */
  ofCondition(
    notice: Notice,
    destination: string,
    windowMs: number,
  ): { readonly why: string; readonly waitMs: number } | undefined {
    const subject = `${subjectOf(notice)} ${destination}`;
    const waitMs = this.#subjects.remainingMs(subject, windowMs);
    if (waitMs > 0) return { why: saidLately, waitMs };
    this.#subjects.note(subject);
    return undefined;
  }
}

/** What was seen lately. It remembers so many at most: past that, the oldest is forgotten first. */
class Recent {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #seenAt = new Map<string, number>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** How long until it no longer counts as seen within the window; 0 when it does not now. */
  remainingMs(key: string, windowMs: number): number {
    const at = this.#seenAt.get(key);
    return at === undefined ? 0 : Math.max(0, at + windowMs - this.#clock.monotonic());
  }

  note(key: string): void {
    this.#seenAt.delete(key);
    this.#seenAt.set(key, this.#clock.monotonic());
    if (this.#seenAt.size > this.#most) this.#seenAt.delete(this.#seenAt.keys().next().value!);
  }
}
