import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../../web/build.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const output = `${root}.cache/web-test`;
const sources = ['web', 'src/contract', 'src/domain'];

/** The folder of the app as it is now; built only when a source is newer than the last build. */
export async function builtWeb(): Promise<string> {
  const index = `${output}/index.html`;
  const newest = Math.max(...sources.map((folder) => newestIn(`${root}${folder}`)));
  if (!existsSync(index) || statSync(index).mtimeMs < newest) await buildWeb(output);
  return output;
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((file) => statSync(`${file.parentPath}/${file.name}`).mtimeMs));
}
