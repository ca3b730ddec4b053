import type { Mutant } from './mutant.ts';

/**
 * `[--part 1/4] [part of a name]…`: all of them, those with such a name, or every fourth of these, so that the parts take about
 * as long. Throws on what cannot be meant: a run of no fault at all would find them all.
 */
export function chooseMutants(args: readonly string[], all: readonly Mutant[]): readonly Mutant[] {
  const flag = args.indexOf('--part');
  const wanted = flag === -1 ? args : args.toSpliced(flag, 2);
  const [part, parts] = flag === -1 ? [1, 1] : partOf(args[flag + 1] ?? '');
  const named = all.filter(({ name }) => wanted.length === 0 || wanted.some((words) => name.includes(words)));
  const chosen = named.filter((_, index) => index % parts === part - 1);
  if (chosen.length === 0) throw new Error(`There is no planted fault for ${args.join(' ')}.`);
  return chosen;
}

function partOf(text: string): readonly [part: number, parts: number] {
  const [part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (part < 1 || part > parts) throw new Error(`--part ${text}: it must be such as 1/4, up to 4/4.`);
  return [part, parts];
}
