import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundlePrograms, bundles } from '../../../tools/build/bundle.ts';

export interface ControllerBundle {
  readonly file: string;
  remove(): Promise<void>;
}

/** The controller as it ships: the bundle of the build, in a folder of its own. */
export function controllerBundle(): Promise<ControllerBundle> {
  const entry = fileURLToPath(new URL(`../../../${bundles.controller}`, import.meta.url));
  return inFolder('controller', (folder) => bundle({ controller: entry }, folder));
}

/** Another program with the controller in it. */
export function programBundle(entry: string): Promise<ControllerBundle> {
  return inFolder('program', (folder) => bundlePrograms({ program: entry }, folder));
}

async function inFolder(name: string, build: (folder: string) => Promise<void>): Promise<ControllerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bundle-'));
  await build(folder);
  return { file: join(folder, `${name}.mjs`), remove: () => rm(folder, { recursive: true, force: true }) };
}
