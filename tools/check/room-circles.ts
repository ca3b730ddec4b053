import { dirname } from 'node:path';
import { importsOf } from './imports.ts';
import { reachableFrom } from './reachable.ts';
import { isTest, type SourceFile, type Violation } from './violation.ts';

interface Doorway {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
}

/**
 * Folders of `src` that import each other, over however many others; each folder with sources is a room, its parent another.
 * Types count. What two rooms need of each other belongs in a room below both, or they are one room.
 */
export function roomCircles(files: readonly SourceFile[]): Violation[] {
  const doorways = files.filter(({ path }) => path.startsWith('src/') && !isTest(path)).flatMap(doorwaysOf);
  const targets = Map.groupBy(doorways, ({ from }) => from);
  const reached = reachableFrom((room) => (targets.get(room) ?? []).map(({ to }) => to));
  const told = new Set<string>();
  return doorways.flatMap(({ from, to, file, line }) => {
    if (told.has(from) || !reached(to).has(from)) return [];
    const circle = [...reached(from)].filter((other) => reached(other).has(from)).sort();
    for (const room of circle) told.add(room);
    return [{ file, line, message: `opens a circle of folders: ${circle.join(', ')}` }];
  });
}

function doorwaysOf(file: SourceFile): Doorway[] {
  const from = dirname(file.path);
  return importsOf(file).flatMap(({ target, line }) => {
    if (target === undefined || !target.startsWith('src/')) return [];
    const to = dirname(target);
    return to === from ? [] : [{ from, to, file: file.path, line }];
  });
}
