import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundles } from '../../../tools/build/bundle.ts';

export type ProcessName = 'controller' | 'api' | 'frontend';

export interface ShippedBundles {
  file(name: ProcessName): string;
  remove(): Promise<void>;
}

/** The processes as they ship: the bundles of the build, in a folder of their own. */
export async function shippedBundles(): Promise<ShippedBundles> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-wiring-bundles-'));
  const entry = (name: ProcessName) => fileURLToPath(new URL(`../../../${bundles[name]}`, import.meta.url));
  await bundle({ controller: entry('controller'), api: entry('api'), frontend: entry('frontend') }, folder);
  return {
    file: (name) => join(folder, `${name}.mjs`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
