import type { Clock } from '../../ports/clock.ts';
import { StateConflict } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import type { StateStore } from '../../state/state-store.ts';

/** So long acts go on without asking whether the state is still the one that they were decided on. */
const trustMs = 2_000;
/** So early it is asked again, so that nobody has to wait for the answer. */
const askAgainMs = 1_000;
/**
 * An answer that took longer says nothing: a process that was paused meanwhile hears of the state as it was before. It is asked once
 * more; an apiserver that takes so long each time is slow, and acts wait for each of its answers.
 */
const longestAnswerMs = 5_000;
/** One that is older says nothing, however slow the apiserver: a request that takes so long is given up. */
const oldestAnswerMs = 30_000;

/**
 * Keeps a process from acting on a decision that time has passed by: one that was paused, or cut off, while another
 * controller, an admin or the api wrote the state. Asked before the first act of a batch and after every gap in our own
 * clock, so that a stop prevents the next act even if the watch has not delivered it.
 */
export class Fence {
  readonly #state: StateStore;
  readonly #session: StateSession;
  readonly #clock: Clock;
  /** When the question went out that was answered last. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<boolean> | undefined;
  #tookTooLong = false;
  #holds = true;

  constructor(state: StateStore, session: StateSession, clock: Clock) {
    this.#state = state;
    this.#session = session;
    this.#clock = clock;
  }

  /** A batch begins: its first act asks anew, however short ago the last one was. */
  begin(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#asking = undefined;
  }

  /** False once somebody else has written the state, or when nobody can tell: the pass has to decide anew. */
  async holds(): Promise<boolean> {
    for (;;) {
      const sinceMs = this.#clock.monotonic() - this.#askedAt;
      if (!this.#holds || sinceMs < askAgainMs) return this.#holds;
      this.#asking ??= this.#ask();
      if (sinceMs < trustMs) return true;
      if (await this.#asking) return this.#holds;
    }
  }

  /** For what cannot be refused by a resourceVersion. Throws `StateConflict`, as a write of the state does then. */
  async expectHolding(act: string): Promise<void> {
    if (!(await this.holds())) throw new StateConflict('conflict', `somebody wrote the state before ${act}`);
  }

  /** Whether the answer counts. */
  #ask(): Promise<boolean> {
    const at = this.#clock.monotonic();
    const decidedOn = this.#session.snapshot.resourceVersion;
    const asking = this.#sameAs(decidedOn).then((same) => {
      if (this.#asking !== asking) return false;
      this.#asking = undefined;
      // We wrote it ourselves since: what was read is from before that or after.
      if (decidedOn !== this.#session.snapshot.resourceVersion) return false;
      const tookMs = this.#clock.monotonic() - at;
      const tookTooLong = tookMs > longestAnswerMs;
      if (same && (tookMs > oldestAnswerMs || (tookTooLong && !this.#tookTooLong))) {
        this.#tookTooLong = true;
        return false;
      }
      this.#tookTooLong = tookTooLong;
      this.#holds = same;
      this.#askedAt = at;
      return true;
    });
    return asking;
  }

  async #sameAs(version: string | undefined): Promise<boolean> {
    try {
      return (await this.#state.read()).resourceVersion === version;
    } catch {
      return false;
    }
  }
}
