// `npm run test:mutants -- [--part 1/4] [part of a name]…`: plants each fault in a copy of the sources and runs the tests
// that should notice. Prints which tests found it and after how long, and the score; ends with 1 when a fault went unnoticed
// or no longer applies.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chooseMutants } from './choose-mutants.ts';
import type { Mutant, Suite } from './mutant.ts';
import { mutants } from './mutants.ts';
import { endingOf, type Judged, rowOf } from './table.ts';

const root = resolve(import.meta.dirname, '../..');
/** All but what git keeps, what is installed and what was made: tests read documents and the chart, too. */
const left = new Set(['.git', 'node_modules', 'dist', 'coverage', 'artifacts', '.cache', '.vitest']);
/** The planted faults are gross: a few seeds find them, or none would. */
const few = { SIMULATION_SEEDS: '40', SIMULATION_FROM: '1' };

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

function judge(directory: string, mutant: Mutant): Judged {
  const path = join(directory, mutant.file);
  const original = readFileSync(path, 'utf8');
  if (!original.includes(mutant.find)) return { mutant, verdict: 'does not apply', seconds: 0 };
  writeFileSync(
    path,
    original.replace(mutant.find, () => mutant.put),
  );
  const beganAt = performance.now();
  let suite: Suite | undefined;
  try {
    suite = mutant.tests.find((one) => !passes(directory, one));
  } finally {
    writeFileSync(path, original);
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  if (suite === undefined) return { mutant, verdict: 'missed', seconds };
  return { mutant, verdict: isSound(directory, suite) ? 'found' : 'the tests are broken', suite, seconds };
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

function chosenOrNot(): readonly Mutant[] {
  try {
    return chooseMutants(process.argv.slice(2), mutants);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

const chosen = chosenOrNot();
const beganAt = performance.now();
const judged = inCopy((directory) =>
  chosen.map((mutant) => {
    const one = judge(directory, mutant);
    console.log(rowOf(one));
    return one;
  }),
);
console.log(endingOf(judged, (performance.now() - beganAt) / 1_000));
process.exitCode = judged.every(({ verdict }) => verdict === 'found') ? 0 : 1;
