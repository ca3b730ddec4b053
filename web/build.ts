import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { checkFirstLoad, firstLoadFiles, type Manifest } from './first-load.ts';

export const webOutput = fileURLToPath(new URL('../dist/web', import.meta.url));

/** Builds the app into dist/web and fails when the first load is over its budget; the compressed size in bytes. */
export async function buildWeb(outDir = webOutput): Promise<{ readonly firstLoadBytes: number }> {
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  const manifest = JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8')) as Manifest;
  const sizes: Record<string, number> = {};
  for (const file of ['index.html', ...firstLoadFiles(manifest)]) {
    sizes[file] = gzipSync(await readFile(join(outDir, file)), { level: 9 }).length;
  }
  return { firstLoadBytes: checkFirstLoad(sizes) };
}

if (import.meta.main) {
  const { firstLoadBytes } = await buildWeb();
  console.log(`dist/web  first load ${(firstLoadBytes / 1024).toFixed(1)} KB compressed`);
}
