import type { Informers, WatchedKind } from '../../ports/cluster.ts';
import type { Logger } from '../../ports/logger.ts';

/** Since when each watch has been out of step, as far as the passes of this process saw it. */
export class WatchOutages {
  readonly #since = new Map<WatchedKind, number>();
  readonly #told = new Set<WatchedKind>();
  #lookingSince: number | undefined;

  /** How long the watch has been out of step; undefined while it is in step. */
  outOfStepMs(informers: Pick<Informers, 'inStep'>, kind: WatchedKind, monotonic: number): number | undefined {
    if (informers.inStep(kind)) {
      this.#since.delete(kind);
      this.#told.delete(kind);
      return undefined;
    }
    const since = this.#since.get(kind) ?? monotonic;
    this.#since.set(kind, since);
    return monotonic - since;
  }

  /** Logs once per outage that a kind is no longer relied on. */
  logLost(logger: Logger, kind: WatchedKind): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    logger.warn(`${kind}s cannot be read`, { why: 'their watch fails; what was known of them is not relied on' });
  }

  /**
   * Called when a transition begins, and after a failed pass, when perhaps the whole apiserver was away: outages are then
   * counted from now on.
   */
  startAnew(): void {
    this.#since.clear();
    this.#lookingSince = undefined;
  }

  /** How long passes have been observing without interruption: since the process started, or since the last failed pass. */
  lookingMs(monotonic: number): number {
    this.#lookingSince ??= monotonic;
    return monotonic - this.#lookingSince;
  }
}
