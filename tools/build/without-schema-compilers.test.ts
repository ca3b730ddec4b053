import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundlePrograms } from './bundle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-without-compilers-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The api's server with a route of its own, and fastify as it is without the server's compilers. */
const program = `
  import { fastify } from '${join(import.meta.dirname, '../../node_modules/fastify/fastify.js')}';
  const compilersFactory = { buildValidator: () => () => () => true, buildSerializer: () => () => JSON.stringify };
  const app = fastify({ schemaController: { compilersFactory } });
  app.post('/', { schema: { response: { 200: { type: 'object' } } } }, async ({ body }) => body);
  const { payload } = await app.inject({ method: 'POST', url: '/', payload: { said: 'as it is' } });
  let without;
  try { fastify(); } catch (error) { without = error.message; }
  console.log(JSON.stringify({ payload, without }));`;

it("serves with the server's own compilers of schemas, and carries none of fastify's along", async () => {
  writeFileSync(join(folder, 'entry.ts'), program);
  await bundlePrograms({ bundled: join(folder, 'entry.ts') }, folder);
  const bundled = join(folder, 'bundled.mjs');
  expect(JSON.parse(execFileSync(process.execPath, [bundled], { encoding: 'utf8' }))).toEqual({
    payload: '{"said":"as it is"}',
    without: '@fastify/ajv-compiler is not bundled: give fastify a compilersFactory',
  });
  expect(readFileSync(bundled, 'utf8')).not.toContain('node_modules/ajv/');
});
