import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { further, placeOf } from './places.ts';
import { renderPage } from './render-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Puts the documents into `help` of the built app; its help page shows them. */
export async function buildHelp(outDir: string): Promise<void> {
  const documents = (await readdir(join(root, 'docs'), { recursive: true })).map((name) => `docs/${name}`);
  for (const path of [...documents, ...Object.keys(further)]) {
    const place = placeOf(path);
    if (place === undefined) continue;
    const target = join(outDir, 'help', place);
    await mkdir(dirname(target), { recursive: true });
    if (!path.endsWith('.md')) await copyFile(join(root, path), target);
    else await writeFile(target, renderPage(path, await readFile(join(root, path), 'utf8')));
  }
}
