import { seededRandom } from '../../embedded-cluster/seeded-random.ts';

/** What the simulation leaves to chance, all from one seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    const random = seededRandom(seed);
    this.#next = () => random.next();
  }

  /** A whole number of [from, to]. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  happens(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#next() * from.length)]!;
  }

  pickWeighted<T extends { readonly weight: number }>(from: readonly T[]): T {
    let point = this.#next() * from.reduce((sum, { weight }) => sum + weight, 0);
    for (const one of from) {
      point -= one.weight;
      if (point < 0) return one;
    }
    return from.at(-1)!;
  }
}
