import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { communityPublicKey } from '../../../src/domain/license/community.ts';
import { bundle, bundles } from '../../../tools/build/bundle.ts';

export type ProcessName = 'controller' | 'api' | 'frontend';

export interface ShippedBundles {
  file(name: ProcessName): string;
  remove(): Promise<void>;
}

/**
 * The processes as they ship: the bundles of the build, in a folder of their own. With a license key they are those of a
 * distributor who has built in another one.
 */
export async function shippedBundles(licenseKey?: string): Promise<ShippedBundles> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-wiring-bundles-'));
  const entry = (name: ProcessName) => fileURLToPath(new URL(`../../../${bundles[name]}`, import.meta.url));
  await bundle({ controller: entry('controller'), api: entry('api'), frontend: entry('frontend') }, folder);
  if (licenseKey !== undefined) await replaceIn(folder, communityPublicKey, licenseKey);
  return {
    file: (name) => join(folder, `${name}.mjs`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function replaceIn(folder: string, from: string, to: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.mjs')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    if (text.includes(from)) await writeFile(join(folder, file), text.replaceAll(from, to));
  }
}
