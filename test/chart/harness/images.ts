import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assembleImage } from '../../../tools/images/assemble.ts';
import type { ImageName } from '../../../tools/images/image-specs.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface AssembledImages {
  readonly folder: string;
  remove(): Promise<void>;
}

/** The images' file trees of the code as it is now. Where the web app is not built, one page stands in for it. */
export async function assembleImages(names: readonly ImageName[]): Promise<AssembledImages> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-images-'));
  await chmod(folder, 0o755);
  const web = existsSync(join(root, 'dist/web/index.html')) ? join(root, 'dist/web') : await onePage(folder);
  for (const name of names) await assembleImage(name, { root, folder, node: process.execPath, web });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function onePage(folder: string): Promise<string> {
  const web = join(folder, 'web');
  await mkdir(web);
  await writeFile(join(web, 'index.html'), '<!doctype html><title>svc</title>');
  return web;
}
