import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bundlePrograms } from './bundle.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lean-frontend-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the frontend with both listeners, and tells of which parts of TLS it loads when. */
const program = `
  import { systemClock } from '${join(import.meta.dirname, '../../src/platform/system-clock.ts')}';
  import { silentLogger } from '${join(import.meta.dirname, '../../src/platform/silent-logger.ts')}';
  import { startFrontend } from '${join(import.meta.dirname, '../../src/frontend/frontend.ts')}';
  const loaded = () => process.moduleLoadList.filter((name) => /^NativeModule (tls|https)$/.test(name)).sort();
  const frontend = await startFrontend({ webRoot: import.meta.dirname, apiUrl: 'http://127.0.0.1:9', externalUrl: 'https://svc.example.com',
    httpPort: 0, httpsPort: 0, host: '127.0.0.1', clock: systemClock, logger: silentLogger });
  const atStart = loaded();
  const { request } = await import('node:https');
  const answer = await new Promise((resolve, reject) => request({ port: frontend.httpsPort, host: '127.0.0.1', path: '/healthz',
    agent: false, rejectUnauthorized: false, headers: { host: 'svc.example.com' } }, resolve).on('error', reject).end());
  console.log(JSON.stringify({ atStart, status: answer.statusCode }));
  process.exit(0);`;

it('speaks TLS, and loads nothing of it before somebody comes who does', async () => {
  writeFileSync(join(folder, 'entry.ts'), program);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  await bundlePrograms({ bundled: join(folder, 'entry.ts') }, folder);
  const told = execFileSync(process.execPath, [join(folder, 'bundled.mjs')], { encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual({ atStart: [], status: 200 });
});
