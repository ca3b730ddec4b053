import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundle, bundles } from '../../../tools/build/bundle.ts';

export interface ControllerBundle {
  readonly file: string;
  remove(): Promise<void>;
}

/** The controller as it ships: the bundle of the build, in a folder of its own. */
export async function controllerBundle(): Promise<ControllerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bundle-'));
  const entry = fileURLToPath(new URL(`../../../${bundles.controller}`, import.meta.url));
  await bundle({ controller: entry }, folder);
  return {
    file: join(folder, 'controller.mjs'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Another program with the controller in it; a main that it imports does not run by itself. */
export async function programBundle(entry: string): Promise<ControllerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bundle-'));
  const file = join(folder, 'program.mjs');
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    mainFields: ['module', 'main'],
    define: { 'import.meta.main': 'false' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
