import { importsOf } from './imports.ts';
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
  const reached = reachableFrom(imports);
  const told = new Set<string>();
  return [...imports].flatMap(([path, ownImports]) => {
    const back = ownImports.find(({ target }) => reached(target!).has(path));
    if (back === undefined || told.has(path)) return [];
    const circle = [...reached(path)].filter((other) => reached(other).has(path));
    for (const member of circle) told.add(member);
    return [{ file: path, line: back.line, message: `imports itself in a circle of ${circle.sort().join(', ')}` }];
  });
}

type Imports = ReadonlyMap<string, readonly { readonly target: string | undefined }[]>;

/** What a file imports, directly or through others; itself only where it is part of a circle. */
function reachableFrom(imports: Imports): (path: string) => ReadonlySet<string> {
  const found = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const known = found.get(path);
    if (known !== undefined) return known;
    const reached = new Set<string>();
    const open = [path];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { target } of imports.get(next) ?? []) {
        if (reached.has(target!)) continue;
        reached.add(target!);
        open.push(target!);
      }
    }
    found.set(path, reached);
    return reached;
  };
}
