/** A fault planted in our own code: `find` becomes `put`, and some test has to notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly put: string;
  /** What is run against it, the likeliest first. */
  readonly tests: readonly Suite[];
}

/** A project of the test runner and the paths in it. */
export type Suite = readonly [project: 'unit' | 'simulation', ...paths: string[]];

export const unit = (...paths: string[]): Suite => ['unit', ...paths];
