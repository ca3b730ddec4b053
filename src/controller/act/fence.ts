import type { Clock } from '../../ports/clock.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import type { StateStore } from '../../state/state-store.ts';

/** So long acts go on without asking whether the state is still the one that they were decided on. */
const trustMs = 2_000;

/**
 * Keeps a process from acting on a decision that time has passed by: one that was paused, or cut off, while another
 * controller, an admin or the api wrote the state. Asked before the first act of a batch and after every gap in our own
 * clock, so that a stop prevents the next act even if the watch has not delivered it.
 */
export class Fence {
  readonly #state: StateStore;
  readonly #session: StateSession;
  readonly #clock: Clock;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<boolean> | undefined;
  #holds = true;

  constructor(state: StateStore, session: StateSession, clock: Clock) {
    this.#state = state;
    this.#session = session;
    this.#clock = clock;
  }

  /** A batch begins: its first act asks anew, however short ago the last one was. */
  begin(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }

  /** False once somebody else has written the state, or when nobody can tell: the pass has to decide anew. */
  async holds(): Promise<boolean> {
    if (this.#holds && this.#clock.monotonic() - this.#askedAt >= trustMs) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.#holds;
  }

  async #ask(): Promise<boolean> {
    try {
      const { resourceVersion } = await this.#state.read();
      this.#holds = resourceVersion === this.#session.snapshot.resourceVersion;
    } catch {
      this.#holds = false;
    }
    this.#askedAt = this.#clock.monotonic();
    return this.#holds;
  }
}
