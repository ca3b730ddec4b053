import type { Random } from './ports/random.ts';

/** The same numbers for the same seed, on every machine (sfc32, seeded by splitmix32). Never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const splitmix = () => {
    state = (state + 0x9e3779b9) | 0;
    let word = state ^ (state >>> 16);
    word = Math.imul(word, 0x21f0aaad);
    word ^= word >>> 15;
    word = Math.imul(word, 0x735a2d97);
    return word ^ (word >>> 15);
  };
  let [a, b, c, counter] = [splitmix(), splitmix(), splitmix(), 1];
  const word = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) word();
  return {
    next: () => word() / 2 ** 32,
    bytes: (length) => Uint8Array.from({ length }, () => word() & 0xff),
  };
}
