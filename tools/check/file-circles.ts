import { importsOf } from './imports.ts';
import { reachableFrom } from './reachable.ts';
import type { SourceFile, Violation } from './violation.ts';

/**
 * Files that import each other, over however many others. Imports of types count: who reads one of the files has to read
 * all of them, whatever is left of the imports at run time.
 */
export function fileCircles(files: readonly SourceFile[]): Violation[] {
  const known = new Map(files.map((file) => [file.path, file]));
  const imports = new Map(
    files.map((file) => [file.path, importsOf(file).filter(({ target }) => known.has(target ?? ''))]),
  );
  const reached = reachableFrom((path) => (imports.get(path) ?? []).map(({ target }) => target!));
  const told = new Set<string>();
  return [...imports].flatMap(([path, ownImports]) => {
    const back = ownImports.find(({ target }) => reached(target!).has(path));
    if (back === undefined || told.has(path)) return [];
    const circle = [...reached(path)].filter((other) => reached(other).has(path));
    for (const member of circle) told.add(member);
    return [{ file: path, line: back.line, message: `imports itself in a circle of ${circle.sort().join(', ')}` }];
  });
}
