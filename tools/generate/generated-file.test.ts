import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GeneratedFile, staleFiles, writeFiles } from './generated-file.ts';
import { generatedFiles } from './registry.ts';

describe('generated files', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'generated-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const files: readonly GeneratedFile[] = [
    { path: 'a.json', content: () => '{}\n' },
    { path: 'deep/er/b.md', content: async () => '# b\n' },
  ];
  const stale = async () => (await staleFiles(root, files)).map(({ path }) => path);

  it('are stale while they are missing, and fresh once written', async () => {
    expect(await stale()).toEqual(['a.json', 'deep/er/b.md']);
    await writeFiles(root, files);
    expect(await stale()).toEqual([]);
    expect(await readFile(join(root, 'deep/er/b.md'), 'utf8')).toBe('# b\n');
  });

  it('are stale when someone edited them, if only by a space', async () => {
    await writeFiles(root, files);
    await writeFile(join(root, 'a.json'), '{} \n');
    expect(await stale()).toEqual(['a.json']);
  });

  it('come out the same each time, each path once', async () => {
    for (const file of generatedFiles) expect(await file.content()).toBe(await file.content());
    expect(new Set(generatedFiles.map(({ path }) => path)).size).toBe(generatedFiles.length);
  });
});
