/** What was told of each subject last, so that it is told again only when something else is the matter. */
export class ToldOnce {
  readonly #told = new Map<string, string>();

  /** True when this has not been what was told of the subject last; from then on it is. */
  isNew(subject: string, told: string): boolean {
    if (this.#told.get(subject) === told) return false;
    this.#told.set(subject, told);
    return true;
  }

  /** Everything is new again, as in the next night. */
  forget(): void {
    this.#told.clear();
  }
}
