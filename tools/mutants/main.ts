// `npm run test:mutants -- [part of a name]…`: plants each fault in a copy of the sources and runs the tests that should
// notice. Prints the score; ends with 1 when a fault went unnoticed or no longer applies.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Mutant, mutants, type Suite } from './mutants.ts';

const root = resolve(import.meta.dirname, '../..');
/** All but what git keeps, what is installed and what was made: tests read documents and the chart, too. */
const left = new Set(['.git', 'node_modules', 'dist', 'coverage', 'artifacts', '.cache', '.vitest']);
/** The planted faults are gross: a few seeds find them, or none would. */
const few = { SIMULATION_SEEDS: '40', SIMULATION_FROM: '1' };

type Verdict = 'found' | 'missed' | 'does not apply' | 'the tests are broken';

function inCopy<T>(work: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'svc-mutants-'));
  try {
    for (const name of readdirSync(root).filter((one) => !left.has(one)))
      cpSync(join(root, name), join(directory, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function judge(directory: string, mutant: Mutant): Verdict {
  const path = join(directory, mutant.file);
  const original = readFileSync(path, 'utf8');
  if (!original.includes(mutant.find)) return 'does not apply';
  writeFileSync(
    path,
    original.replace(mutant.find, () => mutant.put),
  );
  let noticed: Suite | undefined;
  try {
    noticed = mutant.tests.find((suite) => !passes(directory, suite));
  } finally {
    writeFileSync(path, original);
  }
  if (noticed === undefined) return 'missed';
  return isSound(directory, noticed) ? 'found' : 'the tests are broken';
}

const sound = new Map<string, boolean>();

/** Tests that fail without any fault notice nothing. */
function isSound(directory: string, suite: Suite): boolean {
  const name = suite.join(' ');
  const known = sound.get(name) ?? passes(directory, suite);
  sound.set(name, known);
  return known;
}

function passes(directory: string, [project, ...paths]: Suite): boolean {
  const runner = join(root, 'node_modules', '.bin', 'vitest');
  const args = ['run', '--project', project, '--bail', '1', '--reporter', 'dot', ...paths];
  const { status, error } = spawnSync(runner, args, {
    cwd: directory,
    env: { ...process.env, ...few },
    stdio: 'ignore',
    timeout: 600_000,
  });
  if (error !== undefined && !('code' in error && error.code === 'ETIMEDOUT')) throw error;
  return status === 0;
}

const wanted = process.argv.slice(2);
const chosen = mutants.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const found = inCopy((directory) =>
  chosen.filter((mutant) => {
    const verdict = judge(directory, mutant);
    console.log(`${verdict.padEnd(20)} ${mutant.name}`);
    return verdict === 'found';
  }),
);
console.log(`${found.length} of ${chosen.length} planted faults were found.`);
process.exitCode = found.length === chosen.length ? 0 : 1;
