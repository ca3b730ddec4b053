import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, mostBytes, mostBytesInAll, pictures } from './pictures.ts';

const files = readdirSync(folder).toSorted();
const documents = ['README.md', ...globSync('docs/**/*.md')].map((path) => readFileSync(path, 'utf8')).join('\n');

describe('the pictures of the documents', () => {
  it('are those that the command takes', () => {
    expect(files).toEqual(pictures.map(({ name }) => `${name}.webp`).toSorted());
  });

  it('are light, dark and narrow', () => {
    expect([...new Set(pictures.map(({ look }) => look))].toSorted()).toEqual(['dark', 'light', 'narrow']);
  });

  it('weigh little', () => {
    const bytes = files.map((file) => statSync(join(folder, file)).size);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(mostBytes);
    expect(bytes.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(mostBytesInAll);
  });

  it.each(files)('%s is shown, with words for who does not see it', (file) => {
    expect(documents).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\([^)]*images/${file.replace('.', '\\.')}\\)`));
  });
});
