import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { checkFirstLoad, firstLoadFiles, type Manifest } from './first-load.ts';
import { buildHelp } from './help/build-help.ts';

const webOutput = fileURLToPath(new URL('../dist/web', import.meta.url));

/** Builds the app into dist/web and fails when the first load is over its budget; the compressed size in bytes. */
export async function buildWeb(outDir = webOutput): Promise<{ readonly firstLoadBytes: number }> {
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  await inProduction(() => build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: true } }));
  await buildHelp(outDir);
  const manifest = JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8')) as Manifest;
  // It is for this check alone; who opens the app has no use for a list of its files.
  await rm(join(outDir, 'manifest.json'));
  const gzipped = await compress(outDir);
  const sizes = ['index.html', ...firstLoadFiles(manifest)].map((file) => [file, gzipped.get(file) ?? 0] as const);
  return { firstLoadBytes: checkFirstLoad(Object.fromEntries(sizes)) };
}

/** A test runner sets the environment to its own, and the slow development build of React would ship. */
async function inProduction(run: () => Promise<unknown>): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await run();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

/** Puts `.br` and `.gz` beside every file worth it; the size of each file in gzip, the larger of the two. */
async function compress(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(?:js|css|html|svg|json)$/.test(name)) continue;
    const path = join(folder, name);
    const content = await readFile(path);
    const gzip = gzipSync(content, { level: 9 });
    sizes.set(name.replaceAll('\\', '/'), gzip.length);
    if (name === 'index.html' || content.length < 1024) continue;
    await writeFile(`${path}.gz`, gzip);
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${path}.br`, brotliCompressSync(content, { params: quality }));
  }
  return sizes;
}

if (import.meta.main) {
  const { firstLoadBytes } = await buildWeb();
  console.log(`dist/web  first load ${(firstLoadBytes / 1024).toFixed(1)} KB compressed`);
}
