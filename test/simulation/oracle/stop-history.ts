import { isStoodDown } from './should-be.ts';

const acts = ['wake_override', 'manual_hibernation'];

/** When stops began and ended, as whoever watches from outside can tell. */
export class StopHistory {
  /** That no jump of the wall clock moves: what was asked for after a stop may bear an earlier time than its end. */
  readonly #monotonic: () => number;
  readonly #askedAt = new Map<string, number>();
  #stoodDown = false;
  #licensed = true;
  #since = Number.NEGATIVE_INFINITY;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  get licensed(): boolean {
    return this.#licensed;
  }

  /** What was asked for before the last stop ended does not come back. */
  isVoid(key: string, at: string): boolean {
    const askedAt = this.#askedAt.get(`${key} ${at}`);
    return askedAt !== undefined && askedAt < this.#endedAt;
  }

  stateChanged(data: Readonly<Record<string, string>>): void {
    for (const key of acts) {
      const name = `${key} ${timeOf(data[key])}`;
      if (!this.#askedAt.has(name)) this.#askedAt.set(name, this.#monotonic());
    }
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
    if (!held && this.#held()) this.#since = this.#monotonic();
    // One that was over at the instant at which it began was none: nobody could see it.
    if (held && !this.#held() && this.#monotonic() > this.#since) this.#endedAt = this.#monotonic();
  }

  #held(): boolean {
    return this.#stoodDown || !this.#licensed;
  }
}

/** When it was asked for, by what is stored; nothing where that cannot be read. */
function timeOf(text = ''): string {
  return /"at":"([^"]*)"/.exec(text)?.[1] ?? '';
}
