/** Randomness, as the inside sees it: seeded in the simulation, cryptographic in production. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  bytes(length: number): Uint8Array;
}
