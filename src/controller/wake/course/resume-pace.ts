/** CronJobs resume in steps. Resumed all at once, the missed runs of the night would all start in the same second. */
export const resumedTogether = 10;
const resumeStepMs = 5_000;

/**
 * When the last step was, in this process: passes come for many reasons, and none of them makes the next step due. A
 * restart forgets it, which costs one step that comes early.
 */
export class ResumePace {
  #lastAt = Number.NEGATIVE_INFINITY;

  /** How long until the next step; 0 when it is due. `now` is monotonic. */
  wait(now: number): number {
    return Math.max(0, this.#lastAt + resumeStepMs - now);
  }

  stepped(now: number): void {
    this.#lastAt = now;
  }
}
