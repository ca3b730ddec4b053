import { isAtLeast } from '../client/resource-version.ts';

/** From which version a reflector watches, and what that says of a list that it gets. */
export class WatchPosition {
  #at: string | undefined;
  /** The last version that it was at, listed or told. */
  #seen: string | undefined;
  /** While everything is listed again: where it watched from before, and whether anything newer than that has been shown. */
  #renewal: { readonly from: string | undefined; shown: boolean } | undefined;

  /** Watch from here; undefined asks for a list. */
  get at(): string | undefined {
    return this.#at;
  }

  get isRenewing(): boolean {
    return this.#renewal !== undefined;
  }

  renew(): void {
    this.#renewal ??= { from: this.#at, shown: false };
    this.#at = undefined;
  }

  shown(): void {
    if (this.#renewal !== undefined) this.#renewal.shown = true;
  }

  wentOn(version: string): void {
    this.#at = this.#seen = version;
  }

  /** Whether the cluster was restored from a backup: a list is never behind what a watch told before it, but for that. */
  listed(version: string): { readonly restored: boolean } {
    const restored = version !== '' && this.#seen ? !isAtLeast(version, this.#seen) : false;
    this.#renewal = undefined;
    this.wentOn(version);
    return { restored };
  }

  /** The version is of no use: what there is has to be listed. */
  lose(): void {
    this.#at = undefined;
  }

  /** The cluster is behind what was seen, and that is known already. */
  wentBack(): void {
    this.#at = this.#seen = undefined;
  }

  /** A renewal that has shown nothing is given up. One that has must come to its end: going on from before would show older forms again. */
  failed(): void {
    if (this.#renewal?.shown === true) return;
    this.#at ??= this.#renewal?.from;
    this.#renewal = undefined;
  }
}
