import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildOnce } from '../../tools/provision/build-once.ts';
import { buildWeb } from '../../web/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = `${root}.cache`;
const prefix = 'web-test-';
const sources = ['web', 'docs', 'src/contract', 'src/domain'];

/** The folder of the app as it is now, named by its newest source: test files that ask at the same time build it once. */
export function builtWeb(): Promise<string> {
  const newest = Math.max(...sources.map((folder) => newestIn(`${root}${folder}`)));
  return buildOnce(cache, `${prefix}${Math.round(newest)}`, async (folder) => {
    const older = readdirSync(cache).filter((name) => name.startsWith(prefix) && !name.endsWith('.lock'));
    await Promise.all(older.map((name) => rm(`${cache}/${name}`, { recursive: true, force: true })));
    await buildWeb(folder);
  });
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((file) => statSync(`${file.parentPath}/${file.name}`).mtimeMs));
}
