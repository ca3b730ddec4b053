import { existsSync } from 'node:fs';
import { copyFile, cp, link, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundle } from '../build/bundle.ts';
import { type ImageName, imageSpecs, nodePath } from './image-specs.ts';

export interface AssembleOptions {
  /** The repository. */
  readonly root: string;
  /** Gets a folder an image, the image's root, and `<image>.json` beside it: how its containers start. */
  readonly folder: string;
  /** The Node that runs the bundles; left out where a base image brings one. */
  readonly node?: string;
  /** The built web app; `dist/web` while absent. */
  readonly web?: string;
}

export interface AssembledImage {
  readonly name: ImageName;
  readonly folder: string;
  /** Of our own files, without Node. */
  readonly bytes: number;
}

/** Puts one image's file tree together, without Docker: the bundle, its chunks, the web app where it belongs, Node. */
export async function assembleImage(name: ImageName, options: AssembleOptions): Promise<AssembledImage> {
  const { root, node } = options;
  const { entry, web, config } = imageSpecs[name];
  const folder = join(options.folder, name);
  const app = join(folder, 'app');
  await rm(folder, { recursive: true, force: true });
  await mkdir(app, { recursive: true });
  // Bundled by itself, so that no chunk of another process comes along.
  await bundle({ [name]: join(root, entry) }, app);
  if (web) await cp(options.web ?? builtWeb(root), join(app, 'web'), { recursive: true });
  await copyFile(join(root, 'LICENSE'), join(app, 'LICENSE'));
  const bytes = await sizeOf(app);
  if (node !== undefined) await linkOrCopy(node, join(folder, nodePath));
  await writeFile(join(options.folder, `${name}.json`), `${JSON.stringify(config, null, 2)}\n`);
  return { name, folder, bytes };
}

function builtWeb(root: string): string {
  const built = join(root, 'dist', 'web');
  if (existsSync(join(built, 'index.html'))) return built;
  throw new Error('dist/web is not there: run npm run build first, which builds the web app.');
}

/** Node is over a hundred megabytes, and each tree has one. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await link(from, to).catch(() => copyFile(from, to));
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
