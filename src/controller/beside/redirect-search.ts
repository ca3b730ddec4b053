/** A redirect that nobody answered may still be carried out for so long: an apiserver gives up what takes it a minute. */
export const mayLandMs = 75_000;

/**
 * When the cluster has to be searched for Services that are redirected and of which the state knows nothing: once in the life of a process, once
 * more when nothing can land any more that the process before it has sent, and after every redirect of its own. By then another controller
 * may have handed everything back. Times are of the steady clock.
 */
export class RedirectSearch {
  #searchedAt: number | undefined;
  /** From then on everything that was sent has landed. */
  #landedAt = Number.NEGATIVE_INFINITY;

  searched(at: number): void {
    if (this.#searchedAt === undefined) this.#landedAt = Math.max(this.#landedAt, at + mayLandMs);
    this.#searchedAt = at;
  }

  sent(at: number, answer: 'answered' | 'unanswered'): void {
    this.#landedAt = Math.max(this.#landedAt, answer === 'answered' ? at : at + mayLandMs);
  }

  isDue(now: number): boolean {
    return this.inMs(now) === 0;
  }

  /** Undefined when nothing more can be found. */
  inMs(now: number): number | undefined {
    if (this.#searchedAt === undefined) return 0;
    return this.#searchedAt >= this.#landedAt ? undefined : Math.max(0, this.#landedAt - now);
  }
}
