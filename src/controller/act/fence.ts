import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import { StateConflict } from '../../state/session/state-errors.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import type { VersionedStore } from '../../state/state-store.ts';

/** So long acts go on without asking whether the state is still the one that they were decided on. */
const trustMs = 2_000;
/** So early it is asked again, so that nobody has to wait for the answer. */
const askAgainMs = 1_000;
/**
 * An answer that took longer says nothing: a process that was paused meanwhile hears of the state as it was before. It is asked once
 * more; an apiserver that takes so long each time is slow, and acts wait for each of its answers.
 */
const longestAnswerMs = 5_000;
/** One that is older says nothing, however slow the apiserver: a question is asked once, and given up after that time. */
const oldestAnswerMs = 30_000;
/** So many questions in a row may have no answer that counts, before the pass has to decide anew. */
const mostQuestions = 3;
/** No act takes so long: what is known, and what was decided on it, is from before the process stood still. */
const longestGapMs = 60_000;

export interface FenceOptions {
  readonly state: Pick<VersionedStore, 'version'>;
  readonly session: StateSession;
  readonly clock: Clock;
  /** Aborts when something asks for another pass. */
  readonly signal: AbortSignal;
  /** Until when what was decided is wanted, if nobody writes anything: the next edge of the schedule, or the end of the license. */
  readonly until: EpochMs | undefined;
}

/**
 * Keeps a process from acting on a decision that time has passed by: one that was paused, or cut off, while another
 * controller, an admin or the api wrote the state, or while the day broke. Asked before the first act of a batch and after every gap in our own
 * clock, so that a stop prevents the next act even if the watch has not delivered it.
 */
export class Fence {
  readonly #options: FenceOptions;
  /** When the question went out that was answered last. */
  #askedAt = Number.NEGATIVE_INFINITY;
  /** When anybody was last here. */
  #passedAt: number;
  #asking: Promise<boolean> | undefined;
  #unanswered = 0;
  #tookTooLong = false;
  #holds = true;

  constructor(options: FenceOptions) {
    this.#options = options;
    this.#passedAt = options.clock.monotonic();
  }

  /** A batch begins: its first act asks anew, however short ago the last one was. */
  begin(): void {
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.#passedAt = this.#options.clock.monotonic();
    this.#asking = undefined;
  }

  /** False once somebody else has written the state, when time has passed by, or when nobody can tell: the pass has to decide anew. */
  async holds(): Promise<boolean> {
    for (;;) {
      if (!this.#stillWanted()) return false;
      const sinceMs = this.#options.clock.monotonic() - this.#askedAt;
      if (sinceMs < askAgainMs) return true;
      this.#asking ??= this.#ask();
      if (sinceMs < trustMs) return true;
      if (await this.#asking) return this.#stillWanted();
    }
  }

  /** For what cannot be refused by a resourceVersion. Throws `StateConflict`, as a write of the state does then. */
  async expectHolding(act: string): Promise<void> {
    if (!(await this.holds())) throw new StateConflict('conflict', `the pass has to decide anew before it may ${act}`);
  }

  #stillWanted(): boolean {
    const { clock, signal, until } = this.#options;
    const at = clock.monotonic();
    if (at - this.#passedAt > longestGapMs || (until !== undefined && clock.now() >= until)) this.#holds = false;
    this.#passedAt = at;
    return this.#holds && !signal.aborted;
  }

  /** Whether the answer counts. */
  #ask(): Promise<boolean> {
    const { clock, session } = this.#options;
    const at = clock.monotonic();
    const decidedOn = session.snapshot.resourceVersion;
    const asking = this.#sameAs(decidedOn).then((same) => {
      if (this.#asking !== asking) return false;
      this.#asking = undefined;
      // We wrote it ourselves since: what was read is from before that or after.
      if (decidedOn !== session.snapshot.resourceVersion) return false;
      const tookMs = clock.monotonic() - at;
      const tookTooLong = tookMs > longestAnswerMs;
      const counts =
        same === false || (same === true && tookMs <= oldestAnswerMs && (!tookTooLong || this.#tookTooLong));
      this.#tookTooLong = tookTooLong;
      this.#unanswered = counts ? 0 : this.#unanswered + 1;
      if (same === false || this.#unanswered >= mostQuestions) this.#holds = false;
      if (counts) this.#askedAt = at;
      return counts;
    });
    return asking;
  }

  /** Undefined when nobody can tell. */
  async #sameAs(version: string | undefined): Promise<boolean | undefined> {
    try {
      return (await this.#options.state.version()) === version;
    } catch {
      return undefined;
    }
  }
}
