import { type PathSegment, pathText } from './config-error.ts';
import type { Config } from './config-node.ts';

/**
 * The paths at which two configurations differ, in the order of the schema. A list counts as one value: an entry taken
 * out of its middle would otherwise name every entry after it.
 */
export function diffConfig(before: Config, after: Config): readonly string[] {
  return changedPaths(before, after, []).map(pathText);
}

function changedPaths(before: unknown, after: unknown, at: readonly PathSegment[]): readonly PathSegment[][] {
  if (!isMap(before) || !isMap(after)) return sameValue(before, after) ? [] : [[...at]];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedPaths(before[key], after[key], [...at, key]));
}

/** Equal in content; the order of keys does not matter. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
    );
  }
  return Object.is(a, b);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
