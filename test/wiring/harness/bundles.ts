import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { communityLicense, communityPublicKey } from '../../../src/domain/license/community.ts';
import { bundle, bundles } from '../../../tools/build/bundle.ts';

export type ProcessName = 'controller' | 'api' | 'frontend';

export interface ShippedBundles {
  file(name: ProcessName): string;
  remove(): Promise<void>;
}

/** What a distributor has built in. */
export interface BuiltIn {
  readonly publicKey: string;
  readonly license: string;
}

/** The processes as they ship, or as another distributor ships them: the bundles of the build, in a folder of their own. */
export async function shippedBundles(builtIn?: BuiltIn): Promise<ShippedBundles> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-wiring-bundles-'));
  const entry = (name: ProcessName) => fileURLToPath(new URL(`../../../${bundles[name]}`, import.meta.url));
  await bundle({ controller: entry('controller'), api: entry('api'), frontend: entry('frontend') }, folder);
  if (builtIn !== undefined) {
    await replaceIn(folder, communityPublicKey, builtIn.publicKey);
    await replaceIn(folder, communityLicense, builtIn.license);
  }
  return {
    file: (name) => join(folder, `${name}.mjs`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function replaceIn(folder: string, from: string, to: string): Promise<void> {
  let found = false;
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.mjs')) continue;
    const text = await readFile(join(folder, file), 'utf8');
    if (!text.includes(from)) continue;
    found = true;
    await writeFile(join(folder, file), text.replaceAll(from, to));
  }
  if (!found) throw new Error(`No bundle holds ${from}`);
}
