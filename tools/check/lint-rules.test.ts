import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lint-'));
  copyFileSync('biome.json', join(folder, 'biome.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What our lint says of a file of this name with this text. */
function lint(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  const biome = resolve('node_modules/.bin/biome');
  const { stdout, stderr } = spawnSync(biome, ['lint', '--colors=off', '--vcs-enabled=false', name], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain('Checked 1 file');
  return `${stdout}${stderr}`;
}

/** A function that nests this many conditions in one another: 1 + 2 + 3 + … is its cognitive complexity. */
const nested = (depth: number) =>
  `export function f(n: number): number {\n${Array.from({ length: depth }, (_, at) => `if (n > ${at}) {`).join('')}return 1;${'}'.repeat(depth)}\nreturn 0;\n}\n`;

const withParameters = (count: number) =>
  `export const f = (${Array.from({ length: count }, (_, at) => `p${at}: number`).join(', ')}) => p0${' + p1 + p2 + p3'}${count > 4 ? ' + p4' : ''};\n`;

describe('the lint', () => {
  it('takes a cognitive complexity of 15 and refuses one of 21', () => {
    expect(lint('planted.ts', nested(5))).not.toContain('noExcessiveCognitiveComplexity');
    expect(lint('planted.ts', nested(6))).toContain('Excessive complexity of 21 detected (max: 15)');
  });

  it('takes four parameters and refuses five', () => {
    expect(lint('planted.ts', withParameters(4))).not.toContain('useMaxParams');
    expect(lint('planted.ts', withParameters(5))).toContain('Function has 5 parameters, but only 4 are allowed');
  });

  it('asks neither of a test, whose tables have as many columns as they need', () => {
    expect(lint('planted.test.ts', nested(6) + withParameters(5))).not.toMatch(/Excessive|useMaxParams/);
  });
});
