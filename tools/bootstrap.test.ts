import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const { scripts } = packageJson;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-bootstrap-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The script as it is in package.json, with a program of its own that says its id and stays. */
function packageWith(script: string): void {
  const program = join(folder, 'stays.ts');
  writeFileSync(program, "console.log('pid', process.pid); setInterval(() => {}, 1000);\n");
  const text = script
    .replace('tools/bootstrap.mjs', join(root, 'tools/bootstrap.mjs'))
    .replace(/\S+$/, relative(root, program));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: text } }));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('every script is the program itself: npm would end the shell in between, and that alone', () => {
  const launched = Object.values(scripts).filter((script) => script.includes('tools/bootstrap.mjs'));
  expect(launched.filter((script) => !script.startsWith('exec node tools/bootstrap.mjs '))).toEqual([]);
});

it('npm start, told to end, ends what it started before it ends itself', async () => {
  packageWith(scripts.start);
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(npm.stdout), 'line')) as [string];
  const pid = Number(line.replace('pid ', ''));
  expect(isRunning(pid)).toBe(true);
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  const left = isRunning(pid);
  if (left) process.kill(pid, 'SIGKILL');
  expect(left).toBe(false);
});
