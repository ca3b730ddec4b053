import type { Coverage } from './coverage.ts';
import type { SeedResult } from './seed-run.ts';

/** What a worker tells of one seed. */
export interface SeedLine {
  readonly seed: number;
  readonly world: string;
  readonly hash: string;
  readonly coverage: Coverage['counts'];
  readonly violation?: string;
  readonly trace?: readonly string[];
}

export function lineOf({ seed, world, hash, coverage, violation, trace }: SeedResult): SeedLine {
  const told = violation === undefined ? {} : { violation: violation.message, trace };
  return { seed, world, hash, coverage, ...told };
}

/** What to type to play one seed again, whatever worlds there are by then. */
export function replayOfSeed(seed: number, world: string): string {
  return `npm run test:simulation -- --seeds 1 --from ${seed} --world ${world}`;
}

/** A promise that was broken, with the command that shows it and the end of its trace. */
export function brokenText({ seed, world, violation, trace = [] }: SeedLine): string {
  return `Seed ${seed} in world ${world} broke a promise.\n${violation}\nReplay it: ${replayOfSeed(seed, world)}\n\n${trace.slice(-40).join('\n')}`;
}
