import { isStoodDown } from './should-be.ts';

/** When stops began and ended, as whoever watches from outside can tell. */
export class StopHistory {
  readonly #now: () => number;
  #stoodDown = false;
  #licensed = true;
  #since = Number.NEGATIVE_INFINITY;
  /** Of the wall clock. */
  endedAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  get licensed(): boolean {
    return this.#licensed;
  }

  stateChanged(data: Readonly<Record<string, string>>): void {
    this.#changed(() => {
      // Unreadable is not ended.
      this.#stoodDown = isStoodDown(data) ?? this.#stoodDown;
    });
  }

  licenseChanged(licensed: boolean): void {
    this.#changed(() => {
      this.#licensed = licensed;
    });
  }

  #changed(change: () => void): void {
    const held = this.#held();
    change();
    if (!held && this.#held()) this.#since = this.#now();
    // One that was over at the instant at which it began was none: nobody could see it.
    if (held && !this.#held() && this.#now() > this.#since) this.endedAt = this.#now();
  }

  #held(): boolean {
    return this.#stoodDown || !this.#licensed;
  }
}
