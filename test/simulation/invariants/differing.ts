/** Paths of the leaves in which two values differ. */
export function differing(a: unknown, b: unknown, path = ''): readonly string[] {
  if (a === b) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a)) {
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    differing(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      path === '' ? key : `${path}.${key}`,
    ),
  );
}
