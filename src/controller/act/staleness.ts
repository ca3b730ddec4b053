/**
 * Whether the cluster has been written since this pass read it. What was written is not in the snapshot, so a pass that
 * wrote something decides nothing more about it, and another one follows at once.
 */
export class Staleness {
  #stale = false;

  get stale(): boolean {
    return this.#stale;
  }

  /** A write was sent that may have changed something: it was done, or somebody else wrote first, or nobody knows. */
  written(): void {
    this.#stale = true;
  }
}
