import { spawnSync } from 'node:child_process';

export interface SeedRange {
  readonly from: number;
  readonly seeds: number;
  /** Where it comes from, in words. */
  readonly origin: string;
}

/** The same in every run. Together with the drawn ones enough to meet every fault; a life takes seconds, so no more. */
const always = 110;
const drawn = 100;
/** Above what people type, so that the two parts never meet. */
const firstDrawn = 1_000_000;

/**
 * The seeds that were asked for; otherwise a part that stays the same, so that a change is seen by what it changed, and a
 * part that is another with every commit, so that the tests do not only ever see what they have always seen.
 */
export function seedRanges(
  asked: { readonly seeds?: string | undefined; readonly from?: string | undefined },
  commit: string | undefined,
): readonly SeedRange[] {
  if (asked.seeds || asked.from) {
    return [{ from: Number(asked.from || 1), seeds: Number(asked.seeds || always + drawn), origin: 'asked for' }];
  }
  if (commit === undefined) return [{ from: 1, seeds: always + drawn, origin: 'the same in every run' }];
  return [
    { from: 1, seeds: always, origin: 'the same in every run' },
    { from: firstSeedOf(commit), seeds: drawn, origin: `drawn from commit ${commit.slice(0, 12)}` },
  ];
}

function firstSeedOf(commit: string): number {
  return firstDrawn + Number.parseInt(commit.slice(0, 7), 16);
}

/** What to type to play them again, whatever the commit is by then. */
export function replayOf({ from, seeds }: SeedRange): string {
  return `npm run test:simulation -- --seeds ${seeds} --from ${from}`;
}

/** The commit that is checked out; undefined outside a repository. */
export function currentCommit(): string | undefined {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' });
  const text = status === 0 ? stdout.trim() : '';
  return /^[0-9a-f]{40,}$/.test(text) ? text : undefined;
}
