/** Longer than an apiserver needs to read its roles: one that has just started refuses for a moment what it allows. */
const refusalPatienceMs = 5_000;

/**
 * Since when the cluster has refused each act, as far as this process saw it: a refusal counts when it lasts. A restart
 * forgets it, which costs the wait once more.
 */
export class RefusalPatience {
  readonly #since = new Map<string, number>();

  /** Whether the refusal of this act has lasted. `now` is monotonic. */
  lasts(act: string, now: number): boolean {
    const since = this.#since.get(act) ?? now;
    this.#since.set(act, since);
    return now - since >= refusalPatienceMs;
  }

  /** It was done, or the cluster gave another answer or none: what it refuses after that is refused anew. */
  endedOtherwise(act: string): void {
    this.#since.delete(act);
  }

  /** A transition begins: what was refused in another one says nothing of it. */
  startAnew(): void {
    this.#since.clear();
  }
}
