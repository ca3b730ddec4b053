import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  content(): string | Promise<string>;
}

/** The files whose text on disk is missing or is not what their source says now. */
export async function staleFiles(root: string, files: readonly GeneratedFile[]): Promise<readonly GeneratedFile[]> {
  const stale = await Promise.all(
    files.map(async (file) => (await currentText(root, file)) !== (await file.content())),
  );
  return files.filter((_, index) => stale[index]);
}

export async function writeFiles(root: string, files: readonly GeneratedFile[]): Promise<void> {
  for (const file of files) {
    const path = join(root, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await file.content());
  }
}

async function currentText(root: string, file: GeneratedFile): Promise<string | undefined> {
  try {
    return await readFile(join(root, file.path), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
