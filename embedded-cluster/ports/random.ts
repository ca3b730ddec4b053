/** Randomness, as the cluster needs it; seeded, it makes a run repeatable. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  bytes(length: number): Uint8Array;
}
