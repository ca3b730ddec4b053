import { isDeepStrictEqual } from 'node:util';
import type { Config } from './merged.ts';

/** What is seen of a key: under its value of the start, and under that of the reload. */
export interface Effects {
  readonly start: unknown;
  readonly reload: unknown;
}

/** A row, with the whole configurations that it is looked at under. */
export interface RowAsRead {
  readonly keys: Readonly<Record<string, Effects>>;
  readonly start: Config;
  readonly reload: Config;
  /** Whether it is looked at a third time, under the first values again. */
  readonly goesBack: boolean;
}

/**
 * One sentence for each key of a row that would not notice a process that takes the key only at its start, or only from a
 * reload. What is on at the start and off after the reload says nothing of one that can only be switched off, nor a list that
 * is only cut short of one that never grows.
 */
export function rowProblems({ keys, start, reload, goesBack }: RowAsRead): readonly string[] {
  return Object.entries(keys).flatMap(([key, effects]) => {
    const [before, after] = [valuesAt(start, key), valuesAt(reload, key)];
    const problems = [
      ...(isDeepStrictEqual(effects.start, effects.reload) ? ['one effect is expected of both values'] : []),
      ...(before.length === 0 ? ['it is not set at the start'] : []),
      ...(after.length === 0 ? ['it is not set by the reload'] : []),
      ...(without(before, after).length === 0 ? ['the reload takes nothing away'] : []),
      ...(without(after, before).length === 0 ? ['the reload brings nothing new'] : []),
      ...(/(?:^|\.)enabled$/.test(key) && !goesBack ? ['a switch has to be seen on, off and on again'] : []),
    ];
    return problems.map((problem) => `${key}: ${problem}`);
  });
}

/** Every value that the configuration has under a key such as `smtp.port`, `wakeOrdering.tiers[].name` or `databases.<name>.region`. */
function valuesAt(config: unknown, key: string): readonly string[] {
  const steps = key.split(/\.|(?=\[\])/);
  const found = steps.reduce<readonly unknown[]>((all, step) => all.flatMap((one) => inside(one, step)), [config]);
  return found.flat().map((value) => JSON.stringify(value));
}

function inside(value: unknown, step: string): readonly unknown[] {
  if (step === '[]') return Array.isArray(value) ? value : [];
  if (typeof value !== 'object' || value === null) return [];
  if (step === '<name>') return Object.values(value);
  return Object.hasOwn(value, step) ? [(value as Config)[step]] : [];
}

/** Each as often as it is there more often. */
function without(values: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return values.filter((value) => {
    const index = left.indexOf(value);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
