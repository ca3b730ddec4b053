import type { Suite } from '../suites.ts';

export interface Chosen {
  readonly suites: readonly Suite[];
  /** Suites that were left out by name; said at the end, so that nobody takes the run for a whole one. */
  readonly without: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Passed on to vitest. */
  readonly rest: readonly string[];
}

/** `npm test -- [suite…] [--without suite]… [--flag value…]`: the suites named, or all but those that run only by name. Throws on a suite that is none. */
export function parseArguments(args: readonly string[], all: readonly Suite[]): Chosen {
  const names: string[] = [];
  const without: string[] = [];
  const env: Record<string, string> = {};
  const rest: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    const variable = all.map((suite) => suite.flags?.[arg]).find((name) => name !== undefined);
    if (variable !== undefined) env[variable] = args[++i] ?? '';
    else if (arg === '--without') without.push(suiteNamed(args[++i] ?? '', all));
    else if (all.some((suite) => suite.name === arg)) names.push(arg);
    else rest.push(arg);
  }
  const named = all.filter(({ name, onlyByName }) => (names.length === 0 ? onlyByName !== true : names.includes(name)));
  const chosen = named.filter((suite) => !without.includes(suite.name));
  return { suites: chosen.map((suite) => withNeedsOf(suite, rest)), without, env, rest };
}

/** A file runs where its path holds one of the words that vitest gets, and every file runs where it gets none. */
function withNeedsOf(suite: Suite, rest: readonly string[]): Suite {
  const words = rest.filter((word, index) => !word.startsWith('-') && rest[index - 1] !== '-t');
  const files = Object.entries(suite.needsOfFile ?? {});
  const running = files.filter(
    ([file]) => words.length === 0 || words.some((word) => `${suite.name}/${file}`.includes(word)),
  );
  return { ...suite, needs: [...suite.needs, ...running.flatMap(([, needs]) => needs)] };
}

function suiteNamed(name: string, all: readonly Suite[]): string {
  if (all.some((suite) => suite.name === name)) return name;
  throw new Error(
    `--without ${name}: there is no such suite. It must be one of ${all.map((suite) => suite.name).join(', ')}.`,
  );
}
