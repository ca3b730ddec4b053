import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundle } from './bundle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lean-builtins-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function outputOf(source: string): Promise<unknown> {
  writeFileSync(join(folder, 'entry.ts'), source);
  await bundle({ bundled: join(folder, 'entry.ts') }, folder);
  return JSON.parse(execFileSync(process.execPath, [join(folder, 'bundled.mjs')], { encoding: 'utf8' }));
}

const print = 'console.log(JSON.stringify(seen));';

it('gives a bundle node:http without the clients and threads that hang on it', async () => {
  const source = `import { createServer } from 'node:http';
    const loaded = process.moduleLoadList.filter((name) => /undici|http2|worker_threads/.test(name));
    const seen = { listening: createServer().listening, loaded }; ${print}`;
  expect(await outputOf(source)).toEqual({ listening: false, loaded: [] });
});

it('keeps default, named and bare imports of a module', async () => {
  const source = `import path, { join } from 'node:path'; import { sep } from 'path'; import { readFile } from 'node:fs/promises';
    const seen = [path.join('a', 'b'), join('a', 'b'), sep, typeof readFile]; ${print}`;
  expect(await outputOf(source)).toEqual(['a/b', 'a/b', '/', 'function']);
});
