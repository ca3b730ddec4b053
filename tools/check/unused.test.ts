import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unusedCode, usedByTestsAlone } from './unused.ts';
import type { Violation } from './violation.ts';

const planted: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "planted", "type": "module", "dependencies": { "left-pad": "1.0.0" } }',
  'tsconfig.json': '{}',
  'src/api/main.ts': `import { used } from './parts.ts';\nimport { pad } from 'right-pad';\nused(pad);\n`,
  'src/api/parts.ts': [
    'export function used(text: string) {\n  return inside(text);\n}',
    'export function inside(text: string) {\n  return text;\n}',
    'export const unused = 1;',
    'export interface Unused {\n  readonly a: string;\n}',
    'export const forTests = 2;',
  ].join('\n'),
  'src/api/parts.test.ts': `import { example } from './examples.ts';\nimport { forTests, inside } from './parts.ts';\ninside(String(forTests + example));\n`,
  'src/api/examples.ts': 'export const example = 1;\n',
  'src/api/left-over.ts': 'export const nothing = 0;\n',
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-unused-'));
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const told = (violations: readonly Violation[]) =>
  violations.map(({ file, line, message }) => `${file}:${line} ${message}`).sort();

describe('code that is not used', () => {
  it('is found, be it a file, an export, a type or a package', () => {
    expect(told(unusedCode(folder))).toEqual([
      'package.json:1 depends on left-pad, which nothing imports',
      'src/api/left-over.ts:1 is imported by nobody and started by nobody',
      'src/api/main.ts:2 uses right-pad, which package.json does not list',
      'src/api/parts.ts:7 exports unused, which nobody imports: drop the export, or the code',
      'src/api/parts.ts:8 exports the type Unused, which nobody imports: drop the export, or the type',
    ]);
  });

  it('is found where tests alone keep it, unless its own file uses it', () => {
    expect(told(usedByTestsAlone(folder))).toEqual(
      expect.arrayContaining([
        'src/api/examples.ts:1 is imported by tests alone: it belongs beside them, in test/support',
        'src/api/parts.ts:11 offers forTests to tests alone: use it, or take it and its tests away',
      ]),
    );
  });
});
