import { dirname } from 'node:path';
import { isTest, type Violation } from './violation.ts';

const mostSources = 25;
const rooms = ['src/', 'embedded-cluster/', 'demo/', 'web/', 'tools/', 'test/support/'];

/** Folders with so many sources beside each other that nobody finds one by looking; tests stand beside and do not count. */
export function crowdedFolders(paths: readonly string[]): Violation[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (isTest(path) || !rooms.some((room) => path.startsWith(room))) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts].flatMap(([file, count]) =>
    count <= mostSources
      ? []
      : [
          {
            file,
            line: 1,
            message: `holds ${count} sources; more than ${mostSources} need folders named for what they hold`,
          },
        ],
  );
}
