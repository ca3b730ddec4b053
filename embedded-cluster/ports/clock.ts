/** Milliseconds since the epoch, UTC. */
export type EpochMs = number;

/** Time, as the cluster needs it. Any clock will do: a machine's, a virtual one, one that runs faster. */
export interface Clock {
  /** Wall-clock time in whole milliseconds since the epoch. It can jump in both directions. */
  now(): EpochMs;
  /** Milliseconds from an arbitrary start that never go backwards. */
  monotonic(): number;
  /** Runs the function once, `ms` milliseconds from now; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}
