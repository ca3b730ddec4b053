import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { nodePath } from '../image-specs.ts';

/**
 * Makes an assembled tree a root that can be entered without Docker: the libraries that Node links against come from this
 * machine, where the image has them from its base.
 */
export async function completeRoot(tree: string): Promise<void> {
  const { stdout } = await promisify(execFile)('ldd', [join(tree, nodePath)]);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path ?? '');
  for (const path of libraries) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await copyFile(path, join(tree, path));
  }
  for (const folder of ['proc', 'sys']) await mkdir(join(tree, folder), { recursive: true });
}
